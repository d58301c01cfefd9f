// How far two lists agree: scikit-learn's numbers (test/fixtures/make_evaluation.py), and what must hold
// whatever the lists are.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accuracy, adjustedRandIndex, meanAbsoluteError } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import { fixture } from '../support/data.js';
import { type BadCall, expectRefusal } from './refusal.js';

interface Agreements {
  agreements: Array<{
    name: string;
    truth: number[];
    predicted: number[];
    accuracy: number;
    meanAbsoluteError: number;
    adjustedRandIndex: number;
  }>;
  errors: Array<{ truth: number[]; predicted: number[]; meanAbsoluteError: number }>;
}

const { agreements, errors } = fixture<Agreements>('evaluation');

describe("scikit-learn's truth", () => {
  it.each(agreements)('is the accuracy: $name', ({ truth, predicted, accuracy: value }) => {
    expectAllClose([accuracy(truth, predicted)], [value], { mixed: 1e-12 });
  });

  it.each(agreements)('is the mean absolute error: $name', ({ truth, predicted, meanAbsoluteError: value }) => {
    expectAllClose([meanAbsoluteError(truth, predicted)], [value], { mixed: 1e-12 });
  });

  it.each(errors)('is the mean absolute error of numbers: $meanAbsoluteError', (given) => {
    const { truth, predicted, meanAbsoluteError: value } = given;
    const error = Math.abs(meanAbsoluteError(truth, predicted) - value);
    expect(error).toBeLessThanOrEqual(1e-12 * value);
  });

  it.each(agreements)('is the adjusted Rand index: $name', ({ truth, predicted, adjustedRandIndex: value }) => {
    expectAllClose([adjustedRandIndex(truth, predicted)], [value], { mixed: 1e-12 });
  });
});

const pairs = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })), { minLength: 1, maxLength: 50 })
  .map((rows) => ({ truth: rows.map(([a]) => a), predicted: rows.map(([, b]) => b) }));

describe('two lists', () => {
  it('agree as much whichever comes first', () => {
    fc.assert(
      fc.property(pairs, ({ truth, predicted }) => {
        for (const measure of [accuracy, meanAbsoluteError, adjustedRandIndex]) {
          expectAllClose([measure(predicted, truth)], [measure(truth, predicted)], { mixed: 1e-12 });
        }
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('agree in full with themselves', () => {
    fc.assert(
      fc.property(pairs, ({ truth }) => {
        expect(accuracy(truth, truth)).toBe(1);
        expect(meanAbsoluteError(truth, truth)).toBe(0);
        expect(adjustedRandIndex(truth, truth)).toBe(1);
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it('have a Rand index that does not depend on what the classes are called', () => {
    const names = [17, -2.5, 1e300, 0, 3];
    fc.assert(
      fc.property(pairs, ({ truth, predicted }) => {
        const renamed = predicted.map((name) => names[name] as number);
        expect(adjustedRandIndex(truth, renamed)).toBe(adjustedRandIndex(truth, predicted));
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it('have an error of one minus the accuracy where they are labels', () => {
    fc.assert(
      fc.property(pairs, ({ truth, predicted }) => {
        const [a, b] = [truth.map((value) => value > 2), predicted.map((value) => value > 2)];
        expectAllClose([meanAbsoluteError(a, b)], [1 - accuracy(a, b)], { mixed: 1e-12 });
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  it('may mix booleans, numbers and typed arrays', () => {
    const [truth, predicted] = [Uint8Array.of(1, 0, 1, 1), [true, false, 0, true]];
    expect(accuracy(truth, predicted)).toBe(0.75);
    expect(meanAbsoluteError(truth, predicted)).toBe(0.25);
    expect(adjustedRandIndex(truth, predicted)).toBe(adjustedRandIndex([1, 0, 1, 1], [1, 0, 0, 1]));
  });

  it('are the same for 0 and −0', () => {
    expect(accuracy([0, 1], [-0, 1])).toBe(1);
    expect(adjustedRandIndex([0, -0, 1], [5, 5, 6])).toBe(1);
  });
});

const refused = (name: string, measure: (truth: number[], predicted: number[]) => number): BadCall[] => {
  const call = (truth: unknown, predicted: unknown) => () => void measure(truth as number[], predicted as number[]);
  // biome-ignore format: a table
  return [
    { name: `${name}: truth missing`, act: call(undefined, [1]), code: 'INPUT_TYPE', message: /^truth must be an array.*got undefined/ },
    { name: `${name}: predicted a number`, act: call([1], 1), code: 'INPUT_TYPE', message: /^predicted must be an array.*got 1/ },
    { name: `${name}: no rows`, act: call([], []), code: 'EMPTY_INPUT', message: /^truth is empty/ },
    { name: `${name}: nothing predicted`, act: call([1], []), code: 'EMPTY_INPUT', message: /^predicted is empty/ },
    { name: `${name}: different lengths`, act: call([1, 2], [1, 2, 3]), code: 'LENGTHS_DIFFER', message: /truth has 2 and predicted has 3/ },
    { name: `${name}: NaN`, act: call([1, Number.NaN], [1, 2]), code: 'NAN_VALUE', message: /^truth\[1\] is NaN/, row: 1 },
    { name: `${name}: an infinity`, act: call([1, 2], [-Infinity, 2]), code: 'INFINITE_VALUE', message: /^predicted\[0\] is -Infinity/, row: 0 },
    { name: `${name}: a text`, act: call([1, 2], [1, 'a']), code: 'NOT_A_NUMBER', message: /^predicted\[1\] must be a number, got "a"/, row: 1 },
  ];
};

describe('a wrong call', () => {
  it.each(Object.entries({ accuracy, meanAbsoluteError, adjustedRandIndex }).flatMap((entry) => refused(...entry)))(
    'is refused with its code and place: $name',
    expectRefusal,
  );
});
