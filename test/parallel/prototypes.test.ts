// Asynchronous calls of the prototype selectors: the results of their synchronous twins however they are run,
// progress, abort, and threads that die.
import { describe, expect, it } from 'vitest';
import {
  type AsyncOptions,
  DROP3,
  ENN,
  InverseCAD,
  IRMD,
  type PrototypeSelector,
  PSA,
  SDM,
  ShellExtraction,
  SOS,
  stopThreads,
} from '../../src/index.js';
import { BACKENDS, Random } from '../support/data.js';
import { ABOUT_TIME } from '../support/timing.js';
import { BAD_OPTIONS, expectAborted, expectRisingProgress, outcome } from './support.js';

const random = new Random(41);
const LABELS = Array.from({ length: 3000 }, (_, i) => (i % 9 === 0 ? 'b' : 'a'));
/** Enough work for several threads. */
const ROWS = random.rows(3000, 26).map((row, i) => Array.from(row, (value) => value + (LABELS[i] === 'b' ? 1 : 0)));
const TARGETS = { targets: ROWS.slice(0, 400).map((row) => (row[0] as number) * 2 + random.gaussian()) };

const RANKING: Array<[string, () => PrototypeSelector]> = [
  ['InverseCAD', () => new InverseCAD()],
  ['kernel InverseCAD', () => new InverseCAD({ kernel: 'rbf', neighbors: 4 })],
  ['IRMD', () => new IRMD()],
  ['PSA', () => new PSA({ seed: 3 })],
  ['SOS', () => new SOS()],
  ['ShellExtraction', () => new ShellExtraction()],
  ['SDM', () => new SDM()],
];
const RETAINING: Array<[string, () => PrototypeSelector]> = [
  ['InverseCAD', () => new InverseCAD()],
  ['ENN', () => new ENN()],
  ['DROP3', () => new DROP3()],
];
const SEARCHING = new Set(['InverseCAD', 'kernel InverseCAD', 'ENN', 'DROP3']);

describe.each(RANKING)('%s ranks asynchronously', (name, make) => {
  const expected = make().rank(ROWS, LABELS);

  it.each([0, 1, 2])('with %i threads as without', async (threads) => {
    const selector = make();
    expect(selector.execution).toBeUndefined();
    expect(await selector.rankAsync(ROWS, LABELS, { threads })).toEqual(expected);
    const isShared = threads > 0 && SEARCHING.has(name);
    if (isShared) expect(selector.execution).toEqual({ mode: 'shared', threads: expect.any(Number) });
    else expect(selector.execution).toEqual({ mode: expect.stringMatching(/sliced|direct/), threads: 0 });
    expect(selector.execution?.threads).toBeLessThanOrEqual(threads);
  });

  it('without labels and with targets as synchronously', async () => {
    const rows = ROWS.slice(0, 400);
    expect(await make().rankAsync(rows)).toEqual(make().rank(rows));
    expect(await make().rankAsync(rows, TARGETS, { threads: 1 })).toEqual(make().rank(rows, TARGETS));
  });

  it('and selects as synchronously', async () => {
    const few = ROWS.slice(0, 300);
    const labels = LABELS.slice(0, 300);
    expect(await make().selectAsync(few, labels, { keep: 0.2 }, { threads: 1 })).toEqual(
      make().select(few, labels, { keep: 0.2 }),
    );
    expect(await make().selectAsync(few, { count: 7 }, { threads: 0 })).toEqual(make().select(few, { count: 7 }));
    expect(await make().selectAsync(few, undefined, { count: 7 })).toEqual(make().select(few, { count: 7 }));
  });

  it.each([0, 2])('with %i threads and progress that rises to 1', async (threads) => {
    const selector = make();
    const last = await expectRisingProgress((more) => selector.rankAsync(ROWS, LABELS, { threads, ...more }));
    expect({ mode: last.mode, threads: last.threads }).toEqual(selector.execution);
  });

  it('refusing what the synchronous call refuses', async () => {
    const selector = make();
    expect(await outcome(selector.rankAsync([[1, Number.NaN]]))).toBe('NAN_VALUE');
    expect(await outcome(selector.rankAsync(ROWS, LABELS.slice(1)))).toBe('LENGTHS_DIFFER');
    expect(await outcome(selector.selectAsync(ROWS, LABELS, { keep: 2 }))).toBe('KEEP_INVALID');
    expect(await outcome(selector.selectAsync(ROWS, { labels: LABELS } as never, { keep: 0.2 }, {}))).toBe(
      'INPUT_TYPE',
    );
    expect(selector.execution).toBeUndefined();
  });
});

