// Every file of examples/, run with the packed package in the runtime it is made for. One that no test runs fails the last.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNN } from '../../src/index.js';
import { Random } from '../support/data.js';
import { startWorker, WRANGLER_CONFIGURATION, WRANGLER_DRY_RUN } from './miniflare.js';
import { CHROMIUM, inPage, launchChromium, servePages } from './pages.js';
import { describeRuntime, packedProject, RUNTIMES, run } from './support.js';

const taken = new Set<string>();
const project = packedProject();

function example(name: string): string {
  taken.add(name);
  return readFileSync(join('examples', name), 'utf8');
}

/** One cluster, and a row far from it. */
const ROWS = [...new Random(4).rows(60, 2), [30, 30]].map((row) => [...row]);

describe('in Node', () => {
  it('notebook.js ranks the planted outliers first and explains the first', () => {
    const printed = run(process.execPath, [project.write('notebook.js', example('notebook.js'))], project.path);
    const first = [...printed.matchAll(/^row (\d+): score/gm)].map(([, row]) => Number(row));
    expect(first).toHaveLength(5);
    expect(first.every((row) => row >= 300)).toBe(true);
    expect(Number(/curve ([\d.]+)/.exec(printed)?.[1])).toBeGreaterThan(0.9);
    expect(printed).toMatch(/would be normal[\s\S]*\by: /);
    expect(printed.split('\n').filter((line) => /^[ .:\-=+*#%@]{24}$/.test(line))).toHaveLength(24);
  });

  it('stream.js reports the readings that do not belong, by their line', () => {
    const random = new Random(9);
    const lines = Array.from({ length: 900 }, (_, i) => (i === 700 ? [50, -50] : [random.uniform(), random.uniform()]));
    const file = project.write('stream.js', example('stream.js'));
    const input = lines.map((row) => `${JSON.stringify(row)}\n`).join('');
    const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: project.path, input, encoding: 'utf8' });
    expect(stderr).toBe('');
    const reported = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { line: number; score: number });
    expect(reported.find(({ line }) => line === 701)?.score).toBeGreaterThan(10);
    expect(reported.length).toBeLessThan(20);
  });

  it('threads.js fits on threads, and ends cleanly by Ctrl-C', async () => {
    const file = project.write('threads.js', example('threads.js').replace('100_000', '20_000'));
    expect(run(process.execPath, [file], project.path)).toMatch(/^fitted 20000 rows \(shared, \d+ threads\)/);
    const child = spawn(process.execPath, [project.write('long.js', example('threads.js').replace('12]', '64]'))], {
      cwd: project.path,
    });
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
    });
    await once(child.stderr, 'data'); // it has begun
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect(printed).toBe('ended; nothing was changed\n');
    expect(code).toBe(0);
  });
});

{
  const text = example('deno.ts');
  describeRuntime('Deno', join(RUNTIMES, '.bin/deno'), (deno) => {
    it('deno.ts answers rows with scores and labels, and refuses bad ones', async () => {
      const file = project.write('deno.ts', text.replace("'npm:curvad'", "'curvad'"));
      const options = [
        'run',
        '--quiet',
        '--no-prompt',
        '--node-modules-dir=manual',
        '--allow-net=127.0.0.1',
        file,
        '0',
      ];
      const server: ChildProcess = spawn(deno, options, { cwd: project.path });
      try {
        const url = await new Promise<string>((resolve, reject) => {
          let printed = '';
          const read = (data: Buffer): void => {
            printed += data;
            const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
            if (address !== undefined) resolve(address);
          };
          server.stdout?.on('data', read);
          server.stderr?.on('data', read);
          server.on('exit', () => reject(new Error(printed)));
        });
        const post = (body: string) => fetch(url, { method: 'POST', body });
        const answer = (await (await post('[[1, 0], [40, 40]]')).json()) as { labels: number[] };
        expect(answer.labels[1]).toBe(1);
        expect((await post('[[1]]')).status).toBe(400);
        expect((await post('nonsense')).status).toBe(400);
      } finally {
        server.kill();
      }
    });
  });
}

{
  const text = example('cloudflare-worker.js');
  describeRuntime('wrangler and workerd', join(RUNTIMES, '.bin/wrangler'), (wrangler) => {
    it('cloudflare-worker.js scores with the model in its bundle', async () => {
      project.write('worker.js', text);
      using knn = new KNN({ contamination: 0.02 }).fit(ROWS);
      writeFileSync(join(project.path, 'model.bin'), knn.toBytes());
      project.write('wrangler.toml', `${WRANGLER_CONFIGURATION}main = "worker.js"\n`);
      run(wrangler, [...WRANGLER_DRY_RUN, 'cloudflare'], project.path);
      const worker = await startWorker(join(project.path, 'cloudflare'), 'worker.js');
      try {
        const post = (body: string) => worker.dispatchFetch('http://curvad/', { method: 'POST', body });
        const answer = JSON.parse(await (await post('[[0, 0], [40, 40]]')).text()) as {
          scores: number[];
          labels: number[];
        };
        expect(answer).toEqual({ scores: [...knn.score([[0, 0], [40, 40]])], labels: [0, 1] }); // biome-ignore format: two rows
        expect((await post('[[1]]')).ok).toBe(false);
      } finally {
        await worker.dispose();
      }
    });
  });
}

{
  const text = example('page.html');
  describeRuntime('Chromium', CHROMIUM, (executablePath) => {
    it('page.html draws the landscape, and again with a point that is added by a click', async () => {
      project.write('page.html', text);
      const server = await servePages(project.path, { plain: {} });
      const browser = await launchChromium(executablePath);
      try {
        const status = () => document.querySelector('[role=status]')?.textContent ?? '';
        const isReady = () => {
          const shown = document.querySelector('[role=status]')?.textContent ?? '';
          if (shown.startsWith('120 points')) document.querySelector('canvas')?.click();
          return shown.startsWith('121 points');
        };
        const shown = await inPage(browser, `${server.origin}/plain/page.html`, isReady, status, undefined);
        expect(shown).toMatch(/^121 points, [1-9]\d* unusual$/);
      } finally {
        await browser.close();
        server.close();
      }
    });
  });
}

it('there is a test for every example', () => {
  const files = readdirSync('examples').filter((name) => name !== 'README.md');
  expect(files.sort()).toEqual([...taken].sort());
  for (const name of files) expect(readFileSync('examples/README.md', 'utf8')).toContain(`](${name})`);
});
