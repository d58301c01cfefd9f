import { fileURLToPath } from 'node:url';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import esbuild from 'rollup-plugin-esbuild';
import { wasmAsBase64 } from './scripts/wasm-plugin.js';

/** ml-kmeans needs one class of ml-matrix: its sources can be tree-shaken, its bundle cannot. */
const mlMatrixSources = {
  name: 'ml-matrix-sources',
  resolveId: (id) =>
    id === 'ml-matrix' ? fileURLToPath(new URL('node_modules/ml-matrix/src/index.js', import.meta.url)) : null,
};

/** What the library uses of its dependencies is bundled, so that a page without a bundler can load it. */
export default {
  input: { index: 'src/index.ts', cli: 'src/cli/main.ts' },
  output: { dir: 'dist', format: 'es', sourcemap: true, chunkFileNames: 'shared/[name].js' },
  plugins: [
    wasmAsBase64(),
    mlMatrixSources,
    nodeResolve({ extensions: ['.ts', '.js'] }),
    commonjs(),
    esbuild({ target: 'es2022', sourceMap: true }),
  ],
  treeshake: { moduleSideEffects: (id) => !id.includes('node_modules') },
  external: [/^node:/],
  onwarn: (warning, warn) => {
    // ml-spectra-processing imports itself in circles; what is used of it does not.
    if (warning.code !== 'CIRCULAR_DEPENDENCY' || !warning.ids?.every((id) => id.includes('node_modules')))
      warn(warning);
  },
};
