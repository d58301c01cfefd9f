// The packed package in Node, Deno and Bun: imported and required, with the same bits everywhere.
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import {
  describeRuntime,
  expectConformance,
  packedProject,
  type Report,
  RUNTIMES,
  reportHere,
  run,
} from './support.js';

const project = packedProject();
let here: Report;

beforeAll(async () => {
  here = await reportHere();
  const models = JSON.stringify(here.models);
  project.write('models.json', models);
  project.write(
    'import.mjs',
    `import * as curvad from 'curvad';
import { conform } from './conformance.js';
console.log(JSON.stringify(await conform(curvad, ${models})));`,
  );
  project.write(
    'require.cjs',
    `const curvad = require('curvad');
import('./conformance.js')
  .then(({ conform }) => conform(curvad, ${models}))
  .then((report) => console.log(JSON.stringify(report)));`,
  );
  project.write(
    'js.mjs',
    `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CAD, defaultBackend, useWasm } from 'curvad/js';
const rows = Array.from({ length: 50 }, (_, i) => [i % 7, (i * i) % 11, i % 5]);
const plain = new CAD().fit(rows);
const backends = [plain.backend];
useWasm({ simd: readFileSync(createRequire(import.meta.url).resolve('curvad/wasm/simd.wasm')) });
const given = new CAD().fit(rows);
backends.push(given.backend, defaultBackend());
console.log(JSON.stringify({ backends, isTheSame: given.scores.every((score, i) => score === plain.scores[i]) }));`,
  );
});

const reportOf = (program: string, args: string[]): Report => JSON.parse(run(program, args, project.path)) as Report;

for (const [name, binary] of [
  [`Node ${process.versions.node}`, process.execPath],
  ['Node 22', join(RUNTIMES, 'node22/bin/node')],
  ['Node 24', join(RUNTIMES, 'node24/bin/node')],
] as const) {
  describeRuntime(name, binary, (node) => {
    it.each(['import.mjs', 'require.cjs'])('%s conforms, on threads that share memory', (script) => {
      const report = reportOf(node, [script]);
      expectConformance(report, here);
      expect(report.backend).toBe('wasm-simd');
      expect(report.execution).toMatchObject({ mode: 'shared', threads: 2 });
    });

    it('curvad/js brings no WebAssembly and takes one that is hosted elsewhere', () => {
      const found = JSON.parse(run(node, ['js.mjs'], project.path));
      expect(found).toEqual({ backends: ['js', 'wasm-simd', 'wasm-simd'], isTheSame: true });
    });
  });
}

describeRuntime('Deno', join(RUNTIMES, '.bin/deno'), (deno) => {
  it('conforms without any permission', () => {
    const report = reportOf(deno, ['run', '--quiet', '--no-prompt', '--node-modules-dir=manual', 'import.mjs']);
    expectConformance(report, here);
    expect(report.backend).toBe('wasm-simd');
    expect(report.execution).toMatchObject({ mode: 'shared', threads: 2 });
  });
});

describeRuntime('Bun', join(RUNTIMES, '.bin/bun'), (bun) => {
  it('conforms', () => {
    const report = reportOf(bun, ['run', 'import.mjs']);
    expectConformance(report, here);
    expect(report.backend).toBe('wasm-simd');
    expect(report.execution).toMatchObject({ mode: 'shared', threads: 2 });
  });
});
