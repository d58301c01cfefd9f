// The packed package on Cloudflare's runtime: bundled by esbuild, the WebAssembly imported as a module.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
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

interface Miniflare {
  dispatchFetch(url: string, options: object): Promise<{ json(): Promise<unknown>; text(): Promise<string> }>;
  dispose(): Promise<void>;
}

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

describeRuntime('workerd', join(RUNTIMES, '.bin/workerd'), () => {
  it('conforms, in slices as there are no threads', async () => {
    const here = await reportHere();
    project.write('worker.mjs', WORKER);
    const conditions = '--conditions=workerd,worker,browser';
    const loader = '--loader:.wasm=copy';
    run(
      join(RUNTIMES, '.bin/esbuild'),
      ['worker.mjs', '--bundle', '--format=esm', conditions, loader, '--outdir=bundled', '--log-level=warning'],
      project.path,
    );
    const entry = createRequire(join(RUNTIMES, 'x.js')).resolve('miniflare');
    const { Miniflare } = (await import(pathToFileURL(entry).href)) as {
      Miniflare: new (options: object) => Miniflare;
    };
    const bundled = join(project.path, 'bundled');
    const wasm = readdirSync(bundled).filter((name) => name.endsWith('.wasm'));
    expect(wasm).toHaveLength(1);
    const miniflare = new Miniflare({
      compatibilityDate: '2026-01-01',
      modules: [
        {
          type: 'ESModule',
          path: join(bundled, 'worker.js'),
          contents: readFileSync(join(bundled, 'worker.js'), 'utf8'),
        },
        ...wasm.map((name) => ({
          type: 'CompiledWasm',
          path: join(bundled, name),
          contents: readFileSync(join(bundled, name)),
        })),
      ],
      modulesRoot: bundled,
    });
    try {
      const response = await miniflare.dispatchFetch('http://curvad/', {
        method: 'POST',
        body: JSON.stringify(here.models),
      });
      const report = JSON.parse(await response.text()) as Report;
      expectConformance(report, here);
      expect(report.backend).toBe('wasm-simd');
      expect(report.execution).toEqual({ mode: 'sliced', threads: 0 });
    } finally {
      await miniflare.dispose();
    }
  });
});
