// What every detector refuses, and how: values, shapes, the order of calls. A wrong call must end in a
// CurvadError with its own code that names the offending place: a detector that scores bad input quietly
// is worse than one that fails. Options are in bad-options.test.ts.
import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { type AnyDetector, CAD, CurvadError, type MatrixInput } from '../../src/index.js';
import { Random } from '../support/data.js';
import { DETECTORS, type DetectorCase, detectorsOfLimitedRange, type Options } from '../support/detectors.js';
import { type BadCall, expectRefusal } from '../support/refusals.js';

const ROWS = new Random(1).rows(12, 2);
const rows = (): number[][] => ROWS.map((row) => [...row]);
const flat = (): Float64Array => Float64Array.from(ROWS.flatMap((row) => [...row]));

/** The rows, with anything at all in the place of row 3, column 1. */
function withValue(value: unknown): unknown[][] {
  const changed: unknown[][] = rows();
  (changed[3] as unknown[])[1] = value;
  return changed;
}

/** The rows, with anything at all in the place of row 5. */
const withRow = (row: unknown): unknown[] => rows().with(5, row as number[]);

function withHole(): unknown[][] {
  const changed = rows();
  delete (changed[3] as number[])[1];
  return changed;
}

function flatWith(value: number): Float64Array {
  const data = flat();
  data[3 * 2 + 1] = value;
  return data;
}

/** A view whose memory was sent elsewhere. */
function transferred(length: number): Float64Array {
  const view = new Float64Array(length);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

const shared = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(length * 8));
const matrixOf = (data: unknown, count: unknown = 12, columns: unknown = 2) => ({ data, rows: count, columns });
const getter = (get: (i: number, j: number) => unknown) => ({ rows: 12, columns: 2, get });

/** Calls of one detector. */
interface Calls {
  fitting: (input: unknown, options?: Options) => () => void;
  fitted: (options?: Options) => AnyDetector;
}

const callsOf = ({ make }: DetectorCase): Calls => ({
  fitting: (input, options) => () => void make(options).fit(input as MatrixInput),
  fitted: (options) => make(options).fit(rows()),
});

const PLACE = { message: /row 3, column 1/, row: 3, column: 1 };
const ROW = { message: /row 5/, row: 5 };

// biome-ignore format: a table
const values = ({ fitting, fitted }: Calls): BadCall[] => [
  { name: 'NaN in an array', act: fitting(withValue(Number.NaN)), code: 'NAN_VALUE', ...PLACE },
  { name: '+Infinity in an array', act: fitting(withValue(Infinity)), code: 'INFINITE_VALUE', ...PLACE },
  { name: '-Infinity in an array', act: fitting(withValue(-Infinity)), code: 'INFINITE_VALUE', ...PLACE },
  { name: 'NaN in a typed row', act: fitting(withValue(Number.NaN).map((row) => Float32Array.from(row as number[]))), code: 'NAN_VALUE', ...PLACE },
  { name: 'an infinity in a typed row', act: fitting(withValue(-Infinity).map((row) => Float64Array.from(row as number[]))), code: 'INFINITE_VALUE', ...PLACE },
  { name: 'NaN in flat data', act: fitting(matrixOf(flatWith(Number.NaN))), code: 'NAN_VALUE', ...PLACE },
  { name: '+Infinity in flat data', act: fitting(matrixOf(flatWith(Infinity))), code: 'INFINITE_VALUE', ...PLACE },
  { name: '-Infinity in flat f32 data', act: fitting(matrixOf(Float32Array.from(flatWith(-Infinity)))), code: 'INFINITE_VALUE', ...PLACE },
  { name: 'NaN in an ml-matrix Matrix', act: fitting(new Matrix(rows()).set(3, 1, Number.NaN)), code: 'NAN_VALUE', ...PLACE },
  { name: 'NaN from get', act: fitting(getter((i, j) => (i === 3 && j === 1 ? Number.NaN : i))), code: 'NAN_VALUE', ...PLACE },
  { name: 'an infinity from get', act: fitting(getter((i, j) => (i === 3 && j === 1 ? -Infinity : i))), code: 'INFINITE_VALUE', ...PLACE },
  { name: 'undefined from get', act: fitting(getter((i, j) => (i === 3 && j === 1 ? undefined : i))), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'a BigInt', act: fitting(withValue(1n)), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'a string of digits', act: fitting(withValue('1')), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'null', act: fitting(withValue(null)), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'undefined', act: fitting(withValue(undefined)), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'a boolean', act: fitting(withValue(true)), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'a hole in an array', act: fitting(withHole()), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'a Date', act: fitting(withValue(new Date())), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'an object', act: fitting(withValue({ valueOf: () => 1 })), code: 'NOT_A_NUMBER', ...PLACE },
  { name: 'a row of BigInts', act: fitting(withRow(new BigInt64Array(2))), code: 'NOT_A_NUMBER', message: /row 5, column 0/, row: 5, column: 0 },
  { name: 'a new row of NaN', act: () => fitted().score([[0, Number.NaN]]), code: 'NAN_VALUE', message: /row 0, column 1/, row: 0, column: 1 },
];

