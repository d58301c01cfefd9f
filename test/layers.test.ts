// The shape of the source: imports point downwards only, so that each layer can be read and tested
// without those above it.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../src/', import.meta.url);

/** What each layer may import besides itself. `index.ts` gathers what the package offers; only the command line is above it. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  core: [],
  tables: ['core'],
  parallel: ['core'],
  neighbors: ['core', 'tables', 'parallel'],
  detectors: ['core', 'tables', 'parallel', 'neighbors'],
  prototypes: ['core', 'tables', 'parallel', 'neighbors', 'detectors'],
  landscape: ['core', 'tables', 'parallel', 'neighbors', 'detectors'],
  explanations: ['core', 'tables', 'parallel', 'neighbors', 'detectors', 'landscape'],
  evaluation: ['core', 'tables', 'parallel'],
  streams: ['core', 'detectors'],
  service: ['core', 'tables', 'files', 'detectors', 'explanations'],
  files: ['core', 'tables'],
  index: [
    'core',
    'tables',
    'parallel',
    'neighbors',
    'detectors',
    'prototypes',
    'landscape',
    'explanations',
    'evaluation',
  ],
  cli: [
    'core',
    'neighbors',
    'detectors',
    'prototypes',
    'landscape',
    'evaluation',
    'explanations',
    'files',
    'tables',
    'streams',
    'service',
    'index',
  ],
};

interface SourceFile {
  /** From src/, with slashes. */
  path: string;
  text: string;
  /** Without comments and the insides of strings. */
  code: string;
  imports: string[];
}

function read(path: string): SourceFile {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const uncommented = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, ' ');
  const imports = [...uncommented.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    ([, name]) => name as string,
  );
  const code = uncommented.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, "''");
  return { path, text, code, imports };
}

const FILES = readdirSync(fileURLToPath(ROOT), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .sort()
  .map(read);

const layerOf = (path: string): string => (path.split('/')[0] as string).replace(/\.ts$/, '');

/** The files of src/ that a file imports. */
function importsOf({ path, imports }: SourceFile): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name).replace(/\.js$/, '.ts'))
    .filter((target) => !target.startsWith('../'));
}

/** Pairs of files, "from → to", that break a rule. */
function offences(isWrong: (from: string, to: string) => boolean): string[] {
  return FILES.flatMap((file) =>
    importsOf(file)
      .filter((target) => isWrong(file.path, target))
      .map((target) => `${file.path} → ${target}`),
  );
}

describe('the source', () => {
  it('was found', () => {
    expect(FILES.map(({ path }) => path)).toContain('core/wasm/memory/arena.ts');
    expect(FILES.flatMap(importsOf).length).toBeGreaterThan(50);
  });

  it('imports files that exist, each by its full name', () => {
    const paths = new Set(FILES.map(({ path }) => path));
    expect(offences((_, to) => !paths.has(to))).toEqual([]);
  });

  it('has only layers whose place is known', () => {
    expect(FILES.map(({ path }) => layerOf(path)).filter((layer) => !Object.hasOwn(BELOW, layer))).toEqual([]);
  });

  it('imports only from its own layer and those below', () => {
    const isAbove = (from: string, to: string) =>
      layerOf(to) !== layerOf(from) && !(BELOW[layerOf(from)] ?? []).includes(layerOf(to));
    expect(offences(isAbove)).toEqual([]);
  });

  it('uses nothing of Node but in the command line and the entry of files for Node', () => {
    const files = FILES.filter(({ path }) => !path.startsWith('cli/') && path !== 'files/node.ts');
    const users = files.filter(({ code }) => /\b(process|Buffer|__dirname)\b(?=[.[(])/.test(code));
    expect(users.map(({ path }) => path)).toEqual([]);
  });

  it('keeps the plain and the WebAssembly backend apart', () => {
    const isAcross = (from: string, to: string) =>
      (from.startsWith('core/js/') && to.startsWith('core/wasm/')) ||
      (from.startsWith('core/wasm/') && to.startsWith('core/js/'));
    expect(offences(isAcross)).toEqual([]);
  });

  it('leaves src/ only for the WebAssembly builds, from one place', () => {
    const outside = FILES.flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('.') && posix.join(posix.dirname(path), name).startsWith('../'))
        .map((name) => `${path} → ${posix.join(posix.dirname(path), name)}`),
    );
    for (const offence of outside) expect(offence).toMatch(/^core\/wasm\/\S+ → \.\.\/build\/\w+\.wasm(\?\S+)?$/);
  });

  it('has no circle of imports', () => {
    const targets = new Map(FILES.map((file) => [file.path, importsOf(file)]));
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) expect.fail([...trail, path].join(' → '));
      if (done.has(path)) return;
      for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const { path } of FILES) visit(path, []);
  });

  it('opens each file with what it is, in at most 300 lines', () => {
    const nameless = FILES.filter(({ text }) => !/^(#!.*\n)?\/\//.test(text));
    expect(nameless.map(({ path }) => path)).toEqual([]);
    const long = FILES.filter(({ text }) => text.split('\n').length > 301);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});
