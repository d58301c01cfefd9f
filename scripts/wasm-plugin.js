// For rollup and vitest: `import { packed } from './x.wasm?beside=y,z'` gives the bytes of x.wasm, y.wasm and
// z.wasm as text that a bundle can hold (pack.js).
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pack } from './pack.js';

export function wasmAsText() {
  return {
    name: 'wasm-as-text',
    enforce: 'pre',
    async load(id) {
      const [path, query] = id.split('?');
      const beside = new URLSearchParams(query).get('beside');
      if (!path.endsWith('.wasm') || beside === null) return null;
      const paths = [path, ...beside.split(',').map((name) => join(dirname(path), `${name}.wasm`))];
      const packed = pack(await Promise.all(paths.map((file) => readFile(file))));
      const code = `export const packed = ${JSON.stringify(packed)};`;
      return { code, map: { mappings: '' } }; // not once more in the source map
    },
  };
}
