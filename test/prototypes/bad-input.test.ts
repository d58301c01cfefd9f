// What the selectors refuse: each wrong call ends in a CurvadError with its own code and a message that says
// what would be right.
import { describe, expect, it } from 'vitest';
import {
  CurvadError,
  DROP3,
  ENN,
  type ErrorCode,
  InverseCAD,
  IRMD,
  type MatrixInput,
  type PrototypeSelector,
  PSA,
  SDM,
  type SelectOptions,
  ShellExtraction,
  SOS,
} from '../../src/index.js';
import { Random } from '../support/data.js';
import { range } from '../support/prototypes.js';

interface BadCall {
  name: string;
  act: () => unknown;
  code: ErrorCode;
  message: RegExp;
  row?: number;
  column?: number;
}

const X = new Random(51).rows(24, 2).map((row) => [...row]);
const y = range(24).map((i) => i % 2);
const ALL = { InverseCAD, IRMD, PSA, SOS, ShellExtraction, SDM, ENN, DROP3 };
type Any = never;

const select = (options: unknown) => () => new SDM().select(X, y, options as SelectOptions);
const rank =
  (labels: unknown, selector: PrototypeSelector = new SDM()) =>
  () =>
    selector.rank(X, labels as Any);
const retain = (selector: PrototypeSelector, labels?: unknown) => () => selector.retain(X, labels as Any);
const withValue = (value: unknown): MatrixInput =>
  X.map((row, i) => (i === 3 ? [row[0], value] : row)) as unknown as MatrixInput;

