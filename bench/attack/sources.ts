// Modules of src/ that the package does not export, built as the package is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import commonjsPlugin from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { type Plugin, rollup } from 'rollup';
import esbuild from 'rollup-plugin-esbuild';
import { boundedParquet } from '../../scripts/bounded-parquet-plugin.js';
import { threadSources } from '../../scripts/thread-plugin.js';
import { wasmAsBase64 } from '../../scripts/wasm-plugin.js';

/** Its types describe another module than Node loads. */
const commonjs = commonjsPlugin as unknown as () => Plugin;

/** The modules at these paths below src/, as one. */
export async function built(paths: readonly string[]): Promise<unknown> {
  const entry = 'curvad-attack-entry';
  const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
  const exports = paths.map((path) => `export * from ${JSON.stringify(source(path))};`).join('\n');
  const bundle = await rollup({
    input: entry,
    plugins: [
      {
        name: entry,
        resolveId: (id: string) => (id === entry ? id : null),
        load: (id: string) => (id === entry ? exports : null),
      },
      wasmAsBase64(),
      threadSources(),
      boundedParquet(),
      nodeResolve({ extensions: ['.ts', '.js'], exportConditions: ['browser'] }),
      commonjs(),
      esbuild({ target: 'es2022' }),
    ] as unknown as Plugin[],
    external: [/^node:/],
    onwarn: () => {},
  });
  const folder = mkdtempSync(join(tmpdir(), 'curvad-sources-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'entry.mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  return import(pathToFileURL(join(folder, 'entry.mjs')).href);
}
