// What is accepted. The same numbers give the same scores however they come, and a detector neither
// changes its input nor keeps looking at it.
import { Matrix, MatrixTransposeView } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { CAD, type FlatMatrix, type MatrixInput } from '../../src/index.js';
import { BACKENDS, paperScores, Random } from '../support/data.js';
import { DETECTORS } from '../support/detectors.js';

const COUNT = 40;
const COLUMNS = 3;
// Numbers that f32 holds exactly, so that a Float32Array is the same data.
const random = new Random(2);
const VALUES = random.rows(COUNT, COLUMNS, () => Math.fround(random.gaussian() * 4)).map((row) => [...row]);
const NEW = random.rows(7, COLUMNS, () => Math.fround(random.gaussian() * 4)).map((row) => [...row]);

type Kind = (rows: number[][]) => MatrixInput;

const KINDS: Record<string, Kind> = {
  'number[][]': (rows) => rows.map((row) => [...row]),
  'rows that are frozen': (rows) => Object.freeze(rows.map((row) => Object.freeze([...row]))),
  'an array of Float64Array': (rows) => rows.map((row) => Float64Array.from(row)),
  'an array of Float32Array': (rows) => rows.map((row) => Float32Array.from(row)),
  'rows that are parts of one buffer': (rows) => {
    const all = Float64Array.from([0, ...rows.flat()]);
    return rows.map((_, i) => all.subarray(1 + i * COLUMNS, 1 + (i + 1) * COLUMNS));
  },
  'a flat Float64Array': (rows) => flat(rows, Float64Array),
  'a flat Float32Array': (rows) => flat(rows, Float32Array),
  'an ml-matrix Matrix': (rows) => new Matrix(rows),
  'the transpose view of a Matrix': (rows) => new MatrixTransposeView(new Matrix(rows).transpose()),
  'anything with get': (rows) => ({
    rows: rows.length,
    columns: COLUMNS,
    get: (i, j) => (rows[i] as number[])[j] as number,
  }),
};

/** Kinds that are read by code of their own. */
const READ_APART = ['number[][]', 'a flat Float64Array', 'an ml-matrix Matrix'];

function flat(rows: number[][], Values: typeof Float32Array | typeof Float64Array): FlatMatrix {
  return { data: Values.from(rows.flat()), rows: rows.length, columns: COLUMNS };
}

/** The numbers of an input, by its public face. */
function numbersOf(input: MatrixInput): number[] {
  if ('data' in input && ArrayBuffer.isView(input.data)) return [...input.data];
  if ('get' in input) return VALUES.flatMap((row, i) => row.map((_, j) => input.get(i, j)));
  return (input as ArrayLike<number>[]).flatMap((row) => Array.from(row));
}

const ways = DETECTORS.flatMap(({ name, make, takes, refusesEqualRows }) =>
  BACKENDS.map((backend) => ({
    name,
    backend,
    make: () => make({ backend }),
    refusesEqualRows,
    // Where columns can be scaled, they must be scaled elsewhere than in the input.
    makeScaling: () => make({ backend, ...(takes('standardize') && { standardize: true }) }),
  })),
);

