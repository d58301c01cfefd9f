// Every snippet of docs/runtimes.md, executed as it stands in the runtime that its fence names, with the packed package. A snippet that no test takes fails the last one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorker, WRANGLER_CONFIGURATION, WRANGLER_DRY_RUN } from './miniflare.js';
import { type AnyBrowser, CHROMIUM, inPage, launchChromium, type PageServer, servePages } from './pages.js';
import { describeRuntime, packedProject, RUNTIMES, run } from './support.js';

const PAGE = readFileSync('docs/runtimes.md', 'utf8');
/** Text by the word after the language of its fence. */
const SNIPPETS = new Map(
  [...PAGE.matchAll(/^```(\w*) *(\S*)\n([\s\S]*?)^```$/gm)].map(([, , name, text]) => [name, text]),
);
const taken = new Set<string>();

function snippet(name: string): string {
  taken.add(name);
  const text = SNIPPETS.get(name);
  if (text === undefined) throw new Error(`the page has no snippet ${name}`);
  return text;
}

/** What every runtime prints in some way of its own: the labels, of which only the last is 1. */
const LABELS = /\b0, ?0, ?0, ?0, ?1\b/;
const flat = (printed: string): string => printed.replace(/\s+/g, ' ');

const project = packedProject();

describe('in Node', () => {
  it('the import', () => {
    const file = project.write('node.mjs', snippet('node'));
    expect(flat(run(process.execPath, [file], project.path))).toMatch(LABELS);
  });

  it('the require', () => {
    const file = project.write('node.cjs', snippet('node-require'));
    expect(flat(run(process.execPath, [file], project.path))).toMatch(LABELS);
  });

  it('the threads', () => {
    const file = project.write('threads.mjs', snippet('threads'));
    expect(run(process.execPath, [file], project.path)).toBe(
      "{ mode: 'shared', threads: 2, search: 'tree', storage: 'double' }\n",
    );
  });
});

{
  const text = snippet('deno');
  describeRuntime('Deno', join(RUNTIMES, '.bin/deno'), (deno) => {
    it('the snippet runs without permissions', () => {
      project.write('deno.mjs', text);
      const options = ['run', '--quiet', '--no-prompt', '--node-modules-dir=manual', 'deno.mjs'];
      expect(flat(run(deno, options, project.path))).toMatch(LABELS);
    });
  });
}

{
  const text = snippet('bun');
  describeRuntime('Bun', join(RUNTIMES, '.bin/bun'), (bun) => {
    it('the snippet runs', () => {
      project.write('bun.mjs', text);
      expect(flat(run(bun, ['run', 'bun.mjs'], project.path))).toMatch(LABELS);
    });
  });
}

{
  const workers = ['workerd', 'workerd-model'].map((name) => [name, snippet(name)] as const);
  describeRuntime('wrangler and workerd', join(RUNTIMES, '.bin/wrangler'), (wrangler) => {
    it.each(workers)('%s: the worker answers with labels', async (name, text) => {
      project.write('worker.mjs', text);
      project.write('wrangler.toml', `${WRANGLER_CONFIGURATION}main = "worker.mjs"\n`);
      run(wrangler, [...WRANGLER_DRY_RUN, name], project.path);
      const worker = await startWorker(join(project.path, name), 'worker.js');
      try {
        const body = JSON.stringify([[0.4, 0.5], [30, 30]]); // biome-ignore format: two rows
        const response = await worker.dispatchFetch('http://curvad/', { method: 'POST', body });
        expect(JSON.parse(await response.text())).toEqual([0, 1]);
      } finally {
        await worker.dispose();
      }
    });
  });
}

{
  const [plain, bundled, strict] = [snippet('browser'), snippet('bundled'), snippet('strict')];
  const [hosted, threads] = [snippet('hosted'), snippet('threads')];
  // The page names the policy in a sentence.
  const [, strictPolicy = ''] = /works under `([^`]+)`/.exec(PAGE) ?? [];
  const policy = { 'content-security-policy': snippet('policy').trim() };
  const headers = Object.fromEntries(
    snippet('headers')
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  );
  describeRuntime('Chromium', CHROMIUM, (executablePath) => {
    let browser: AnyBrowser;
    let server: PageServer;
    beforeAll(async () => {
      browser = await launchChromium(executablePath);
      server = await servePages(project.path, {
        plain: {},
        strict: { 'content-security-policy': strictPolicy },
        policy,
        isolated: { ...policy, ...headers },
      });
      // What a page prints is kept for the test to read.
      project.write(
        'console.js',
        `globalThis.printed = [];
