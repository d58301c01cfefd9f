// What users download: the builds, what a bundler makes of typical imports, and that it is no more than
// what was imported.
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../../scripts/pack.js';
import { included } from '../../src/core/wasm/included.js';
import * as curvad from '../../src/index.js';

const KB = 1024;

interface Bundle {
  /** What is loaded at once. */
  readonly entry: string;
  readonly size: number;
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
  return { entry, size: gzipSync(entry, { level: 9 }).length, later };
}

/** The detectors, by the names they are exported and saved under. */
const DETECTORS = Object.entries(curvad)
  .filter(([, value]) => typeof value === 'function' && 'fromModel' in value)
  .map(([name]) => name);

/** Whether code contains a detector: the name of its kind, by which its model files are known. */
const contains = (code: string, detector: string): boolean =>
  new RegExp(`kind\\s*=\\s*["'\`]${detector}\\b`).test(code);

const IMPORTS = [
  { title: '{ CAD }', file: 'index.js', names: ['CAD'], limit: 80 },
  { title: '{ CAD, load }', file: 'index.js', names: ['CAD', 'load'], limit: 100 },
  { title: 'everything', file: 'index.js', names: '*', limit: 160 },
  { title: '{ CAD } from curvad/js', file: 'js.js', names: ['CAD'], limit: 40 },
  { title: '{ CAD } on Cloudflare, beside its .wasm file', file: 'workerd.js', names: ['CAD'], limit: 40 },
] as const;

describe('the size of the package', () => {
  it.each(['scalar', 'simd', 'relaxed'])('keeps the %s build at 80 KB or less', (name) => {
    expect(statSync(`build/${name}.wasm`).size).toBeLessThanOrEqual(80 * KB);
  });

  it('inlines all three builds in the library entry, which imports nothing from outside', () => {
    const source = readFileSync('dist/index.js', 'utf8');
    const builds = ['relaxed', 'simd', 'scalar'] as const;
    const files = builds.map((build) => readFileSync(`build/${build}.wasm`));
    expect(source).toContain(JSON.stringify(pack(files)));
    for (const [i, build] of builds.entries()) expect(included(build)).toEqual(new Uint8Array(files[i] as Buffer));
    expect(source).not.toMatch(/^import .* from ['"](?!node:)/m);
  });

  it.each(IMPORTS)('$title is at most $limit KB, minified and gzipped', async ({ title, file, names, limit }) => {
    const { size } = await bundle(file, names);
    console.log(`${title}: ${(size / KB).toFixed(1)} KB minified and gzipped`);
    expect(size).toBeLessThanOrEqual(limit * KB);
  });

  it('the text of a thread is at most 40 KB gzipped', async () => {
    const { later } = await bundle('js.js', ['CAD']);
    const [text = ''] = later;
    const size = gzipSync(text, { level: 9 }).length;
    console.log(`a thread of CAD, loaded when it is first needed: ${(size / KB).toFixed(1)} KB minified and gzipped`);
    expect(size).toBeLessThanOrEqual(40 * KB);
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

  it('gets nothing of the AssemblyScript loader but what starts a module', () => {
    for (const code of [all.entry, ...all.later]) {
      expect(code).not.toMatch(/exportRuntime|hasOwn\s*=|utf-16le/);
    }
  });

  it('gets nothing of the ml libraries but K-means', () => {
    for (const code of [all.entry, ...all.later]) {
      expect(code).not.toMatch(/EigenvalueDecomposition|Submatrix indices|Matrix must be non-empty|Complex arrays? /);
    }
  });
});