/** Of detectors that store rows in a precision. */
// biome-ignore format: a table
const ranges = ({ fitting, fitted }: Calls): BadCall[] => [
  { name: '1e151 in double', act: fitting(withValue(1e151), { precision: 'double' }), code: 'VALUE_TOO_LARGE', ...PLACE },
  { name: '1e151 without a precision', act: fitting(withValue(1e151)), code: 'VALUE_TOO_LARGE', ...PLACE },
  { name: '-1e31 in single', act: fitting(withValue(-1e31), { precision: 'single' }), code: 'VALUE_TOO_LARGE', ...PLACE },
  { name: '1e31 in single by js', act: fitting(withValue(1e31), { precision: 'single', backend: 'js' }), code: 'VALUE_TOO_LARGE', ...PLACE },
  { name: 'a new row beyond double', act: () => fitted().score([[0, 0], [0, 1e151]]), code: 'VALUE_TOO_LARGE', message: /row 1, column 1/, row: 1, column: 1 },
];

// biome-ignore format: a table
const shapes = ({ fitting, fitted }: Calls): BadCall[] => [
  { name: 'a ragged row', act: fitting(withRow([1, 2, 3])), code: 'RAGGED_ROWS', message: /row 5 has 3 columns, row 0 has 2/, row: 5 },
  { name: 'an empty row among others', act: fitting(withRow([])), code: 'RAGGED_ROWS', ...ROW },
  { name: 'no rows', act: fitting([]), code: 'EMPTY_INPUT', message: /no rows/ },
  { name: 'rows without columns', act: fitting([[], [], [], []]), code: 'NO_COLUMNS', message: /row 0 has no columns/, row: 0 },
  { name: 'a row that is a number', act: fitting(withRow(7)), code: 'ROW_TYPE', ...ROW },
  { name: 'a row that is null', act: fitting(withRow(null)), code: 'ROW_TYPE', ...ROW },
  { name: 'a row that is a string', act: fitting(withRow('12')), code: 'ROW_TYPE', ...ROW },
  { name: 'a row that is an object', act: fitting(withRow({ 0: 1, 1: 2, length: 2 })), code: 'ROW_TYPE', ...ROW },
  { name: 'a DataView as a row', act: fitting(withRow(new DataView(new ArrayBuffer(2)))), code: 'ROW_TYPE', ...ROW },
  { name: 'a shared row', act: fitting(withRow(shared(2))), code: 'SHARED_MEMORY', ...ROW },
  { name: 'a transferred row', act: fitting(withRow(transferred(2))), code: 'DETACHED_BUFFER', ...ROW },
  { name: 'numbers instead of rows', act: fitting([1, 2, 3, 4]), code: 'ROW_TYPE', message: /row 0/, row: 0 },
  { name: 'a typed array instead of rows', act: fitting(flat()), code: 'INPUT_TYPE', message: /rows must be .* Float64Array/ },
  { name: 'a string as rows', act: fitting('1,2'), code: 'INPUT_TYPE', message: /rows must be .* "1,2"/ },
  { name: 'a Map as rows', act: fitting(new Map([[0, [1, 2]]])), code: 'INPUT_TYPE', message: /rows must be .* an object/ },
  { name: 'null as rows', act: fitting(null), code: 'INPUT_TYPE', message: /rows must be .* null/ },
  { name: 'undefined as rows', act: fitting(undefined), code: 'INPUT_TYPE', message: /rows must be .* undefined/ },
  { name: 'a number as rows', act: fitting(12), code: 'INPUT_TYPE', message: /rows must be .* 12/ },
  { name: 'rows: 0', act: fitting(matrixOf(flat(), 0)), code: 'EMPTY_INPUT', message: /no rows/ },
  { name: 'columns: 0', act: fitting(matrixOf(flat(), 12, 0)), code: 'NO_COLUMNS', message: /no columns/ },
  { name: 'negative rows', act: fitting(matrixOf(flat(), -12, -2)), code: 'ROWS_INVALID', message: /rows .* -12/ },
  { name: 'negative columns', act: fitting(matrixOf(flat(), 12, -2)), code: 'COLUMNS_INVALID', message: /columns .* -2/ },
  { name: 'a fraction of rows', act: fitting(matrixOf(flat(), 9.6, 2.5)), code: 'ROWS_INVALID', message: /rows .* 9\.6/ },
  { name: 'a fraction of columns', act: fitting(matrixOf(flat(), 12, 1.5)), code: 'COLUMNS_INVALID', message: /columns .* 1\.5/ },
  { name: 'rows as a string', act: fitting(matrixOf(flat(), '12')), code: 'ROWS_INVALID', message: /rows .* "12"/ },
  { name: 'rows of NaN', act: fitting(matrixOf(flat(), Number.NaN)), code: 'ROWS_INVALID', message: /rows .* NaN/ },
  { name: 'rows: 2³³', act: fitting(matrixOf(flat(), 2 ** 33)), code: 'ROWS_INVALID', message: /rows .* 8589934592/ },
  { name: 'too little data', act: fitting(matrixOf(flat().subarray(1))), code: 'DATA_LENGTH', message: /data has 23 values.*need 24/ },
  { name: 'too much data', act: fitting(matrixOf(new Float64Array(25))), code: 'DATA_LENGTH', message: /data has 25 values/ },
  { name: '2³¹ rows of short data', act: fitting(matrixOf(flat(), 2 ** 31)), code: 'DATA_LENGTH', message: /data has 24 values, 2147483648 rows/ },
  { name: 'typed rows, one too few', act: fitting(matrixOf(ROWS.slice(1))), code: 'DATA_LENGTH', message: /data has 11 rows/ },
  { name: 'typed rows of another width', act: fitting(matrixOf(ROWS, 12, 3)), code: 'DATA_LENGTH', message: /data has 12 rows and 2 columns, expected 12 and 3/ },
  { name: 'data as a plain array', act: fitting(matrixOf([...flat()])), code: 'DATA_TYPE', message: /data .* an array of 24/ },
  { name: 'data as an Int32Array', act: fitting(matrixOf(new Int32Array(24))), code: 'DATA_TYPE', message: /data .* Int32Array/ },
  { name: 'data as a Uint8Array', act: fitting(matrixOf(new Uint8Array(24))), code: 'DATA_TYPE', message: /data .* Uint8Array/ },
  { name: 'data as a BigInt64Array', act: fitting(matrixOf(new BigInt64Array(24))), code: 'DATA_TYPE', message: /data .* BigInt64Array/ },
  { name: 'no data', act: fitting(matrixOf(undefined)), code: 'DATA_TYPE', message: /data .* undefined/ },
  { name: 'shared data', act: fitting(matrixOf(shared(24))), code: 'SHARED_MEMORY', message: /data/ },
  { name: 'transferred data', act: fitting(matrixOf(transferred(24))), code: 'DETACHED_BUFFER', message: /data/ },
  { name: 'wide rows to score', act: () => fitted().score([[1, 2, 3]]), code: 'WRONG_WIDTH', message: /3 columns.* 2/ },
  { name: 'narrow rows to predict', act: () => fitted().predict([[1]]), code: 'WRONG_WIDTH', message: /1 columns.* 2/ },
  { name: 'wide rows to scoreInto', act: () => fitted().scoreInto([[1, 2, 3]], new Float64Array(1)), code: 'WRONG_WIDTH', message: /3 columns.* 2/ },
  { name: 'a Float32Array for scores', act: () => fitted().scoreInto(rows(), new Float32Array(12) as unknown as Float64Array), code: 'OUTPUT_TYPE', message: /scores .* Float32Array/ },
  { name: 'too little room for scores', act: () => fitted().scoreInto(rows(), new Float64Array(11)), code: 'OUTPUT_LENGTH', message: /room for 11 rows, got 12/ },
];

