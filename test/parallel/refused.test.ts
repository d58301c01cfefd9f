// Where a page's policy refuses workers, that is found out once; a worker that dies is replaced all the same.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Curvad from '../../src/index.js';
import { Random } from '../support/data.js';

const ROWS = new Random(91).rows(6000, 12);

/** A web worker whose life the test decides. */
class FakeWorker {
  static made: FakeWorker[] = [];
  static begin: (worker: FakeWorker) => void = () => {};
  onmessage: (event: { data: unknown }) => void = () => {};
  onerror: (event: Partial<ErrorEvent>) => void = () => {};

  constructor() {
    FakeWorker.made.push(this);
    FakeWorker.begin(this);
  }

  fail(message?: string): void {
    this.onerror({ preventDefault() {}, ...(message !== undefined && { message }) });
  }

  postMessage(): void {
    this.fail();
  }

  terminate(): void {}
}

let curvad: typeof Curvad;

beforeEach(async () => {
  FakeWorker.made = [];
  vi.stubGlobal('Worker', FakeWorker);
  vi.resetModules(); // a page that was just opened
  curvad = await import('../../src/index.js');
});
afterEach(() => vi.unstubAllGlobals());

describe('workers that a policy refuses', () => {
  it.each([
    [
      'at once',
      () => {
        throw new DOMException('refused', 'SecurityError');
      },
    ],
    ['a little later', (worker: FakeWorker) => void setTimeout(() => worker.fail(), 5)],
  ])('%s are asked for once, and all calls are done without', async (_, begin) => {
    FakeWorker.begin = begin;
    const cad = new curvad.CAD();
    const [fitted] = await Promise.all([cad.fitAsync(ROWS, { threads: 4 }), new curvad.LOF().fitAsync(ROWS)]);
    expect(fitted.execution).toMatchObject({ mode: 'sliced', threads: 0 });
    expect(cad.scores).toEqual(new curvad.CAD().fit(ROWS).scores);
    await cad.scoreAsync(ROWS, { threads: 4 });
    await new curvad.KNN().fitAsync(ROWS, { threads: 4 });
    expect(FakeWorker.made).toHaveLength(1);
  });
});

describe('workers', () => {
  it('that die are replaced by the next call', async () => {
    FakeWorker.begin = (worker) => void setTimeout(() => worker.onmessage({ data: { id: 0 } }), 5);
    const cad = new curvad.CAD();
    await expect(cad.fitAsync(ROWS, { threads: 2 })).rejects.toMatchObject({ code: 'THREAD_FAILED' });
    expect(FakeWorker.made).toHaveLength(2);
    await expect(cad.fitAsync(ROWS, { threads: 2 })).rejects.toMatchObject({ code: 'THREAD_FAILED' });
    expect(FakeWorker.made).toHaveLength(4);
  });

  it('whose program is at fault are asked for again', async () => {
    FakeWorker.begin = (worker) => void setTimeout(() => worker.fail('SyntaxError'), 5);
    const cad = await new curvad.CAD().fitAsync(ROWS, { threads: 1 });
    expect(cad.execution).toMatchObject({ mode: 'sliced', threads: 0 });
    const before = FakeWorker.made.length;
    await cad.scoreAsync(ROWS, { threads: 1 });
    expect(FakeWorker.made.length).toBeGreaterThan(before);
  });
});
