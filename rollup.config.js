import { fileURLToPath } from 'node:url';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import esbuild from 'rollup-plugin-esbuild';
import { wasmAsBase64 } from './scripts/wasm-plugin.js';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** ml-kmeans needs one class of ml-matrix: its sources can be tree-shaken, its bundle cannot. */
const mlMatrixSources = {
  name: 'ml-matrix-sources',
  resolveId: (id) => (id === 'ml-matrix' ? path('node_modules/ml-matrix/src/index.js') : null),
};

const plugins = [
  wasmAsBase64(),
  mlMatrixSources,
  nodeResolve({ extensions: ['.ts', '.js'] }),
  commonjs(),
  esbuild({ target: 'es2022', sourceMap: true }),
];

const banner = `/*! curvad, MIT licence. Contains parts of ml-kmeans, ml-matrix, ml-nearest-vector and ml-distance-euclidean (MIT, Zakodium and contributors), and of the AssemblyScript loader (Apache-2.0, Daniel Wirtz and contributors). */`;

/** What the library uses of its dependencies is bundled, so that a page without a bundler can load it. */
const library = {
  input: 'src/index.ts',
  output: { file: 'dist/index.js', format: 'es', sourcemap: true, banner },
  plugins,
  treeshake: { moduleSideEffects: (id) => !id.includes('node_modules') },
  onwarn: (warning, warn) => {
    // ml-spectra-processing imports itself in circles; what is used of it does not.
    if (warning.code !== 'CIRCULAR_DEPENDENCY' || !warning.ids?.every((id) => id.includes('node_modules')))
      warn(warning);
  },
};

/** The command uses the library as any program does. */
const command = {
  input: 'src/cli/main.ts',
  output: { file: 'dist/cli.js', format: 'es', sourcemap: true, paths: { [path('src/index.ts')]: './index.js' } },
  plugins,
  external: [/^node:/, path('src/index.ts')],
};

export default [library, command];