const USES: Record<string, (detector: AnyDetector) => unknown> = {
  scores: (detector) => detector.scores,
  labels: (detector) => detector.labels,
  threshold: (detector) => detector.threshold,
  isDegenerate: (detector) => detector.isDegenerate,
  score: (detector) => detector.score(rows()),
  predict: (detector) => detector.predict(rows()),
  scoreInto: (detector) => detector.scoreInto(rows(), new Float64Array(12)),
  toBytes: (detector) => detector.toBytes(),
};

const USES_OF_CAD: Record<string, (detector: CAD) => unknown> = {
  rawScores: (detector) => detector.rawScores,
  precision: (detector) => detector.precision,
  gradient: (detector) => detector.gradient(rows()),
};

function disposed<Made extends AnyDetector>(detector: Made): Made {
  detector.fit(rows());
  detector.dispose();
  return detector;
}

/** Each use before fit and after dispose. */
function untimely<Made extends AnyDetector>(
  make: () => Made,
  uses: Record<string, (made: Made) => unknown>,
): BadCall[] {
  return Object.entries(uses).flatMap(([name, use]): BadCall[] => [
    { name: `${name} before fit`, act: () => use(make()), code: 'NOT_FITTED', message: /is not fitted: call fit/ },
    { name: `${name} after dispose`, act: () => use(disposed(make())), code: 'DISPOSED', message: /was disposed/ },
  ]);
}

