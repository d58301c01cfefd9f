// Options that are refused: by every detector that has them, and those of one detector alone. A misspelt
// or impossible option must not be taken for its default.
import { afterEach, describe, expect, it } from 'vitest';
import { CAD, type CADOptions, type ErrorCode, KNN, type KNNOptions } from '../../src/index.js';
import { Random } from '../support/data.js';
import { DETECTORS, type DetectorCase, detectorsWith, type Options } from '../support/detectors.js';
import { type BadCall, expectRefusal } from '../support/refusals.js';

const ROWS = new Random(1).rows(12, 2);

/** An option with values it cannot have. */
function refused(
  construct: (options: unknown) => unknown,
  option: string,
  code: ErrorCode,
  values: readonly unknown[],
): BadCall[] {
  return values.map((value) => ({
    name: `${option}: ${typeof value === 'string' ? JSON.stringify(value) : value}`,
    act: () => void construct({ [option]: value }),
    code,
    message: new RegExp(`^${option} must `),
  }));
}

const NO_COUNTS = [0, 2.5, '10', -3, Number.NaN, 2 ** 40, null];

/** Options that mean the same wherever they are. */
const SHARED: ReadonlyArray<readonly [option: string, code: ErrorCode, values: readonly unknown[]]> = [
  ['contamination', 'CONTAMINATION_INVALID', [0, 0.51, 1, -0.1, Number.NaN, '0.1', null]],
  ['backend', 'BACKEND_UNKNOWN', ['gpu', '', 'WASM', 1, null]],
  ['precision', 'PRECISION_UNKNOWN', ['half', 'Single', 64, null]],
  ['standardize', 'STANDARDIZE_INVALID', ['yes', 1, null]],
  ['neighbors', 'NEIGHBORS_INVALID', NO_COUNTS],
  ['metric', 'METRIC_UNKNOWN', ['cosine', 'l2', 2, null]],
];

const shapes = ({ kind, construct }: DetectorCase): BadCall[] => [
  ...[[5], 'rbf', null, 7, new Map()].map(
    (options): BadCall => ({
      name: `options that are ${options === null ? 'null' : `a ${options.constructor.name}`}`,
      act: () => void construct(options),
      code: 'OPTIONS_TYPE',
      message: new RegExp(`^options of ${kind} must be an object`),
    }),
  ),
  {
    name: 'a misspelt option',
    act: () => void construct({ contaminaton: 0.1 }),
    code: 'UNKNOWN_OPTION',
    message: new RegExp(`^${kind} has no option "contaminaton"; it has .*\\bcontamination\\b`),
  },
];

describe.each(DETECTORS)('$name refuses', (detector) => {
  it.each(shapes(detector))('$name', expectRefusal);
});

describe('options on Object.prototype', () => {
  const polluted = Object.prototype as Record<string, unknown>;
  afterEach(() => {
    for (const name of ['kernel', 'contamination', 'neighbors', 'seed', 'keep']) delete polluted[name];
  });

  it.each(DETECTORS)('change no score of $name', ({ make }) => {
    const truth = make().fit(ROWS);
    Object.assign(polluted, { kernel: 'sigmoid', contamination: 0.5, neighbors: 2, seed: 7 });
    const fitted = make().fit(ROWS);
    expect(fitted.scores).toEqual(truth.scores);
    expect(fitted.threshold).toBe(truth.threshold);
  });
});

describe.each(SHARED)('every detector that takes %s', (option, code, values) => {
  const calls = detectorsWith(option).flatMap(({ name, make }) =>
    refused((options) => make(options as Options), option, code, values).map((call) => ({ ...call, detector: name })),
  );
  it.each(calls)('refuses $name ($detector)', expectRefusal);
});

describe.each(detectorsWith('neighbors'))('$name', ({ make }) => {
  it.each([12, 13])('refuses %d neighbours of 12 rows', (neighbors) => {
    const act = () => void make({ neighbors }).fit(ROWS);
    const message = new RegExp(`^${neighbors} neighbors need at least ${neighbors + 1} rows, got 12$`);
    expectRefusal({ name: '', act, code: 'TOO_FEW_ROWS', message });
  });
});

describe('CAD refuses', () => {
  const construct = (options: unknown) => new CAD(options as CADOptions);
  it.each([
    ...refused(construct, 'neighbors', 'NEIGHBORS_INVALID', [1]),
    ...refused(construct, 'gamma', 'GAMMA_INVALID', [0, -1, Number.NaN, Infinity, '0.5']),
    ...refused(construct, 'degree', 'DEGREE_INVALID', [0, 1.5, '3', -1]),
    ...refused(construct, 'coef0', 'COEF0_INVALID', [Number.NaN, Infinity, '1']),
    ...refused(construct, 'kernel', 'KERNEL_UNKNOWN', ['gauss', 'RBF', null]),
    ...refused(construct, 'orientation', 'ORIENTATION_UNKNOWN', ['up', 1]),
  ])('$name', expectRefusal);

  it('the gradient of an rbf kernel', () => {
    const act = () => new CAD({ neighbors: 3, kernel: 'rbf' }).fit(ROWS).gradient(ROWS);
    expectRefusal({ name: '', act, code: 'KERNEL_UNSUPPORTED', message: /gradient .* rbf/ });
  });
});

describe('KNN refuses', () => {
  const construct = (options: unknown) => new KNN(options as KNNOptions);
  it.each(refused(construct, 'aggregate', 'AGGREGATE_UNKNOWN', ['median', 'Mean', 1, null]))('$name', expectRefusal);
});