describe.each(ways)('rows of $name in $backend', ({ name, make, makeScaling, refusesEqualRows }) => {
  const reference = make().fit(VALUES);
  const referenceNew = reference.score(NEW);
  // All detectors read rows through one reader: every kind with one of them, one of each way to read with the others.
  const kinds = Object.entries(KINDS).filter(([kind]) => name === 'KNN' || READ_APART.includes(kind));

  it.each(kinds)('give identical scores as %s', (_, kind) => {
    const detector = make().fit(kind(VALUES));
    expect(detector.scores).toEqual(reference.scores);
    expect(detector.threshold).toBe(reference.threshold);
    expect(detector.score(kind(NEW))).toEqual(referenceNew);
  });

  it.each(kinds)('are not changed as %s', (_, kind) => {
    const input = kind(VALUES);
    const detector = makeScaling().fit(input);
    detector.score(input);
    expect(numbersOf(input)).toEqual(VALUES.flat());
  });

  it('may have a single column', () => {
    const detector = make().fit(VALUES.map((row) => row.slice(0, 1)));
    expect([...detector.scores, ...detector.score([[0], [100]])].every(Number.isFinite)).toBe(true);
  });

  it('may have a constant column', () => {
    const detector = makeScaling().fit(VALUES.map((row) => [...row, 5]));
    expect(
      [
        ...detector.scores,
        ...detector.score([
          [0, 0, 0, 5],
          [0, 0, 0, 6],
        ]),
      ].every(Number.isFinite),
    ).toBe(true);
  });

  it.skipIf(refusesEqualRows)('may be all alike, which is degenerate', () => {
    const detector = make().fit(VALUES.map(() => [1, 2, 3]));
    expect([...detector.scores, ...detector.score(NEW)].every(Number.isFinite)).toBe(true);
    expect(detector.isDegenerate).toBe(true);
    expect([...detector.labels]).toEqual(VALUES.map(() => 0));
  });

  it.runIf(refusesEqualRows)('may not be all alike', () => {
    expect(() => make().fit(VALUES.map(() => [1, 2, 3]))).toThrow(expect.objectContaining({ code: 'NO_SPREAD' }));
  });

  it('may change after fit without changing the model', () => {
    const lines = VALUES.map((row) => [...row]);
    const one = flat(VALUES, Float32Array);
    const matrix = new Matrix(VALUES);
    const detectors = [lines, one, matrix].map((input) => make().fit(input));
    const files = detectors.map((detector) => detector.toBytes());
    for (const row of lines) row.fill(7);
    one.data.fill(7);
    matrix.mul(0);
    detectors.forEach((detector, i) => {
      expect(detector.scores).toEqual(reference.scores);
      expect(detector.score(NEW)).toEqual(referenceNew);
      expect(detector.toBytes()).toEqual(files[i]);
    });
  });

  it('may be written to by the caller once scores are out', () => {
    const detector = make().fit(VALUES);
    detector.score(NEW).fill(0);
    expect(detector.score(NEW)).toEqual(referenceNew);
  });
});

describe.each(BACKENDS)('rows of CAD in %s', (backend) => {
  const options = { neighbors: 5, backend } as const;
  const reference = new CAD(options).fit(VALUES);

  it.each(Object.entries(KINDS))('give identical gradients as %s, and are not changed', (_, kind) => {
    const input = kind(VALUES);
    const detector = new CAD(options).fit(input);
    expect(detector.gradient(kind(NEW))).toEqual(reference.gradient(NEW));
    detector.gradient(input);
    expect(numbersOf(input)).toEqual(VALUES.flat());
  });

  it('may have a single column, with the scores of the paper', () => {
    const column = VALUES.map((row) => row.slice(0, 1));
    const detector = new CAD({ ...options, precision: 'double' }).fit(column);
    const { scores, ambiguous } = paperScores(column, 5, { kernel: 'linear' });
    detector.scores.forEach((score, i) => {
      if (!ambiguous.has(i)) expect(score).toBeCloseTo(scores[i] as number, 9);
    });
  });

  it.each([
    { kernel: 'polynomial', degree: 1001, coef0: -1, gamma: 1 },
    { kernel: 'polynomial', degree: 201, coef0: -1, gamma: 1 },
    { kernel: 'polynomial', degree: 1001, coef0: 1, gamma: 1 },
    { kernel: 'sigmoid', coef0: -1e300, gamma: 1e300 },
    { kernel: 'rbf', gamma: 1e300 },
    { kernel: 'laplacian', gamma: 1e-300 },
  ] as const)('give finite scores for extreme parameters: %j', (kernel) => {
    const extremes = new Random(3);
    for (let draw = 0; draw < 10; draw++) {
      const rows = extremes.rows(40, 2, () => 4 * extremes.uniform() - 2);
      const detector = new CAD({ ...options, ...kernel }).fit(rows);
      expect([...detector.scores, ...detector.score(rows)].filter((score) => !Number.isFinite(score))).toEqual([]);
      expect(detector.threshold).not.toBeNaN();
    }
  });
});
