// For rollup and esbuild: the AssemblyScript loader without what turns objects of AssemblyScript into those of
// JavaScript. curvad's core has none: it calls plain exports with numbers (src/core/wasm/core.ts). They are most
// of the loader, and every thread would have to read them too.
import { readFile } from 'node:fs/promises';

const LOADER = /[\\/]@assemblyscript[\\/]loader[\\/]index\.js$/;

/** What comes in place of functions of the loader. Their own bodies are left without a caller, and are dropped. */
const INSTEAD = {
  preInstantiate: 'function preInstantiate() {}',
  postInstantiate: 'function postInstantiate(_, instance) { return instance.exports; }',
};
/** What the loader does when it is imported, for these functions: `Object.hasOwn` of old runtimes, and a decoder. */
const POLYFILL = /^Object\.hasOwn = .*?^\};/ms;
const DECODER = 'new TextDecoder(';

/** Line by line where it was, so that source maps stay true. */
function withoutObjects(code) {
  const heads = Object.entries(INSTEAD).map(([name, instead]) => [`function ${name}(`, instead, name]);
  if (!POLYFILL.test(code) || ![DECODER, ...heads.map(([head]) => head)].every((part) => code.includes(part)))
    throw new Error('the AssemblyScript loader has changed: scripts/loader-plugin.js has to follow');
  return heads
    .reduce((changed, [head, instead, name]) => changed.replace(head, `${instead} function unused_${name}(`), code)
    .replace(POLYFILL, (text) => text.replace(/[^\n]/g, ''))
    .replace(DECODER, `/* @__PURE__ */ ${DECODER}`);
}

export function loaderWithoutObjects() {
  return {
    name: 'loader-without-objects',
    transform: (code, id) => (LOADER.test(id) ? { code: withoutObjects(code), map: null } : null),
  };
}

export const loaderWithoutObjectsForEsbuild = {
  name: 'loader-without-objects',
  setup({ onLoad }) {
    onLoad({ filter: LOADER }, async ({ path }) => ({ contents: withoutObjects(await readFile(path, 'utf8')) }));
  },
};