const order = ({ make, kind }: DetectorCase): BadCall[] => [
  ...untimely(make, USES),
  { name: 'fit after dispose', act: () => disposed(make()).fit(rows()), code: 'DISPOSED', message: /was disposed/ },
  {
    name: 'a name in messages',
    act: () => make().scores,
    code: 'NOT_FITTED',
    message: new RegExp(`this ${kind} is not`),
  },
];

/** A number of rows too few, as long as that is any. */
const fewest = ({ leastRows }: DetectorCase, { fitting }: Calls): BadCall[] =>
  leastRows < 2
    ? []
    : [1, leastRows - 1].map((count) => ({
        name: `${count} rows where ${leastRows} are needed`,
        act: fitting(rows().slice(0, count)),
        code: 'TOO_FEW_ROWS',
        message: new RegExp(`\\b${leastRows} rows.*\\b${count}\\b`),
      }));

/** The first call of each code. */
const onePerCode = (calls: readonly BadCall[]): BadCall[] =>
  calls.filter(({ code }, i) => calls.findIndex((call) => call.code === code) === i);

describe.each(DETECTORS)('what is wrong is refused with its code and place by $name', (detector) => {
  const calls = callsOf(detector);
  // All detectors read rows through one reader: every case with one of them, a case of each code with the others.
  const some = detector.name === 'KNN' ? (all: BadCall[]) => all : onePerCode;
  it.each(some(values(calls)))('a value: $name', expectRefusal);
  it.each(some(shapes(calls)))('a shape: $name', expectRefusal);
  it.each(order(detector))('the order of calls: $name', expectRefusal);
  it.each(fewest(detector, calls))('a shape: $name', expectRefusal);
});

describe.each(detectorsOfLimitedRange())('what a precision does not hold is refused by $name', (detector) => {
  it.each(ranges(callsOf(detector)))('$name', expectRefusal);
});

describe('what is wrong is refused by CAD alone', () => {
  it.each(untimely(() => new CAD({ neighbors: 3 }), USES_OF_CAD))('the order of calls: $name', expectRefusal);

  it('narrow rows to gradient', () => {
    const act = () => new CAD({ neighbors: 3 }).fit(rows()).gradient([[1]]);
    expectRefusal({ name: '', act, code: 'WRONG_WIDTH', message: /1 columns.* 2/ });
  });
});

describe.each(DETECTORS)('a failed call', (detector) => {
  it(`leaves a fitted ${detector.name} exactly as it was`, () => {
    const model = detector.make().fit(rows());
    const [scores, threshold, atNew] = [model.scores.slice(), model.threshold, model.score([[0.5, 0.25]])];
    const file = model.toBytes();
    const few = detector.leastRows < 2 ? [] : [rows().slice(0, detector.leastRows - 1)];
    const failures = [withValue(Number.NaN), ...few, 'rows', [], withRow([1]), withRow(shared(2))];
    if (detector.takes('precision') && !detector.clips) failures.push(withValue(1e200));
    for (const input of failures) {
      expect(() => model.fit(input as MatrixInput)).toThrow(CurvadError);
      expect(() => model.score(withRow(null) as MatrixInput)).toThrow(CurvadError);
    }
    expect(model.scores).toEqual(scores);
    expect(model.threshold).toBe(threshold);
    expect(model.score([[0.5, 0.25]])).toEqual(atNew);
    expect(model.toBytes()).toEqual(file);
  });
});
