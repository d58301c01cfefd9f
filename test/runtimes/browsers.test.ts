// The packed package in real browsers: loaded by a page without a bundler, and bundled by Vite, webpack and
// esbuild; with shared memory, without it, and under a policy that refuses WebAssembly and workers.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AnyBrowser,
  CHROMIUM,
  FIREFOX,
  ISOLATED,
  inPage,
  launchChromium,
  launchFirefox,
  type PageServer,
  servePages,
} from './pages.js';
import {
  describeRuntime,
  expectConformance,
  packedProject,
  type Report,
  RUNTIMES,
  reportHere,
  run,
} from './support.js';

const STRICT = { 'content-security-policy': "default-src 'self'; script-src 'self'" };

const PROGRAM = `import * as curvad from 'curvad';
import { conform } from './conformance.js';
globalThis.conform = (models) => conform(curvad, models);`;
/** What the page's policy refused, by directive. */
const COUNTING = `globalThis.refused = [];
document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective));`;
const UNBUNDLED = PROGRAM.replace("'curvad'", "'./node_modules/curvad/dist/index.js'");
const page = (script: string) => `<!doctype html><title>curvad</title><script type="module" src="${script}"></script>`;

const project = packedProject();
let here: Report;
let server: PageServer;

beforeAll(async () => {
  here = await reportHere();
  project.write('unbundled.js', UNBUNDLED);
  project.write('unbundled.html', page('./unbundled.js'));
  project.write('counting.js', COUNTING);
  project.write('strict.html', `<script src="./counting.js"></script>${page('./unbundled.js')}`);
  project.write('main.js', PROGRAM);
  project.write('index.html', page('./main.js'));
  project.write('esbuild.html', page('./esbuilt/main.js'));
  project.write('webpack.html', page('./webpacked/main.js'));
  server = await servePages(project.path, { isolated: ISOLATED, plain: {}, strict: STRICT });
});

afterAll(() => server?.close());

type Conforming = typeof globalThis & { conform(models: object): Promise<Report> };

async function reportOf(browser: AnyBrowser, path: string): Promise<Report> {
  return inPage(
    browser,
    `${server.origin}/${path}`,
    () => 'conform' in globalThis,
    (models) => (globalThis as Conforming).conform(models),
    here.models,
  );
}

for (const { name, binary, launch } of [
  { name: 'Chromium', binary: CHROMIUM, launch: launchChromium },
  { name: 'Firefox', binary: FIREFOX, launch: launchFirefox },
]) {
  describeRuntime(name, binary, (executablePath) => {
    let browser: AnyBrowser;
    beforeAll(async () => {
      browser = await launch(executablePath);
    });
    afterAll(() => browser?.close());

    it('a page without a bundler conforms, on threads that share memory where it is isolated', async () => {
      const report = await reportOf(browser, 'isolated/unbundled.html');
      expectConformance(report, here);
      expect(report.backend).toBe('wasm-simd');
      expect(report.execution).toMatchObject({ mode: 'shared', threads: 2 });
    });

    it('a page that is not isolated sends its threads copies', async () => {
      const report = await reportOf(browser, 'plain/unbundled.html');
      expectConformance(report, here);
      expect(report.execution).toMatchObject({ mode: 'copied', threads: 2 });
    });

    it('a strict policy leaves plain TypeScript, in slices, with the same bits', async () => {
      const report = await reportOf(browser, 'strict/unbundled.html');
      expectConformance(report, here);
      expect(report.backend).toBe('js');
      expect(report.execution).toMatchObject({ mode: 'sliced', threads: 0 });
    });

    it('a strict policy refuses one worker, and no call asks for another', async () => {
      const refused = await inPage(
        browser,
        `${server.origin}/strict/strict.html`,
        () => 'conform' in globalThis,
        async (models) => {
          for (let calls = 0; calls < 2; calls++) await (globalThis as Conforming).conform(models);
          return (globalThis as typeof globalThis & { refused: string[] }).refused;
        },
        {},
      );
      expect(refused.filter((directive) => directive === 'worker-src')).toHaveLength(1);
    });
  });
}

describeRuntime('Chromium', CHROMIUM, (executablePath) => {
  let browser: AnyBrowser;
  beforeAll(async () => {
    browser = await launchChromium(executablePath);
  });
  afterAll(() => browser?.close());

  /** A test with a bundler, which may be missing outside CI like a runtime. */
  function withBundler(name: string, command: string, test: (bundler: string) => Promise<void>): void {
    describeRuntime(`a page bundled by ${name}`, join(RUNTIMES, '.bin', command), (bundler) => {
      it('conforms, without configuration', () => test(bundler));
    });
  }

  withBundler('Vite', 'vite', async (vite) => {
    run(vite, ['build', '--base=./', '--outDir=vite', '--logLevel=warn'], project.path);
    const report = await reportOf(browser, 'isolated/vite/index.html');
    expectConformance(report, here);
    expect(report.execution).toMatchObject({ mode: 'shared', threads: 2 });
  });

  withBundler('esbuild', 'esbuild', async (esbuild) => {
    const options = ['--bundle', '--minify', '--format=esm', '--outdir=esbuilt', '--log-level=warning'];
    run(esbuild, ['main.js', ...options], project.path);
    const report = await reportOf(browser, 'plain/esbuild.html');
    expectConformance(report, here);
    expect(report.execution).toMatchObject({ mode: 'copied', threads: 2 });
  });

  withBundler('webpack', 'webpack-cli', async (webpack) => {
    const options = ['--entry=./main.js', '--mode=production', '--output-path=webpacked'];
    run(webpack, options, project.path);
    const report = await reportOf(browser, 'isolated/webpack.html');
    expectConformance(report, here);
    expect(report.execution).toMatchObject({ mode: 'shared', threads: 2 });
  });
});
