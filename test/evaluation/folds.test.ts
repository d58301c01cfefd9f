// Folds: in blocks they are scikit-learn's (test/fixtures/make_evaluation.py); shuffled, they have to part
// the rows, evenly, and the same way for the same seed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KFoldOptions, kFold } from '../../src/index.js';
import { fixture } from '../support/data.js';
import { type BadCall, expectRefusal } from './refusal.js';

interface Folds {
  folds: Array<{ rows: number; folds: number; stratify?: number[]; tests: number[][] }>;
}

const cases = fixture<Folds>('evaluation').folds;
const range = (end: number): number[] => Array.from({ length: end }, (_, i) => i);
const testsOf = (rows: number, options: KFoldOptions): number[][] =>
  kFold(rows, options).map(({ test }) => Array.from(test));

/** Sizes that differ by at most one. */
function expectEven(sizes: readonly number[]): void {
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
}

describe('folds in blocks', () => {
  it.each(cases.filter(({ stratify }) => !stratify))("are scikit-learn's: $folds of $rows rows", (truth) => {
    expect(testsOf(truth.rows, { folds: truth.folds, shuffle: false })).toEqual(truth.tests);
  });

  it.each(cases.filter(({ stratify }) => stratify))("are scikit-learn's: $folds of $rows rows, stratified", (truth) => {
    const { rows, folds, stratify = [], tests } = truth;
    expect(testsOf(rows, { folds, shuffle: false, stratify })).toEqual(tests);
  });
});

const calls = fc
  .record({
    classes: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 80 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    shuffle: fc.boolean(),
    isStratified: fc.boolean(),
  })
  .map(({ classes, share, seed, shuffle, isStratified }) => {
    const rows = classes.length;
    const folds = 2 + Math.round(share * (rows - 2));
    const options: KFoldOptions = { folds, seed, shuffle, ...(isStratified ? { stratify: classes } : {}) };
    return { rows, folds, classes, options };
  });