// biome-ignore format: a table
const CALLS: BadCall[] = [
  { name: 'no share', act: select({}), code: 'KEEP_INVALID', message: /\{ keep: 0\.2 \} or \{ count: 50 \}/ },
  { name: 'no options', act: select(undefined), code: 'KEEP_INVALID', message: /say how many/ },
  { name: 'labels but no options', act: () => new SDM().select(X, y as Any), code: 'KEEP_INVALID', message: /say how many/ },
  { name: 'nothing but rows', act: () => (new SDM() as unknown as { select(rows: unknown): void }).select(X), code: 'KEEP_INVALID', message: /say how many/ },
  { name: 'a share and a count', act: select({ keep: 0.2, count: 3 }), code: 'KEEP_INVALID', message: /either/ },
  ...[0, -0.1, Number.NaN, '0.2', null].map((keep) => ({ name: `keep ${keep}`, act: select({ keep }), code: 'KEEP_INVALID' as const, message: /above 0 and at most 1/ })),
  { name: 'keep 1.01', act: select({ keep: 1.01 }), code: 'KEEP_INVALID', message: /above 0 and at most 1, got 1\.01/ },
  { name: 'keep 20', act: select({ keep: 20 }), code: 'KEEP_INVALID', message: /got 20; for a number of rows use \{ count \}/ },
  ...[0, -1, 2.5, Number.NaN, '3'].map((count) => ({ name: `count ${count}`, act: select({ count }), code: 'COUNT_INVALID' as const, message: /whole number of at least 1/ })),
  { name: 'a count above the rows', act: select({ count: 25 }), code: 'COUNT_INVALID', message: /at most the number of rows, 24, got 25/ },
  { name: 'a share of less than a row', act: select({ keep: 0.08 }), code: 'KEEP_INVALID', message: /0\.08 is less than one row of each class/ },
  { name: 'an unknown option of select', act: select({ share: 0.2 }), code: 'UNKNOWN_OPTION', message: /select has no option "share"; it has keep, count/ },
  { name: 'an unknown option instead of labels', act: () => new SDM().select(X, { share: 0.2 } as Any), code: 'UNKNOWN_OPTION', message: /"share"/ },
  { name: 'options that are a number', act: select(0.2), code: 'OPTIONS_TYPE', message: /must be an object, got 0\.2/ },

  { name: 'too few labels', act: rank(y.slice(1)), code: 'LENGTHS_DIFFER', message: /each of 24 rows, got 23/ },
  { name: 'too many labels', act: rank([...y, 0]), code: 'LENGTHS_DIFFER', message: /each of 24 rows, got 25/ },
  { name: 'no labels in the list', act: rank([]), code: 'LENGTHS_DIFFER', message: /got 0/ },
  { name: 'labels in a string', act: rank('a'.repeat(24)), code: 'INPUT_TYPE', message: /array of class labels or \{ targets \}/ },
  { name: 'labels that are null', act: rank(null), code: 'INPUT_TYPE', message: /got null/ },
  { name: 'labels that are an object', act: rank({ labels: y }), code: 'INPUT_TYPE', message: /got an object/ },
  { name: 'a label that is NaN', act: rank(y.with(5, Number.NaN)), code: 'LABEL_INVALID', message: /y\[5\] must be a string, a finite number, true or false, got NaN/, row: 5 },
  { name: 'a label that is missing', act: rank(y.map((label, i) => (i === 4 ? undefined : label))), code: 'LABEL_INVALID', message: /y\[4\].*undefined/, row: 4 },
  { name: 'a label that is a list', act: rank(y.map((label) => [label])), code: 'LABEL_INVALID', message: /y\[0\]/, row: 0 },
  { name: 'numbers and strings as labels', act: rank(y.map((label, i) => (i === 7 ? String(label) : label))), code: 'LABEL_INVALID', message: /y\[7\] is "1" and y\[0\] is 0/, row: 7 },
  { name: 'a BigInt label', act: rank(new BigInt64Array(24)), code: 'LABEL_INVALID', message: /0n/, row: 0 },

  { name: 'too few targets', act: rank({ targets: [1, 2] }), code: 'LENGTHS_DIFFER', message: /targets must be given for each of 24 rows, got 2/ },
  { name: 'no targets', act: rank({ targets: undefined }), code: 'TARGETS_INVALID', message: /targets: rows must be/ },
  { name: 'a target that is NaN', act: rank({ targets: y.with(2, Number.NaN) }), code: 'TARGETS_INVALID', message: /targets: row 2, column 0 is NaN/, row: 2, column: 0 },
  { name: 'a target in words', act: rank({ targets: y.map(String) }), code: 'TARGETS_INVALID', message: /must be a number, got "0"/, row: 0, column: 0 },
  { name: 'ragged targets', act: rank({ targets: y.map((_, i) => (i === 3 ? [1] : [1, 2])) }), code: 'TARGETS_INVALID', message: /row 3 has 1 columns/, row: 3 },

  { name: 'ENN without labels', act: retain(new ENN()), code: 'LABELS_MISSING', message: /ENN needs the class of each row: retain\(rows, labels\)/ },
  { name: 'DROP3 without labels', act: retain(new DROP3()), code: 'LABELS_MISSING', message: /DROP3/ },
  { name: 'ENN with targets', act: retain(new ENN(), { targets: y }), code: 'LABELS_MISSING', message: /ENN/ },
  { name: 'ENN with one class', act: retain(new ENN(), y.map(() => 'a')), code: 'ONE_CLASS', message: /at least two classes/ },
  { name: 'DROP3 with one class', act: retain(new DROP3(), y.map(() => 1)), code: 'ONE_CLASS', message: /DROP3/ },
  { name: 'ENN with too few rows', act: () => new ENN().retain([[1], [2], [3]], [0, 1, 1]), code: 'TOO_FEW_ROWS', message: /3 neighbors need at least 4 rows, got 3/ },
  { name: 'DROP3 with too few rows', act: () => new DROP3({ neighbors: 24 }).retain(X, y), code: 'TOO_FEW_ROWS', message: /at least 25 rows/ },
  { name: 'InverseCAD with a class too small', act: rank(y.with(0, 5), new InverseCAD()), code: 'TOO_FEW_ROWS', message: /10 neighbors need at least 11 rows, class 5 has 1/ },
  { name: 'InverseCAD with a named class too small', act: retain(new InverseCAD({ neighbors: 12 }), y.map((c) => 'ab'[c])), code: 'TOO_FEW_ROWS', message: /class "a" has 12/ },
  { name: 'InverseCAD with too few rows', act: retain(new InverseCAD({ neighbors: 24 })), code: 'TOO_FEW_ROWS', message: /the data has 24/ },

  { name: 'ENN that should rank', act: rank(y, new ENN()), code: 'CANNOT_RANK', message: /ENN does not rank.*retain/ },
  { name: 'DROP3 that should select', act: () => new DROP3().select(X, y, { keep: 0.2 }), code: 'CANNOT_RANK', message: /DROP3/ },
  ...[new IRMD(), new PSA(), new SOS(), new ShellExtraction(), new SDM()].map((selector) => ({ name: `${selector.constructor.name} that should retain`, act: retain(selector, y), code: 'CANNOT_RETAIN' as const, message: /select\(rows, y, \{ keep: 0\.2 \}\)/ })),

  { name: 'a contamination', act: () => new InverseCAD({ contamination: 0.1 } as Any), code: 'UNKNOWN_OPTION', message: /InverseCAD has no option "contamination"/ },
  { name: 'one neighbour', act: () => new InverseCAD({ neighbors: 1 }), code: 'NEIGHBORS_INVALID', message: /at least 2/ },
  { name: 'an unknown kernel', act: () => new InverseCAD({ kernel: 'radial' as Any }), code: 'KERNEL_UNKNOWN', message: /radial/ },
  { name: 'no neighbours', act: () => new ENN({ neighbors: 0 }), code: 'NEIGHBORS_INVALID', message: /at least 1/ },
  { name: 'an unknown backend', act: () => new DROP3({ backend: 'gpu' as Any }), code: 'BACKEND_UNKNOWN', message: /gpu/ },
  { name: 'an epsilon of 1', act: () => new IRMD({ epsilon: 1 }), code: 'EPSILON_INVALID', message: /above 0 and below 1/ },
  { name: 'half a row in a group', act: () => new PSA({ groupSize: 4.5 }), code: 'GROUP_SIZE_INVALID', message: /whole number/ },
  { name: 'groups smaller than rows are wide', act: () => new PSA({ groupSize: 1 }).rank(X, y), code: 'GROUP_SIZE_INVALID', message: /from 2 to 12, got 1: rows have 2 columns and the smallest class has 12 rows/ },
  { name: 'groups larger than the smallest class', act: () => new PSA({ groupSize: 13 }).rank(X, y), code: 'GROUP_SIZE_INVALID', message: /from 2 to 12, got 13/ },
  { name: 'no draws', act: () => new PSA({ draws: 0 }), code: 'DRAWS_INVALID', message: /at least 1/ },
  { name: 'a negative seed', act: () => new PSA({ seed: -1 }), code: 'SEED_INVALID', message: /0 to 4294967295/ },
  { name: 'a negative lambda', act: () => new ShellExtraction({ lambda: -1 }), code: 'LAMBDA_INVALID', message: /at least 0/ },
  { name: 'a delta of 0', act: () => new ShellExtraction({ delta: 0 }), code: 'DELTA_INVALID', message: /at least 0\.001/ },
  { name: 'an infinite delta', act: () => new ShellExtraction({ delta: Infinity }), code: 'DELTA_INVALID', message: /Infinity/ },

  { name: 'rows too large for single precision', act: () => new InverseCAD({ neighbors: 2, precision: 'single' }).rank(X.map((row, i) => (i === 21 ? [5e30, 0] : row)), y), code: 'VALUE_TOO_LARGE', message: /^row 21, column 0/, row: 21, column: 0 },
];

