// Asynchronous calls: the same bits as the synchronous ones however they are run, progress, abort, threads
// that die, and a detector that is as it was when something went wrong.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CAD, type CADOptions, CurvadError, type Progress, stopThreads } from '../../src/index.js';
import { BACKENDS, Random } from '../support/data.js';
import { ABOUT_TIME } from '../support/timing.js';

const random = new Random(21);
/** Enough work for several threads. */
const MANY = random.rows(6000, 12);
const FEW = random.rows(60, 4);

/** How an aborted or failed call ended. */
async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: unknown) => (error instanceof CurvadError ? error.code : (error as Error).name),
  );
}

/** A detector whose threads run something else. */
class Misled extends CAD {
  constructor(source: string) {
    super();
    Object.defineProperty(this, 'threadSource', { value: async () => ({ source }) });
  }
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('an asynchronous fit', () => {
  const expected = new CAD().fit(MANY);

  it.each([0, 1, 2, 3, 7])('with %i threads gives the bits of the synchronous one', async (threads) => {
    const cad = await new CAD().fitAsync(MANY, { threads });
    expect(cad.scores).toEqual(expected.scores);
    expect(cad.threshold).toBe(expected.threshold);
    expect(cad.labels).toEqual(expected.labels);
    expect(cad.score(FEW.map((row) => [...row, ...row, ...row]))).toEqual(
      expected.score(FEW.map((row) => [...row, ...row, ...row])),
    );
    expect(cad.execution?.mode).toBe(threads === 0 ? 'sliced' : 'shared');
    expect(cad.execution?.threads).toBeLessThanOrEqual(threads);
  });

  it.each(BACKENDS)('on %s gives the bits of the synchronous one', async (backend) => {
    const rows = backend === 'js' ? MANY.slice(0, 1200) : MANY;
    const options: CADOptions = { backend, kernel: 'rbf', neighbors: 5 };
    const cad = await new CAD(options).fitAsync(rows, { threads: 2 });
    expect(cad.execution?.threads).toBe(2);
    expect(cad.scores).toEqual(new CAD(options).fit(rows).scores);
  });

  it.each([
    { kernel: 'polynomial' },
    { standardize: true },
    { precision: 'double' },
    { contamination: 0.1 },
    { orientation: 'lower' },
  ] as CADOptions[])('keeps its options: %o', async (options) => {
    const cad = await new CAD(options).fitAsync(MANY.slice(0, 3000), { threads: 2 });
    const sync = new CAD(options).fit(MANY.slice(0, 3000));
    expect(cad.scores).toEqual(sync.scores);
    expect(cad.threshold).toBe(sync.threshold);
  });

  it('sends copies where memory cannot be shared, with the same bits', async () => {
    vi.stubGlobal('crossOriginIsolated', false);
    const cad = await new CAD().fitAsync(MANY, { threads: 2 });
    expect(cad.execution).toMatchObject({ mode: 'copied', threads: 2 });
    expect(cad.scores).toEqual(expected.scores);
    expect(await cad.scoreAsync(MANY, { threads: 2 })).toEqual(expected.score(MANY));
  });

  it('does a little work at once, without threads', async () => {
    const cad = await new CAD().fitAsync(FEW);
    expect(cad.execution).toMatchObject({ mode: 'direct', threads: 0 });
    expect(cad.scores).toEqual(new CAD().fit(FEW).scores);
  });

  it('works in slices where there are no threads', async () => {
    stopThreads();
    vi.stubGlobal('process', { ...process, getBuiltinModule: undefined });
    const cad = await new CAD().fitAsync(MANY, { threads: 2 });
    expect(cad.execution).toMatchObject({ mode: 'sliced', threads: 0 });
    expect(cad.scores).toEqual(expected.scores);
  });

  it('lets the event loop go on', ABOUT_TIME, async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await new CAD().fitAsync(random.rows(15_000, 12), { threads: 0 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('refuses what the synchronous one refuses', async () => {
    expect(await outcome(new CAD().fitAsync([[1, Number.NaN]]))).toBe('NAN_VALUE');
    expect(await outcome(new CAD().fitAsync(FEW.slice(0, 5)))).toBe('TOO_FEW_ROWS');
  });

  it.each([
    [{ threads: -1 }, 'THREADS_INVALID'],
    [{ threads: 1.5 }, 'THREADS_INVALID'],
    [{ onProgress: 3 }, 'PROGRESS_INVALID'],
    [{ signal: {} }, 'SIGNAL_INVALID'],
    [{ thread: 1 }, 'UNKNOWN_OPTION'],
  ])('refuses %o', async (options, code) => {
    expect(await outcome(new CAD().fitAsync(FEW, options as object))).toBe(code);
    expect(await outcome(new CAD().fit(FEW).scoreAsync(FEW, options as object))).toBe(code);
  });
});

describe('asynchronous scoring', () => {
  const cad = new CAD().fit(MANY);
  const rows = random.rows(5000, 12, () => 2 * random.gaussian());

  it.each([0, 1, 2, 5])('with %i threads gives the bits of the synchronous one', async (threads) => {
    expect(await cad.scoreAsync(rows, { threads })).toEqual(cad.score(rows));
    expect(await cad.predictAsync(rows, { threads })).toEqual(cad.predict(rows));
  });

  it('follows a detector that is fitted again', async () => {
    const changing = new CAD().fit(MANY.slice(0, 4000));
    await changing.scoreAsync(rows, { threads: 2 });
    changing.fit(MANY.slice(2000));
    expect(await changing.scoreAsync(rows, { threads: 2 })).toEqual(changing.score(rows));
  });

  it('keeps many models apart', async () => {
    const models = Array.from({ length: 7 }, (_, i) => new CAD({ neighbors: 3 + i }).fit(MANY.slice(0, 3000)));
    for (const _ of [1, 2]) {
      const all = await Promise.all(models.map((model) => model.scoreAsync(rows, { threads: 2 })));
      for (const [i, model] of models.entries()) expect(all[i]).toEqual(model.score(rows));
    }
  });

  it('names the row of the whole call that is too large', async () => {
    const bad = rows.map((row) => Array.from(row));
    (bad[4321] as number[])[3] = 1e200;
    for (const threads of [0, 2]) {
      await expect(cad.scoreAsync(bad, { threads })).rejects.toMatchObject({ code: 'VALUE_TOO_LARGE' });
    }
  });
});

describe('progress', () => {
  it.each([0, 2])('with %i threads rises to 1 and tells how it is run', async (threads) => {
    const seen: Progress[] = [];
    await new CAD().fitAsync(MANY, { threads, onProgress: (progress) => seen.push(progress) });
    expect(seen.length).toBeGreaterThan(3);
    const done = seen.map((progress) => progress.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(1);
    expect(seen.at(-1)?.mode).toBe(threads === 0 ? 'sliced' : 'shared');
  });

  it('that throws rejects the call and leaves the detector as it was', async () => {
    const cad = new CAD().fit(FEW);
    const { scores } = cad;
    const onProgress = () => {
      throw new RangeError('mine');
    };
    expect(await outcome(cad.fitAsync(MANY, { threads: 2, onProgress }))).toBe('RangeError');
    expect(cad.scores).toBe(scores);
  });
});

describe('an aborted call', () => {
  it.each([0, 2])(
    'with %i threads rejects within 50 ms and leaves the detector as it was',
    ABOUT_TIME,
    async (threads) => {
      const cad = new CAD().fit(FEW);
      const { scores } = cad;
      const rows = new Random(3).rows(16_000, 16);
      const controller = new AbortController();
      const { signal } = controller;
      let abortedAt = 0;
      const onProgress = ({ done }: Progress) => {
        if (done < 0.1 || signal.aborted) return;
        abortedAt = performance.now();
        controller.abort();
      };
      expect(await outcome(cad.fitAsync(rows, { threads, signal, onProgress }))).toBe('AbortError');
      expect(performance.now() - abortedAt).toBeLessThan(50);
      expect(cad.scores).toBe(scores);
      expect(await cad.scoreAsync(FEW)).toEqual(cad.score(FEW));
    },
  );

  it('before it began rejects too', async () => {
    expect(await outcome(new CAD().fitAsync(MANY, { signal: AbortSignal.abort() }))).toBe('AbortError');
    expect(await outcome(new CAD().fit(FEW).scoreAsync(FEW, { signal: AbortSignal.abort() }))).toBe('AbortError');
  });

  it('does not disturb another', async () => {
    const controller = new AbortController();
    const aborted = new CAD().fitAsync(MANY, { threads: 2, signal: controller.signal });
    const other = new CAD().fitAsync(MANY, { threads: 2 });
    setTimeout(() => controller.abort(), 20);
    await outcome(aborted);
    expect((await other).scores).toEqual(new CAD().fit(MANY).scores);
  });
});

describe('a thread', () => {
  it('that dies rejects the call, and the next one works', async () => {
    const cad = new CAD();
    const fit = cad.fitAsync(MANY, { threads: 2, onProgress: ({ done }) => done > 0.2 && stopThreads() });
    expect(await outcome(fit)).toBe('THREAD_FAILED');
    expect(await outcome(cad.fitAsync(MANY, { threads: 2 }))).toBe('done');
  });

  it('that is stopped while it is busy is not killed, which may crash Node, but rests and ends by itself', async () => {
    stopThreads();
    const ends: Array<Promise<number>> = [];
    class Watched extends Worker {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        ends.push(new Promise((resolve) => this.on('exit', resolve)));
      }
    }
    const ours = (name: string): unknown =>
      name === 'node:worker_threads' ? { Worker: Watched } : { availableParallelism: () => 2 };
    vi.stubGlobal('process', { ...process, getBuiltinModule: ours });
    const fit = new CAD().fitAsync(MANY, { threads: 2, onProgress: ({ done }) => done > 0.2 && stopThreads() });
    expect(await outcome(fit)).toBe('THREAD_FAILED');
    const stopped = performance.now();
    expect(await Promise.all(ends)).toEqual([0, 0]);
    expect(performance.now() - stopped, 'milliseconds for V8 to compile what it has begun').toBeGreaterThan(900);
  });

  it('that ends by itself rejects the call', async () => {
    const misled = new Misled(`
      const { parentPort } = require('node:worker_threads');
      parentPort.on('message', () => process.exit(3));
      parentPort.postMessage({ id: 0 });`);
    await expect(misled.fitAsync(MANY, { threads: 2 })).rejects.toMatchObject({
      code: 'THREAD_FAILED',
      message: expect.stringContaining('3'),
    });
  });

  it('that cannot start is done without', async () => {
    const cad = await new Misled('this is not JavaScript').fitAsync(MANY, { threads: 2 });
    expect(cad.execution).toMatchObject({ mode: 'sliced', threads: 0 });
  });
});

describe('a detector that is disposed during a call', () => {
  it('rejects it', async () => {
    const cad = new CAD();
    const fit = cad.fitAsync(MANY, { threads: 2 });
    cad.dispose();
    expect(await outcome(fit)).toBe('DISPOSED');
  });
});

describe('the process', () => {
  const library = pathToFileURL('dist/index.js').href;
  const run = (script: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', `import { CAD } from '${library}'; ${script}`], {
      encoding: 'utf8',
      timeout: 20_000,
    }).trim();
  const rows = 'const rows = Array.from({ length: 8000 }, (_, i) => [Math.sin(i), Math.cos(i * i), Math.sin(i * 7)]);';

  it('waits for a call that is under way, and ends although threads are idle', () => {
    expect(
      run(
        `${rows} const cad = await new CAD({ kernel: 'polynomial' }).fitAsync(rows, { threads: 2 }); console.log(cad.execution.threads);`,
      ),
    ).toBe('2');
  });
});
