// The scoring service in every runtime: `curvad serve` in Node, and the fetch handler of the packed package behind the
// servers of Node, Deno, Bun and Cloudflare. All get the same requests over a socket, and give the same answers.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ESBUILD_OPTIONS, startWorker } from './miniflare.js';
import { CASES, KEY, LIMITS, model, send, sendSlowly } from './service-cases.js';
import { describeRuntime, packedProject, RUNTIMES, run } from './support.js';

const project = packedProject();
const OPTIONS = `{ models: { odd: { model: bytes } }, apiKey: '${KEY}', ...${JSON.stringify(LIMITS)} }`;
const children: ChildProcess[] = [];

beforeAll(() => {
  writeFileSync(join(project.path, 'model.bin'), model.toBytes());
  project.write(
    'service.mjs',
    `import { readFileSync } from 'node:fs';
import { Service } from 'curvad/service';
const bytes = readFileSync('model.bin');
export const { fetch } = new Service(${OPTIONS});
export const tell = (port) => console.log('http://127.0.0.1:' + port);`,
  );
  project.write(
    'deno.mjs',
    `import { fetch, tell } from './service.mjs';
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => tell(port) }, fetch);`,
  );
  project.write(
    'bun.mjs',
    `import { fetch, tell } from './service.mjs';
tell(Bun.serve({ port: 0, hostname: '127.0.0.1', fetch }).port);`,
  );
  project.write(
    'worker.mjs',
    `import { Service } from 'curvad/service';
import bytes from './model.bin';
let service;
export default { fetch: (request) => (service ??= new Service(${OPTIONS})).fetch(request) };`,
  );
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a server and waits for its address. */
function start(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { cwd: project.path });
  children.push(child);
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (data: Buffer): void => {
      printed += data;
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (origin !== undefined) resolve(origin);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', () => reject(new Error(printed)));
  });
}

/** The tests of a server, which is started before the first. */
function answersAll(starting: () => Promise<string>): void {
  let origin = '';
  beforeAll(async () => {
    origin = await starting();
  }, 60_000);

  it.each(CASES)('$name', async (one) => {
    const answer = await send(origin, one);
    const json: unknown =
      answer.headers['content-type'] === 'application/json' && answer.text ? JSON.parse(answer.text) : {};
    const { code } = json as { code?: string };
    expect([answer.status, code]).toEqual([one.status, one.code]);
    if (one.json !== undefined) expect(json).toEqual(one.json);
    if (one.text !== undefined) expect(answer.text).toMatch(one.text);
    if (typeof one.text === 'string') expect(answer.text).toBe(one.text);
    expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('refuses a body that does not come', async () => {
    expect(await sendSlowly(origin)).toBe(408);
  });
}

describe(`in Node ${process.versions.node}, by curvad serve`, () => {
  answersAll(async () => {
    const limits = ['--max-body', LIMITS.maxBodyBytes, '--max-rows', LIMITS.maxRows, '--timeout', LIMITS.timeout];
    project.write('key', KEY);
    return start(process.execPath, [
      join(project.path, 'node_modules/curvad/dist/cli.js'),
      ...['serve', 'odd=model.bin', '--port', '0', '--api-key-file', 'key', ...limits.map(String)],
    ]);
  });
});

describeRuntime('Deno', join(RUNTIMES, '.bin/deno'), (deno) => {
  answersAll(() =>
    start(deno, [
      'run',
      '--quiet',
      '--no-prompt',
      '--node-modules-dir=manual',
      '--allow-net',
      '--allow-read',
      'deno.mjs',
    ]),
  );
});

describeRuntime('Bun', join(RUNTIMES, '.bin/bun'), (bun) => {
  answersAll(() => start(bun, ['run', 'bun.mjs']));
});

describeRuntime('workerd', join(RUNTIMES, '.bin/workerd'), () => {
  answersAll(async () => {
    const folder = join(project.path, 'worker');
    mkdirSync(folder);
    run(
      join(RUNTIMES, '.bin/esbuild'),
      ['worker.mjs', ...ESBUILD_OPTIONS, '--loader:.bin=copy', '--outdir=worker'],
      project.path,
    );
    const worker = await startWorker(folder, 'worker.js');
    return String(await worker.ready).replace(/\/$/, '');
  });
});