console.log = (...values) => printed.push(values.map((value) => JSON.stringify(ArrayBuffer.isView(value) ? [...value] : value)).join(' '));`,
      );
    });
    afterAll(async () => {
      await browser?.close();
      server?.close();
    });

    const page = (content: string) =>
      `<!doctype html><title>curvad</title><script src="./console.js"></script>${content}`;
    const scriptPage = (script: string) => page(`<script type="module" src="./${script}"></script>`);

    /** What a page prints, once that is at least so many lines. */
    async function printedBy(path: string, lines: number): Promise<string[]> {
      type Printing = typeof globalThis & { printed: string[] };
      const isReady = new Function(`return globalThis.printed?.length >= ${lines}`) as () => boolean;
      const read = () => (globalThis as Printing).printed;
      return inPage(browser, `${server.origin}/${path}`, isReady, read, undefined);
    }

    it('the page without a bundler', async () => {
      project.write('plain.html', page(plain));
      expect((await printedBy('plain/plain.html', 1))[0]).toMatch(LABELS);
    });

    describeRuntime('a page bundled by esbuild, webpack and Vite', join(RUNTIMES, '.bin/vite'), (vite) => {
      it('the program', async () => {
        project.write('main.js', bundled);
        run(
          join(RUNTIMES, '.bin/esbuild'),
          ['main.js', '--bundle', '--format=esm', '--outfile=esbuilt.js'],
          project.path,
        );
        const options = ['--entry=./main.js', '--mode=production', '--output-path=webpacked'];
        run(join(RUNTIMES, '.bin/webpack-cli'), options, project.path);
        project.write('index.html', scriptPage('main.js'));
        run(vite, ['build', '--base=./', '--outDir=vite', '--logLevel=error'], project.path);
        project.write('vite/console.js', readFileSync(join(project.path, 'console.js'), 'utf8'));
        project.write('esbuilt.html', scriptPage('esbuilt.js'));
        project.write('webpacked.html', scriptPage('webpacked/main.js'));
        for (const path of ['plain/esbuilt.html', 'plain/webpacked.html', 'plain/vite/index.html'])
          expect((await printedBy(path, 1))[0], path).toMatch(LABELS);
      });
    });

    it('curvad/js under a policy that refuses WebAssembly and workers', async () => {
      expect(strictPolicy).toBe("default-src 'self'");
      project.write('strict.js', strict);
      project.write('strict.html', scriptPage('strict.js'));
      expect((await printedBy('strict/strict.html', 1))[0]).toMatch(LABELS);
    });

    it('curvad/js with a WebAssembly file of its own, under the policy', async () => {
      project.write('hosted.js', hosted);
      project.write('hosted.html', scriptPage('hosted.js'));
      const [labels, backend] = await printedBy('policy/hosted.html', 2);
      expect(labels).toMatch(LABELS);
      expect(backend).toBe('"wasm-simd"');
    });

    it('threads, under the policy: with the headers they share memory, without them they get copies', async () => {
      project.write('threads.js', threads.replace("'curvad'", "'./node_modules/curvad/dist/index.js'"));
      project.write('threads.html', scriptPage('threads.js'));
      expect(await printedBy('isolated/threads.html', 1)).toEqual([
        '{"mode":"shared","threads":2,"search":"tree","storage":"double"}',
      ]);
      expect(await printedBy('policy/threads.html', 1)).toEqual([
        '{"mode":"copied","threads":2,"search":"tree","storage":"double"}',
      ]);
    });
  });
}

it('there is a test for every snippet', () => {
  expect([...SNIPPETS.keys()].sort()).toEqual([...taken].sort());
  expect(PAGE.match(/^ *(```|~~~)/gm)).toHaveLength(2 * SNIPPETS.size); // none without a name, no name twice
});
