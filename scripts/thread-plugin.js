// For rollup and vitest: `import('curvad-thread:cad')` gives the source text of that detector's threads
// (src/parallel/serve.ts with that detector), bundled and minified, without WebAssembly.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PREFIX = 'curvad-thread:';
const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function threadSources() {
  return {
    name: 'thread-sources',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const { source, inputs } = await bundle(id.slice(PREFIX.length + 1));
      // licences-plugin.js reads `bundled`.
      return { code: `export const source = ${JSON.stringify(source)};`, meta: { bundled: inputs } };
    },
  };
}

/** The class that a file of src/detectors exports. */
function detectorIn(file) {
  const text = readFileSync(`${root}/src/detectors/${file}.ts`, 'utf8');
  return /^export class (\w+) /m.exec(text)[1];
}

async function bundle(file) {
  const detector = detectorIn(file);
  const contents = `import { ${detector} } from './src/detectors/${file}.ts';
import { serve } from './src/parallel/serve.ts';
serve(${detector});`;
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    stdin: { contents, resolveDir: root, sourcefile: `${file}.thread.ts`, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    external: ['node:worker_threads'],
    plugins: [
      {
        name: 'in-a-thread',
        setup({ onResolve, onLoad }) {
          // It receives its WebAssembly in a message, and starts no threads itself.
          onResolve({ filter: /\/included\.js$/ }, () => ({ path: `${root}/src/core/wasm/included.none.ts` }));
          // It receives rows of numbers, never tables.
          const inThreads = `${root}/src/tables/in-threads.ts`;
          onResolve({ filter: /\/tables\/(reader|recipe)\.js$/ }, () => ({ path: inThreads }));
          onResolve({ filter: /^curvad-thread:/ }, () => ({ path: 'none', namespace: 'none' }));
          onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export const source = "";' }));
          onResolve({ filter: /^ml-matrix$/ }, () => ({
            path: `${root}/node_modules/ml-matrix/src/index.js`,
            sideEffects: false,
          }));
        },
      },
    ],
  });
  const { inputs } = Object.values(metafile.outputs)[0];
  return { source: outputFiles[0].text, inputs: Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0) };
}
