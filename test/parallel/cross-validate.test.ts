// Asynchronous cross-validation: the values of the synchronous one, progress over all folds, and detectors that
// are disposed of whatever happens.
import { describe, expect, it } from 'vitest';
import {
  type AsyncOptions,
  CAD,
  type CrossValidation,
  crossValidate,
  crossValidateAsync,
  type FittableDetector,
  stopThreads,
} from '../../src/index.js';
import { Random } from '../support/data.js';
import { DETECTORS } from '../support/detectors.js';
import { ABOUT_TIME } from '../support/timing.js';
import { BAD_OPTIONS, expectAborted, expectRisingProgress, outcome } from './support.js';

const random = new Random(71);
const LABELS = Array.from({ length: 4500 }, (_, i) => (i % 25 === 0 ? 1 : 0));
const ROWS = LABELS.map((label) => Array.from({ length: 20 }, () => random.gaussian() * (1 + 2 * label)));
const FOLDS = { folds: 3, seed: 4 };

/** All but the seconds. */
function valuesOf({ folds, metrics, missing }: CrossValidation): unknown {
  return { folds, metrics, missing };
}

/** A detector that has nothing asynchronous. */
class Norm implements FittableDetector {
  scores: Float64Array = new Float64Array(0);
  isDisposed = false;
  fit(rows: Parameters<FittableDetector['fit']>[0]): void {
    this.scores = this.score(rows);
  }
  score({ data, rows, columns }: Parameters<FittableDetector['fit']>[0]): Float64Array {
    return Float64Array.from({ length: rows }, (_, i) => Math.hypot(...data.subarray(i * columns, (i + 1) * columns)));
  }
  dispose(): void {
    this.isDisposed = true;
  }
}

describe.each([0, 1, 2])('asynchronous cross-validation with %i threads', (threads) => {
  it('gives what the synchronous one gives, and tells how it was run', async () => {
    const options = { ...FOLDS, metrics: ['rocAuc', 'averagePrecision'] as const };
    const found = await crossValidateAsync(() => new CAD(), ROWS, LABELS, options, { threads });
    expect(valuesOf(found)).toEqual(valuesOf(crossValidate(() => new CAD(), ROWS, LABELS, options)));
    expect(found.execution.mode).toBe(threads === 0 ? 'sliced' : 'shared');
    expect(found.execution.threads).toBeLessThanOrEqual(threads);
    expect(found.fitSeconds.values.every((value) => value > 0)).toBe(true);
    expect(found.scoreSeconds.values.every((value) => value > 0)).toBe(true);
  });

  it('has progress that rises to 1 over all folds', async () => {
    const folds = new Set<number>();
    const make = (fold: number) => {
      folds.add(fold);
      return new CAD();
    };
    await expectRisingProgress((more) => crossValidateAsync(make, ROWS, LABELS, FOLDS, { threads, ...more }));
    expect([...folds]).toEqual([0, 1, 2]);
  });

  it.each([0.02, 0.25, 0.5, 0.95])(
    'aborted at %d rejects in time and disposes of its detectors',
    ABOUT_TIME,
    async (when) => {
      const made: CAD[] = [];
      const make = () => {
        made.push(new CAD());
        return made.at(-1) as CAD;
      };
      const call = (options: AsyncOptions) => crossValidateAsync(make, ROWS, LABELS, FOLDS, options);
      await expectAborted(call, { threads }, ({ done }) => done >= when);
      expect(made.length).toBe(Math.min(3, Math.floor(when * 3) + 1));
      for (const cad of made) expect(() => cad.fit(ROWS)).toThrow(/disposed/);
    },
  );
});

describe('asynchronous cross-validation', () => {
  it.each(DETECTORS)('gives what the synchronous one gives: $name', async ({ make }) => {
    const [rows, labels] = [ROWS.slice(0, 600), LABELS.slice(0, 600)];
    const found = await crossValidateAsync(() => make(), rows, labels, FOLDS, { threads: 1 });
    expect(valuesOf(found)).toEqual(valuesOf(crossValidate(() => make(), rows, labels, FOLDS)));
  });

  it('takes detectors that have nothing asynchronous', async () => {
    const made: Norm[] = [];
    const make = () => {
      made.push(new Norm());
      return made.at(-1) as Norm;
    };
    const last = await expectRisingProgress((more) => crossValidateAsync(make, ROWS, LABELS, FOLDS, more));
    expect(last.threads).toBe(0);
    expect(made.map(({ isDisposed }) => isDisposed)).toEqual([true, true, true]);
    const found = await crossValidateAsync(make, ROWS, LABELS, FOLDS);
    expect(valuesOf(found)).toEqual(valuesOf(crossValidate(make, ROWS, LABELS, FOLDS)));
  });

  it('of detectors that have nothing asynchronous is aborted in time', ABOUT_TIME, async () => {
    await expectAborted(
      (options) => crossValidateAsync(() => new Norm(), ROWS, LABELS, FOLDS, options),
      {},
      ({ done }) => done > 0.3,
    );
  });

  it.each(BAD_OPTIONS)('refuses %o', async (options, code) => {
    expect(await outcome(crossValidateAsync(() => new CAD(), ROWS, LABELS, FOLDS, options))).toBe(code);
  });

  it('refuses what the synchronous one refuses', async () => {
    const make = () => new CAD();
    expect(await outcome(crossValidateAsync(3 as never, ROWS, LABELS))).toBe('DETECTOR_INVALID');
    expect(await outcome(crossValidateAsync((() => ({})) as never, ROWS, LABELS))).toBe('DETECTOR_INVALID');
    expect(await outcome(crossValidateAsync(make, ROWS, LABELS.slice(1)))).toBe('LENGTHS_DIFFER');
    expect(await outcome(crossValidateAsync(make, ROWS, LABELS, { fold: 3 } as never))).toBe('UNKNOWN_OPTION');
    expect(await outcome(crossValidateAsync(make, ROWS, LABELS, {}, { signal: AbortSignal.abort() }))).toBe(
      'AbortError',
    );
  });

  it('rejects when a thread dies, and disposes of the detector', async () => {
    const cad = new CAD();
    const options = { threads: 2, onProgress: () => stopThreads() };
    expect(await outcome(crossValidateAsync(() => cad, ROWS, LABELS, FOLDS, options))).toBe('THREAD_FAILED');
    expect(() => cad.fit(ROWS)).toThrow(/disposed/);
  });
});
