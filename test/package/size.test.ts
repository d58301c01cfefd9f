// What users download: the builds, what a bundler makes of typical imports, and that it is no more than
// what was imported.
import { readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { included } from '../../src/core/wasm/included.js';
import * as curvad from '../../src/index.js';

const KB = 1024;

interface Bundle {
  /** What is loaded at once. */
  readonly entry: string;
  /** The texts of threads, loaded when they are needed. */
  readonly later: readonly string[];
}

/** Bundles and minifies a program that imports from a file of dist/, with code splitting. */
async function bundle(file: string, names: readonly string[] | '*'): Promise<Bundle> {
  const path = JSON.stringify(resolve('dist', file));
  const contents =
    names === '*'
      ? `import * as curvad from ${path}; globalThis.used = curvad;`
      : `import { ${names.join()} } from ${path}; globalThis.used = [${names.join()}];`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve('.') },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    outdir: '/bundled',
    legalComments: 'none',
    loader: { '.wasm': 'copy' },
    write: false,
    logLevel: 'error',
  });
  const scripts = outputFiles.filter(({ path }) => path.endsWith('.js'));
  const entry = scripts.find(({ path }) => path.endsWith('/stdin.js'))?.text as string;
  // esbuild also writes files that only code it left out would have loaded.
  const later = scripts.filter(({ path }) => entry.includes(basename(path))).map(({ text }) => text);
  return { entry, later };
}

/** The detectors, by the names they are exported and saved under. */
const DETECTORS = Object.entries(curvad)
  .filter(([, value]) => typeof value === 'function' && 'fromModel' in value)
  .map(([name]) => name);

/** Whether code contains a detector: the name of its kind, by which its model files are known. */
const contains = (code: string, detector: string): boolean =>
  new RegExp(`kind\\s*=\\s*["'\`]${detector}["'\`]`).test(code);

/**
 * Limits in KB. `npm run bench:size` prints what the bytes of { CAD } are, and docs/benchmarks.md says why it is more
 * than the 60 KB brotli and 80 KB gzip that were aimed for, and everything more than 120 KB brotli.
 */
const IMPORTS = [
  { title: '{ CAD }', file: 'index.js', names: ['CAD'], brotli: 88, gzip: 103 },
  { title: 'everything', file: 'index.js', names: '*', brotli: 131, gzip: 160 },
  { title: '{ CAD } from curvad/js', file: 'js.js', names: ['CAD'], brotli: 59, gzip: 68 },
  { title: '{ CAD } on Cloudflare, beside its .wasm file', file: 'workerd.js', names: ['CAD'], brotli: 59, gzip: 68 },
] as const;

/** Prints the sizes of code and compares them with limits in KB. */
function expectAtMost(title: string, code: string, brotli: number, gzip: number): void {
  const [byBrotli, byGzip] = [brotliCompressSync(code).length / KB, gzipSync(code, { level: 9 }).length / KB];
  console.log(`${title}: ${byBrotli.toFixed(1)} KB brotli, ${byGzip.toFixed(1)} KB gzip`);
  expect(byBrotli).toBeLessThanOrEqual(brotli);
  expect(byGzip).toBeLessThanOrEqual(gzip);
}

describe('the size of the package', () => {
  it('inlines the WebAssembly as base64 in the library entry, which imports nothing from outside', () => {
    const main = readFileSync('dist/index.js', 'utf8');
    const shared = [...main.matchAll(/from '(\.\/shared\/[\w-]+\.js)'/g)].map(([, file]) => file as string);
    const source = [main, ...new Set(shared)]
      .map((file, i) => (i === 0 ? file : readFileSync(`dist/${file}`, 'utf8')))
      .join('\n');
    const file = readFileSync('build/simd.wasm');
    expect(source.includes(file.toString('base64'))).toBe(true);
    expect(included('simd')).toEqual(new Uint8Array(file));
    expect(source).not.toMatch(/^import .* from ['"](?!node:|\.\/(shared\/)?core)/m);
  });

  it.each(IMPORTS)('$title, minified: at most $brotli KB brotli, $gzip KB gzip', async (limits) => {
    const { entry } = await bundle(limits.file, limits.names);
    expectAtMost(limits.title, entry, limits.brotli, limits.gzip);
  });

  it('the text of a thread: at most 46 KB brotli, 53 KB gzip', async () => {
    const { later } = await bundle('js.js', ['CAD']);
    expect(later).toHaveLength(1);
    expectAtMost('a thread of CAD, loaded when it is first needed', later[0] as string, 46, 53);
  });
});

describe('curvad/files', () => {
  it('loads at most 22 KB brotli, 24 KB gzip at once, and what a format needs when it is met', async () => {
    const { metafile, outputFiles } = await build({
      stdin: { contents: `export { readTable } from ${JSON.stringify(resolve('dist/files.js'))};`, resolveDir: '.' },
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      outdir: 'bundled',
      legalComments: 'none',
      metafile: true,
      write: false,
    });
    const atOnce = new Set(Object.keys(metafile.outputs).filter((path) => path.endsWith('stdin.js')));
    for (const path of atOnce) {
      for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? [])
        if (kind === 'import-statement') atOnce.add(imported);
    }
    const code = outputFiles.filter(({ path }) => atOnce.has(relative('.', path))).map(({ text }) => text);
    expect(code.join('').length).toBeGreaterThan(10_000); // the readers of text are there
    expectAtMost('{ readTable } from curvad/files', code.join(''), 22, 24);
    expect(code.join('')).not.toMatch(/PAR1.*thrift|node:/);
    expect(Object.keys(metafile.outputs).some((path) => !atOnce.has(path))).toBe(true);
  });
});

describe.each(['index.js', 'js.js', 'workerd.js'])('a program that imports from %s', (file) => {
  let all: Bundle;
  beforeAll(async () => {
    all = await bundle(file, '*');
  });

  it.each(DETECTORS)('%s alone gets no other detector and no command line', async (name) => {
    const { entry, later } = await bundle(file, [name]);
    const found = (code: string): string[] => DETECTORS.filter((detector) => contains(code, detector));
    expect(found(all.entry)).toEqual(DETECTORS); // so that `contains` means something
    expect(found(entry)).toEqual([name]);
    expect(later.map(found)).toEqual(file === 'workerd.js' ? [] : [[name]]);
    expect(entry).not.toMatch(/process\.argv|parseArgs/);
  });
});
