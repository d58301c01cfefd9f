// The published types compile in strict projects that check libraries as well (`skipLibCheck: false`), with
// TypeScript 5, 6 and 7, in pages and in Node, as ES modules and as CommonJS, from every entry of the package.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { describeRuntime, packedProject, RUNTIMES, run } from '../runtimes/support.js';

interface Entry {
  readonly import?: { readonly types?: string };
  readonly require?: { readonly types?: string };
}

const { exports: entries } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, Entry> };

/** Names of the entries that have types for a way to load them: curvad, curvad/js … */
const typed = (way: 'import' | 'require') =>
  Object.keys(entries)
    .filter((path) => entries[path]?.[way]?.types !== undefined)
    .map((path) => path.replace(/^\./, 'curvad'));

const esModule = `${typed('import')
  .map((name, i) => `import * as entry${i} from '${name}';\nconsole.log(entry${i});`)
  .join('\n')}
import { CAD, CurvadError, load, type CADOptions, type MatrixInput } from 'curvad';
const options: CADOptions = { neighbors: 2, standardize: true };
const rows: MatrixInput = [[0, 0], [0, 1], [1, 0], [9, 9]];
const cad = new CAD(options).fit(rows);
const scores: Float64Array = load(cad.toBytes()).score(rows);
const wasAborted = async (signal: AbortSignal) => (await cad.scoreAsync(rows, { signal })).length === scores.length;
const code = (error: unknown) => (error instanceof CurvadError ? error.code : undefined);
cad.dispose();
// @ts-expect-error Unknown options are refused: the types are not any.
new CAD({ neighbours: 2 });
export { code, wasAborted };
`;

const commonJS = typed('require')
  .map((name, i) => `import entry${i} = require('${name}');\nconsole.log(entry${i});`)
  .join('\n');

const strict = {
  target: 'ES2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
};
const inPage = { ...strict, module: 'ESNext', moduleResolution: 'Bundler', lib: ['ES2022', 'DOM'], types: [] };
const inNode = {
  ...strict,
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  lib: ['ES2022'],
  types: ['node'],
  typeRoots: [resolve('node_modules/@types')],
};

const project = packedProject();

function compile(compiler: string, compilerOptions: object, files: readonly string[]): string {
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  return run(process.execPath, [compiler, '-p', 'tsconfig.json', '--pretty', 'false'], project.path);
}

const compilers = [
  ['TypeScript 5', join(RUNTIMES, 'typescript5/lib/tsc.js')],
  ['TypeScript 6', join(RUNTIMES, 'typescript6/lib/tsc.js')],
  ['TypeScript 7', resolve('node_modules/typescript/bin/tsc')],
] as const;

for (const [name, path] of compilers) {
  describeRuntime(name, existsSync(path) ? path : undefined, (compiler) => {
    it('is the version it is meant to be', () => {
      const version = run(process.execPath, [compiler, '--version'], project.path);
      expect(version).toContain(name.replace('TypeScript', 'Version'));
    });

    it('compiles a program of a page', () => {
      project.write('page.ts', esModule);
      expect(compile(compiler, inPage, ['page.ts'])).toBe('');
    });

    it('compiles an ES module and a CommonJS module of Node', () => {
      project.write('module.mts', esModule);
      project.write('common.cts', commonJS);
      expect(compile(compiler, inNode, ['module.mts', 'common.cts'])).toBe('');
    });
  });
}
