// Cloudflare's runtime on this machine, running a folder as a bundler wrote it.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const RUNTIMES = resolve('test/runtimes/installed/node_modules');

export interface Miniflare {
  readonly ready: Promise<unknown>;
  dispatchFetch(url: string, options?: object): Promise<{ readonly ok: boolean; text(): Promise<string> }>;
  dispose(): Promise<void>;
}

/** Starts a worker: a script and the WebAssembly files beside it. */
export async function startWorker(folder: string, script: string): Promise<Miniflare> {
  const entry = createRequire(join(RUNTIMES, 'x.js')).resolve('miniflare');
  const { Miniflare } = (await import(pathToFileURL(entry).href)) as { Miniflare: new (options: object) => Miniflare };
  const wasm = readdirSync(folder).filter((name) => name.endsWith('.wasm'));
  const modules = [
    { type: 'ESModule', path: join(folder, script), contents: readFileSync(join(folder, script), 'utf8') },
    ...wasm.map((name) => ({
      type: 'CompiledWasm',
      path: join(folder, name),
      contents: readFileSync(join(folder, name)),
    })),
  ];
  return new Miniflare({ compatibilityDate: '2026-01-01', modules, modulesRoot: folder });
}

/** What esbuild must be told for Cloudflare. */
export const ESBUILD_OPTIONS = [
  '--bundle',
  '--format=esm',
  '--conditions=workerd,worker,browser',
  '--loader:.wasm=copy',
  '--log-level=warning',
] as const;

/** wrangler bundles without asking anyone: no account, no network. */
export const WRANGLER_CONFIGURATION = 'name = "curvad-test"\ncompatibility_date = "2026-01-01"\n';
export const WRANGLER_DRY_RUN = ['deploy', '--dry-run', '--config', 'wrangler.toml', '--outdir'] as const;