describe.each(RETAINING)('%s retains asynchronously', (_, make) => {
  const [rows, labels] = [ROWS, LABELS];
  const expected = make().retain(rows, labels);

  it.each([0, 1, 2])('with %i threads as without', async (threads) => {
    const selector = make();
    expect(await selector.retainAsync(rows, labels, { threads })).toEqual(expected);
    expect(selector.execution?.mode).toBe(threads === 0 ? 'sliced' : 'shared');
  });

  it.each([0, 2])('with %i threads and progress that rises to 1', async (threads) => {
    await expectRisingProgress((more) => make().retainAsync(rows, labels, { threads, ...more }));
  });

  it.each([
    [0, 0.05],
    [0, 0.6],
    [2, 0.05],
    [2, 0.6],
  ])('with %i threads, aborted at %d, in time, and works again', ABOUT_TIME, async (threads, when) => {
    const selector = make();
    const call = (options: AsyncOptions) => selector.retainAsync(rows, labels, options);
    const wasAborted = await expectAborted(call, { threads }, ({ done }) => done >= when);
    expect(selector.execution === undefined).toBe(wasAborted);
    expect(await call({ threads })).toEqual(expected);
  });

  it('and rejects when a thread dies', async () => {
    const selector = make();
    const onProgress = () => stopThreads();
    expect(await outcome(selector.retainAsync(rows, labels, { threads: 2, onProgress }))).toBe('THREAD_FAILED');
    expect(await selector.retainAsync(rows, labels, { threads: 2 })).toEqual(expected);
  });
});

describe('asynchronous calls of selectors', () => {
  it.each(BACKENDS)('give the same on %s', async (backend) => {
    const [rows, labels] = [ROWS.slice(0, 900), LABELS.slice(0, 900)];
    for (const selector of [new ENN({ backend }), new DROP3({ backend }), new InverseCAD({ backend })]) {
      expect(await selector.retainAsync(rows, labels, { threads: 2 })).toEqual(selector.retain(rows, labels));
    }
  });

  it('give the same where lists of neighbours run out', async () => {
    const [rows, labels] = [ROWS.slice(0, 500).map((row) => row.slice(0, 2)), LABELS.slice(0, 500)];
    const selector = new DROP3({ neighbors: 40 });
    expect(await selector.retainAsync(rows, labels, { threads: 0 })).toEqual(selector.retain(rows, labels));
  });

  it.each(BAD_OPTIONS)('refuse %o', async (options, code) => {
    expect(await outcome(new SDM().rankAsync(ROWS, undefined, options))).toBe(code);
    expect(await outcome(new SDM().selectAsync(ROWS, { keep: 0.2 }, options))).toBe(code);
    expect(await outcome(new ENN().retainAsync(ROWS, LABELS, options))).toBe(code);
  });

  it('say what a selector cannot do', async () => {
    expect(await outcome(new ENN().rankAsync(ROWS, LABELS))).toBe('CANNOT_RANK');
    expect(await outcome(new SDM().retainAsync(ROWS, LABELS))).toBe('CANNOT_RETAIN');
  });

  it('reject when they were aborted before they began', async () => {
    const signal = AbortSignal.abort();
    expect(await outcome(new SDM().rankAsync(ROWS, LABELS, { signal }))).toBe('AbortError');
  });

  it.each([
    ['IRMD', new IRMD(), 20_000],
    ['PSA', new PSA(), 20_000],
    ['SDM', new SDM(), 80_000],
    ['ShellExtraction', new ShellExtraction(), 40_000],
  ] as const)('let the event loop go on: %s', ABOUT_TIME, async (_, selector, rows) => {
    const data = new Float64Array(rows * 64).map(() => random.gaussian());
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await selector.rankAsync({ data, rows, columns: 64 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });
});
