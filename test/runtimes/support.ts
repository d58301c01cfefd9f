// The packed package in empty projects, and the runtimes to try it in. A missing runtime is skipped with a reason; in CI
// none may be missing.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { VERSION } from '../../src/core/version.js';
import { unpackInto } from './packed.js';

export { RUNTIMES, run } from './programs.js';

const isRequired = process.env['CI'] === 'true';

export interface Report {
  backend: string;
  detectors: Record<string, { scores: number[]; labels: number[]; fresh: number[] }>;
  models: Record<string, number[]>;
  loaded: Record<string, number[]>;
  refused: string;
  corrupt: string;
  execution: { mode: string; threads: number };
  isAsyncTheSame: boolean;
  isScoringTheSame: boolean;
}

/** Tests of a runtime that may be missing outside CI. */
export function describeRuntime(name: string, binary: string | undefined, tests: (binary: string) => void): void {
  if (binary !== undefined && existsSync(binary)) describe(`in ${name}`, () => tests(binary));
  else if (isRequired) describe(`in ${name}`, () => expect.fail(`CI must install ${name}: npm run runtimes`));
  else {
    console.warn(`Not tested in ${name}: it is not installed. \`npm run runtimes\` installs it.`);
    describe.skip(`in ${name}`, () => {});
  }
}

/** An empty project with the packed package, while the tests of a file run. */
export function packedProject(): { readonly path: string; write(name: string, text: string): string } {
  const path = mkdtempSync(join(tmpdir(), 'curvad-'));
  beforeAll(() => {
    const description = { private: true, type: 'module', dependencies: { curvad: VERSION } };
    writeFileSync(join(path, 'package.json'), JSON.stringify(description));
    unpackInto(path);
    copyFileSync('test/runtimes/conformance.js', join(path, 'conformance.js'));
  });
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, text) {
      const file = join(path, name);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}

/** A report is what this process finds too, bit for bit, and its models can be read here. */
export function expectConformance(report: Report, here: Report): void {
  expect(report.detectors).toEqual(here.detectors);
  expect(report.loaded).toEqual(Object.fromEntries(Object.entries(here.detectors).map(([name, d]) => [name, d.fresh])));
  expect(report.models).toEqual(here.models);
  expect(report.refused).toBe('NAN_VALUE');
  expect(report.corrupt).toBe('MODEL_FOREIGN');
  expect(report.isAsyncTheSame).toBe(true);
  expect(report.isScoringTheSame).toBe(true);
}

/** What this process finds, for the others to agree with. */
export async function reportHere(): Promise<Report> {
  const { conform } = await import('./conformance.js');
  const curvad = await import('../../src/index.js');
  return conform(curvad, {});
}
