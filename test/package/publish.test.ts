// What goes to npm: types and entries that every resolution finds (attw, publint), and nothing that users
// do not need.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { VERSION } from '../../src/core/version.js';
import { packedArchive } from '../runtimes/packed.js';
import { run } from '../runtimes/programs.js';

const folder = mkdtempSync(join(tmpdir(), 'curvad-pack-'));
const unpacked = join(folder, 'package');
let archive: string;
let files: string[];

beforeAll(() => {
  archive = packedArchive();
  run('tar', ['-xzf', archive, '-C', folder], folder);
  files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1))
    .sort();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('npm installs it with nothing else, and its command runs', () => {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', archive], project);
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['curvad']);
  expect(run('npx', ['--no-install', 'curvad', '--version'], project)).toBe(`${VERSION}\n`);
});

it('publint finds nothing to say, not even a suggestion', () => {
  const printed = run(resolve('node_modules/.bin/publint'), ['run', archive, '--strict', '--level', 'suggestion'], '.');
  expect(printed).toMatch(/All good!/);
});

it('every way to import or require the package finds its types', () => {
  const args = [archive, '--profile', 'node16', '--no-definitely-typed', '--format', 'json'];
  // It fails where anything is wrong but that resolution from before `exports` does not know curvad/js.
  const { analysis } = JSON.parse(run(resolve('node_modules/.bin/attw'), args, '.')) as {
    analysis: { entrypoints: Record<string, { hasTypes: boolean }> };
  };
  for (const entry of ['.', './js', './streams', './files', './service'])
    expect(analysis.entrypoints[entry]).toMatchObject({ hasTypes: true });
});

it('holds the library, its types and maps, the WebAssembly files and the papers, and nothing else', () => {
  const wanted = [
    /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
    /^dist\/(cjs\/)?(index|js|streams|service|files|files-node)\.js(\.map)?$/,
    /^dist\/(cjs\/)?formats\/[\w-]+\.js(\.map)?$/,
    /^dist\/(cjs\/)?shared\/[\w-]+\.js(\.map)?$/,
    /^dist\/(workerd(-\w+)?|cli)\.js(\.map)?$/,
    /^dist\/cli-[\w-]+\.js(\.map)?$/,
    /^dist\/THIRD-PARTY-LICENSES\.txt$/,
    /^dist\/(cjs\/)?threads\/[\w-]+\.js(\.map)?$/,
    /^dist\/(cjs\/)?types\/[\w/-]+\.d\.ts$/,
    /^dist\/cjs\/package\.json$/,
    /^dist\/wasm\/simd\.wasm$/,
  ];
  expect(files.filter((file) => !wanted.some((pattern) => pattern.test(file)))).toEqual([]);
  for (const pattern of wanted) expect(files.some((file) => pattern.test(file))).toBe(true);
  expect(files.filter((file) => file.includes('/types/cli/'))).toEqual([]);
});

it('runs nothing when it is installed and needs nothing else', () => {
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const scripts = Object.keys(manifest.scripts);
  const lifecycle = /^(pre|post)?(install|prepare|publish|pack|uninstall)$|^dependencies$|^prepublishOnly$/;
  expect(scripts.filter((name) => lifecycle.test(name))).toEqual([]);
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundledDependencies'])
    expect(manifest).not.toHaveProperty(kind);
});

it('every import between its files, and every map they name, is there', () => {
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(join(unpacked, file), 'utf8').replace(/^export const source = .*$/m, '');
    const imports = text
      .replace(/^\s*\/?\*.*$/gm, '')
      .matchAll(/(?:from|import\(|require\()\s*['"](\.{1,2}\/[^'"]+)['"]/g);
    const map = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(text);
    for (const name of [...imports].map(([, path]) => path as string).concat(map?.[1] ?? []))
      expect(files, `${file} needs ${name}`).toContain(join(dirname(file), name));
  }
});

it('source maps hold the sources, as those are not packed', () => {
  for (const name of ['index', 'js', 'workerd', 'cli']) {
    const map = JSON.parse(readFileSync(join(unpacked, `dist/${name}.js.map`), 'utf8'));
    expect(map.sourcesContent).toHaveLength(map.sources.length);
    for (const text of map.sourcesContent) expect(text).toBeTypeOf('string');
  }
});

it('ships the licence of every package whose code is in it', () => {
  const licences = readFileSync(join(unpacked, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const maps = files.filter((file) => file.endsWith('.js.map'));
  // Chunks that hold nothing but a package have no map, and its name.
  const chunks = files.flatMap((file) => /^dist\/(?:cli-|formats\/)([\w-]+)\.js$/.exec(file)?.[1] ?? []);
  const bundled = maps
    .flatMap((file) => (JSON.parse(readFileSync(join(unpacked, file), 'utf8')) as { sources: string[] }).sources)
    .flatMap((source) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []);
  const packages = new Set([...bundled, ...chunks.filter((name) => existsSync(join('node_modules', name)))]);
  for (const name of ['ml-kmeans', '@assemblyscript/loader', 'hyparquet']) expect(packages).toContain(name);
  for (const name of packages) expect(licences, name).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\S* \\(.+\\)$`, 'm'));
  expect(licences).toContain('Apache License');
  expect(licences).toContain('BSD 3-Clause');
  expect(licences.match(/^Permission is hereby granted/gm)?.length).toBeGreaterThan(5);
});