describe('all folds', () => {
  it('part the rows: each is tested once and trained on otherwise, in ascending order', () => {
    fc.assert(
      fc.property(calls, ({ rows, folds, options }) => {
        const parts = kFold(rows, options);
        expect(parts.length).toBe(folds);
        expect(parts.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual(range(rows));
        for (const { train, test } of parts) {
          const tested = new Set(test);
          expect([...test]).toEqual([...tested].sort((a, b) => a - b));
          expect([...train]).toEqual(range(rows).filter((row) => !tested.has(row)));
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('have one row more if they are among the first rows mod folds', () => {
    fc.assert(
      fc.property(calls, ({ rows, folds, options }) => {
        const sizes = range(folds).map((fold) => Math.floor(rows / folds) + (fold < rows % folds ? 1 : 0));
        expect(testsOf(rows, options).map((test) => test.length)).toEqual(sizes);
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it('have the same number of rows of each class, to one row, if stratified', () => {
    fc.assert(
      fc.property(calls, ({ rows, classes, options }) => {
        const tests = testsOf(rows, { ...options, stratify: classes });
        for (const name of new Set(classes)) {
          expectEven(tests.map((test) => test.filter((row) => classes[row] === name).length));
        }
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it('are the same for the same seed', () => {
    fc.assert(
      fc.property(calls, ({ rows, options }) => {
        expect(kFold(rows, options)).toEqual(kFold(rows, options));
      }),
      { seed: 4, numRuns: 100 },
    );
  });
});

describe('shuffled folds', () => {
  it('differ from seed to seed, and from blocks', () => {
    const kinds = [{ seed: 0 }, { seed: 1 }, { seed: 2 ** 32 - 1 }, { shuffle: false }];
    expect(new Set(kinds.map((options) => JSON.stringify(testsOf(50, options)))).size).toBe(4);
  });

  it('put each row into each fold about equally often', () => {
    const [rows, folds, runs] = [7, 3, 3000];
    const counts = range(rows).map(() => range(folds).map(() => 0));
    for (const seed of range(runs)) {
      testsOf(rows, { folds, seed }).forEach((test, fold) => {
        for (const row of test) (counts[row] as number[])[fold] = ((counts[row] as number[])[fold] as number) + 1;
      });
    }
    for (const ofRow of counts) {
      ofRow.forEach((count, fold) => {
        const share = (fold === 0 ? 3 : 2) / rows;
        // Five standard deviations of a binomial count.
        expect(Math.abs(count - runs * share)).toBeLessThan(5 * Math.sqrt(runs * share * (1 - share)));
      });
    }
  });

  it('are ten, of seed 0, unless told otherwise', () => {
    expect(kFold(25)).toEqual(kFold(25, { folds: 10, seed: 0, shuffle: true }));
    expect(kFold(25).length).toBe(10);
  });

  it('may be stratified by booleans or typed arrays', () => {
    const classes = range(30).map((row) => row % 3 === 0);
    const options = { folds: 4, stratify: classes };
    expect(kFold(30, { ...options, stratify: Uint8Array.from(classes, Number) })).toEqual(kFold(30, options));
  });
});

const call = (rows: unknown, options?: unknown) => () => void kFold(rows as number, options as KFoldOptions);
const ROWS = /^rows must be a whole number from 2 to 4294967295, got /;
const FOLDS = /^folds must be a whole number from 2 to the number of rows, 20, got /;
const SEED = /^seed must be a whole number from 0 to 4294967295, got /;

// biome-ignore format: a table
const REFUSED: BadCall[] = [
  ...[undefined, null, '20', 0, 1, -3, 2.5, Number.NaN, Infinity, 2 ** 32, [[1], [2]]].map(
    (rows): BadCall => ({ name: `rows ${JSON.stringify(rows)}`, act: call(rows), code: 'ROWS_INVALID', message: ROWS })),
  ...[null, '5', 0, 1, -2, 2.5, 21, Number.NaN, Infinity].map(
    (folds): BadCall => ({ name: `folds ${folds}`, act: call(20, { folds }), code: 'FOLDS_INVALID', message: FOLDS })),
  ...[null, '5', -1, 0.5, 2 ** 32, Number.NaN].map(
    (seed): BadCall => ({ name: `seed ${seed}`, act: call(20, { seed }), code: 'SEED_INVALID', message: SEED })),
  { name: 'fewer rows than the ten folds of the default', act: call(9), code: 'FOLDS_INVALID', message: /the number of rows, 9, got 10/ },
  { name: 'shuffle 1', act: call(20, { shuffle: 1 }), code: 'SHUFFLE_INVALID', message: /^shuffle must be true or false, got 1/ },
  { name: 'options null', act: call(20, null), code: 'OPTIONS_TYPE', message: /options of kFold must be an object, got null/ },
  { name: 'options a number', act: call(20, 5), code: 'OPTIONS_TYPE', message: /options of kFold must be an object, got 5/ },
  { name: 'an unknown option', act: call(20, { splits: 5 }), code: 'UNKNOWN_OPTION', message: /kFold has no option "splits"; it has folds, seed/ },
  { name: 'stratify true', act: call(20, { stratify: true }), code: 'INPUT_TYPE', message: /^stratify must be an array.*got true/ },
  { name: 'stratify empty', act: call(20, { stratify: [] }), code: 'EMPTY_INPUT', message: /^stratify is empty/ },
  { name: 'stratify too short', act: call(20, { stratify: [0, 1] }), code: 'LENGTHS_DIFFER', message: /^stratify must have one class for each of 20 rows, got 2/ },
  { name: 'stratify with NaN', act: call(3, { folds: 2, stratify: [0, 1, Number.NaN] }), code: 'NAN_VALUE', message: /^stratify\[2\] is NaN/, row: 2 },
  { name: 'stratify with a text', act: call(3, { folds: 2, stratify: [0, 'b', 1] }), code: 'NOT_A_NUMBER', message: /^stratify\[1\].*got "b"/, row: 1 },
];

describe('a wrong call', () => {
  it.each(REFUSED)('is refused with its code and place: $name', expectRefusal);
});
