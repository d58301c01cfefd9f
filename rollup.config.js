import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { transform } from 'esbuild';
import esbuild from 'rollup-plugin-esbuild';
import { boundedParquet } from './scripts/bounded-parquet-plugin.js';
import { licencesOfBundled } from './scripts/licences-plugin.js';
import { threadSources } from './scripts/thread-plugin.js';
import { wasmAsBase64 } from './scripts/wasm-plugin.js';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** The sources of ml-matrix can be tree-shaken, its bundle cannot. */
const mlMatrixSources = {
  name: 'ml-matrix-sources',
  resolveId: (id) => (id === 'ml-matrix' ? path('node_modules/ml-matrix/src/index.js') : null),
};

/** Another file in place of src/core/wasm/included.ts: where the WebAssembly comes from. */
const included = (file) => ({
  name: 'included',
  resolveId: (id) => (id.endsWith('/included.js') ? path(`src/core/wasm/${file}`) : null),
});

/** On Cloudflare an imported .wasm file is a compiled module, and there are no threads. */
const forWorkerd = {
  name: 'for-workerd',
  resolveId: (id) => {
    if (id.startsWith('curvad-thread:')) return '\0no-thread';
    if (id.endsWith('.wasm?module')) return `\0${basename(id)}`;
    return /^\.\/wasm\/\w+\.wasm$/.test(id) ? { id, external: true } : null;
  },
  load: (id) => {
    if (id === '\0no-thread') return "export const source = '';";
    const [, file] = /^\0(\w+\.wasm)\?module$/.exec(id) ?? [];
    return file === undefined ? null : `export { default as compiled } from './wasm/${file}';`;
  },
};

const plugins = [
  wasmAsBase64(),
  threadSources(),
  boundedParquet(),
  mlMatrixSources,
  nodeResolve({ extensions: ['.ts', '.js'], exportConditions: ['browser'] }),
  commonjs(),
  licencesOfBundled(path('dist/THIRD-PARTY-LICENSES.txt')),
  esbuild({ target: 'es2022', sourceMap: true }),
];

const banner =
  '/*! curvad, MIT licence. THIRD-PARTY-LICENSES.txt has the licences of the packages whose code is in here. */';

const isForeign = (id) => id.includes('node_modules');

/** Chunks that are all of others are packed small, without comments that name files of theirs, and without maps. */
const smallForeignChunks = {
  name: 'small-foreign-chunks',
  async renderChunk(code, { moduleIds }, { format: kind }) {
    if (moduleIds.length === 0 || !moduleIds.every(isForeign)) return null;
    const format = kind === 'cjs' ? 'cjs' : 'esm';
    const small = await transform(code, { minify: true, legalComments: 'inline', target: 'es2022', format });
    return { code: small.code, map: { mappings: '' } };
  },
  generateBundle(_, bundle) {
    for (const [name, chunk] of Object.entries(bundle)) {
      if (chunk.type !== 'chunk' || chunk.moduleIds.length === 0 || !chunk.moduleIds.every(isForeign)) continue;
      chunk.code = chunk.code.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '\n');
      delete bundle[`${name}.map`];
    }
  },
};

/** What the library uses of its dependencies is bundled, so that a page without a bundler can load it. */
const library = (input, special = []) => ({
  input,
  plugins: [...special, ...plugins, smallForeignChunks],
  treeshake: { moduleSideEffects: (id) => !id.includes('node_modules') },
  external: [/^node:/],
});

/** Entries of the package beside the main one: by name, the index of their folder. */
const ENTRIES = { streams: 'src/streams/index.ts', service: 'src/service/index.ts' };

/** The readers of files: with the file system and without it. They need no WebAssembly. */
const FILES = { files: 'src/files/index.ts', 'files-node': 'src/files/node.ts' };

/** What entries share is a file of its own, and so is the text of a detector's threads, loaded when it is first needed. */
const output = (dir, format) => ({
  dir,
  format,
  sourcemap: true,
  sourcemapExcludeSources: format === 'cjs', // the maps of the modules hold them already
  banner,
  chunkFileNames: ({ moduleIds, facadeModuleId }) => {
    const last = moduleIds.at(-1) ?? '';
    const [, thread] = /curvad-thread:(.+)$/.exec(last) ?? [];
    if (thread !== undefined) return `threads/${thread}.js`;
    const [, format] = /src\/files\/([\w-]+)\.ts$/.exec(facadeModuleId ?? '') ?? [];
    const [, foreign] = /node_modules\/(?:@[^/]+\/)?([^/]+)/.exec(isForeign(last) ? last : '') ?? [];
    return format !== undefined || foreign !== undefined ? `formats/${format ?? foreign}.js` : 'shared/core.js';
  },
});

const workerdOutput = { dir: 'dist', format: 'es', sourcemap: true, banner, inlineDynamicImports: true };

/** What the command has beside it, by the file it is made of. */
const LIBRARY = Object.fromEntries(
  Object.entries({ index: 'src/index.ts', ...ENTRIES }).map(([name, file]) => [path(file), `./${name}.js`]),
);

/** The command uses the library as any program does; what it needs for a format is a file of its own beside it. */
const command = {
  input: { cli: 'src/cli/main.ts' },
  output: {
    dir: 'dist',
    format: 'es',
    sourcemap: true,
    banner,
    chunkFileNames: ({ moduleIds }) =>
      `cli-${/node_modules\/(?:@[^/]+\/)?([^/]+)/.exec(moduleIds.at(-1) ?? '')?.[1] ?? '[name]'}.js`,
    paths: LIBRARY,
  },
  plugins: [...plugins, smallForeignChunks],
  treeshake: { moduleSideEffects: (id) => !isForeign(id) },
  external: [/^node:/, 'fs', ...Object.keys(LIBRARY)],
};

/** On Cloudflare every entry is one file beside the .wasm files. */
const forCloudflare = Object.entries({ workerd: 'src/index.ts', ...ENTRIES }).map(([name, file]) => ({
  ...library({ [name === 'workerd' ? name : `workerd-${name}`]: file }, [included('included.workerd.ts'), forWorkerd]),
  output: workerdOutput,
}));

export default [
  {
    ...library({ index: 'src/index.ts', ...ENTRIES, ...FILES }),
    output: [output('dist', 'es'), output('dist/cjs', 'cjs')],
  },
  {
    ...library({ js: 'src/index.ts' }, [included('included.none.ts')]),
    output: [output('dist', 'es'), output('dist/cjs', 'cjs')],
  },
  ...forCloudflare,
  command,
];
