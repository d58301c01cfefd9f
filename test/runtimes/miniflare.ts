// Cloudflare's runtime on this machine, running a folder as a bundler wrote it.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RUNTIMES } from './programs.js';

export interface Miniflare {
  readonly ready: Promise<unknown>;
  dispatchFetch(url: string, options?: object): Promise<{ readonly ok: boolean; text(): Promise<string> }>;
  dispose(): Promise<void>;
}

/** Starts a worker: a script and the WebAssembly and data files beside it. */
export async function startWorker(folder: string, script: string): Promise<Miniflare> {
  const entry = createRequire(join(RUNTIMES, 'x.js')).resolve('miniflare');
  const { Miniflare } = (await import(pathToFileURL(entry).href)) as { Miniflare: new (options: object) => Miniflare };
  const module = (type: string, name: string) => ({ type, path: join(folder, name), contents: content(folder, name) });
  const files = readdirSync(folder);
  const modules = [
    module('ESModule', script),
    ...files.filter((name) => name.endsWith('.wasm')).map((name) => module('CompiledWasm', name)),
    ...files.filter((name) => name.endsWith('.bin')).map((name) => module('Data', name)),
  ];
  return new Miniflare({ compatibilityDate: '2026-01-01', modules, modulesRoot: folder });
}

function content(folder: string, name: string): string | Uint8Array {
  const file = join(folder, name);
  return name.endsWith('.js') ? readFileSync(file, 'utf8') : readFileSync(file);
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