function refusalOf(act: () => unknown): CurvadError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(CurvadError);
    return error as CurvadError;
  }
  throw new Error('nothing was thrown');
}

describe('prototype selectors refuse', () => {
  it.each(CALLS)('$name', ({ act, code, message, row, column }) => {
    const error = refusalOf(act);
    expect({ code: error.code, row: error.row, column: error.column }).toEqual({ code, row, column });
    expect(error.message).toMatch(message);
  });
});

describe.each(Object.entries(ALL))('%s refuses', (name, Selector) => {
  const call =
    (rows: unknown, labels = y) =>
    () => {
      const selector: PrototypeSelector = new Selector();
      if (name === 'ENN' || name === 'DROP3') selector.retain(rows as MatrixInput, labels);
      else selector.rank(rows as MatrixInput, labels);
    };

  it('labels of another length', () => {
    expect(refusalOf(call(X, y.slice(0, 20))).code).toBe('LENGTHS_DIFFER');
  });

  it('unknown options', () => {
    const error = refusalOf(() => new Selector({ neighbours: 3 } as Any));
    expect(error.code).toBe('UNKNOWN_OPTION');
    expect(error.message).toMatch(new RegExp(`^${name} has no option "neighbours"; it has \\w+`));
  });

  it.each([
    ['NaN', withValue(Number.NaN), 'NAN_VALUE'],
    ['an infinity', withValue(-Infinity), 'INFINITE_VALUE'],
    ['a string', withValue('1'), 'NOT_A_NUMBER'],
    ['a value whose square overflows', withValue(1e200), 'VALUE_TOO_LARGE'],
    ['no rows', [], 'EMPTY_INPUT'],
    ['rows that are null', null, 'INPUT_TYPE'],
  ] as const)('%s', (_, rows, code) => {
    expect(refusalOf(call(rows)).code).toBe(code);
  });
});
