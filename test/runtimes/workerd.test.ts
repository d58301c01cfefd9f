// The packed package on Cloudflare's runtime, bundled by esbuild and by wrangler: the WebAssembly is
// imported as a module.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ESBUILD_OPTIONS, startWorker, WRANGLER_CONFIGURATION, WRANGLER_DRY_RUN } from './miniflare.js';
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

const WORKER = `import * as curvad from 'curvad';
import { conform } from './conformance.js';
export default {
  async fetch(request) {
    try {
      return Response.json(await conform(curvad, await request.json()));
    } catch (error) {
      return new Response(String(error.stack), { status: 500 });
    }
  },
};`;

beforeAll(async () => {
  here = await reportHere();
  project.write('worker.mjs', WORKER);
  project.write('wrangler.toml', `${WRANGLER_CONFIGURATION}main = "worker.mjs"\n`);
});

/** The worker in a folder conforms, in slices as there are no threads. */
async function expectWorker(folder: string): Promise<void> {
  expect(readdirSync(folder).filter((name) => name.endsWith('.wasm'))).toHaveLength(1);
  const worker = await startWorker(folder, 'worker.js');
  try {
    const response = await worker.dispatchFetch('http://curvad/', {
      method: 'POST',
      body: JSON.stringify(here.models),
    });
    const report = JSON.parse(await response.text()) as Report;
    expectConformance(report, here);
    expect(report.backend).toBe('wasm-simd');
    expect(report.execution).toMatchObject({ mode: 'sliced', threads: 0 });
  } finally {
    await worker.dispose();
  }
}

describeRuntime('workerd', join(RUNTIMES, '.bin/workerd'), () => {
  it('a bundle of esbuild conforms', async () => {
    run(join(RUNTIMES, '.bin/esbuild'), ['worker.mjs', ...ESBUILD_OPTIONS, '--outdir=esbuilt'], project.path);
    await expectWorker(join(project.path, 'esbuilt'));
  });

  describeRuntime('wrangler', join(RUNTIMES, '.bin/wrangler'), (wrangler) => {
    it('bundles without configuration what conforms', async () => {
      run(wrangler, [...WRANGLER_DRY_RUN, 'wrangled'], project.path);
      await expectWorker(join(project.path, 'wrangled'));
    });
  });
});
