// LandmarkCAD against independent truth: scores that test/fixtures/make_landmark_cad.py computed from the definition
// with numpy, on made tables and on real data, for training rows and new ones.
import { describe, expect, it } from 'vitest';
import { LandmarkCAD, type LandmarkCADOptions } from '../../src/index.js';
import { BACKENDS, fixture, isDataMissing, loadData, type Rows, rowsOf } from '../support/data.js';

interface Truth {
  rows: number[];
  /** LM: the distance to the k-th nearest landmark. */
  distances: number[];
  scores: number[];
  /** Rows whose 10 nearest rows a tie decides: what they are hangs on rounding. */
  tied: number[];
}

interface Made {
  seed: number;
  data: number[][];
  'new data': number[][];
  train: Truth;
  new: Truth;
}

const { tables, sets } = fixture<{
  tables: Record<string, Made>;
  sets: Record<string, Record<'all' | 'half', Pick<Made, 'train' | 'new'>>>;
}>('landmark_cad');

const TOLERANCE = 1e-9;

/** Scores and bare distances agree; a row decided by a tie lies between its distance and the most curvature adds. */
function expectTruth(scores: Float64Array, distances: Float64Array, truth: Truth): void {
  const isClose = (got: number, expected: number): boolean => Math.abs(got - expected) <= TOLERANCE * expected;
  const wrong = truth.rows.filter((row, i) => {
    const [score, distance] = [scores[row] as number, distances[row] as number];
    if (!isClose(distance, truth.distances[i] as number)) return true;
    if (!truth.tied.includes(row)) return !isClose(score, truth.scores[i] as number);
    return !(score >= distance && score <= distance * 1.25 * (1 + TOLERANCE));
  });
  expect(wrong, `of ${truth.rows.length} rows`).toEqual([]);
  expect(truth.tied.length).toBeLessThan(truth.rows.length / 2);
}

/** Training rows and new ones have the scores of a definition. */
function expectTruths(
  rows: Rows,
  fresh: Rows,
  [train, new_]: readonly [Truth, Truth],
  options: LandmarkCADOptions,
): void {
  using full = new LandmarkCAD(options).fit(rows);
  using bare = new LandmarkCAD({ ...options, curvature: 0 }).fit(rows);
  expectTruth(full.scores, bare.scores, train);
  expectTruth(full.score(fresh), bare.score(fresh), new_);
}

describe('LandmarkCAD has the scores of its definition on made tables', () => {
  it.each(Object.entries(tables).flatMap(([name, table]) => BACKENDS.map((backend) => ({ name, table, backend }))))(
    '$name, $backend',
    ({ table: { seed, data, 'new data': fresh, train, new: new_ }, backend }) => {
      expectTruths(data, fresh, [train, new_], { seed, backend });
    },
  );

  it('is 0 where more landmarks than are asked for are identical to a row', () => {
    const { data, train } = tables['many identical rows'] as Made;
    const { scores } = new LandmarkCAD().fit(data);
    expect(train.scores).toContain(0);
    expect(data.every(([x, y], i) => (x === 0.25 && y === -0.5) === (scores[i] === 0))).toBe(true);
  });

  it('ignores what new rows have in columns that were constant', () => {
    const { data, seed } = tables['constant columns'] as Made;
    const model = new LandmarkCAD({ seed }).fit(data);
    const row = data[0] as number[];
    const other = row.map((value, j) => (j === 1 || j === 4 ? value + 1e6 : value));
    expect(model.score([other])).toEqual(model.score([row]));
  });
});

describe.skipIf(isDataMissing('LandmarkCAD on real data'))('LandmarkCAD has the scores of its definition', () => {
  it.each(Object.entries(sets))('on %s', (name, { all, half }) => {
    const rows = rowsOf(loadData(name));
    expectTruths(rows, rows.slice(0, 1), [all.train, all.new], {});
    const every = (part: number): Rows => rows.filter((_, i) => i % 2 === part);
    expectTruths(every(0), every(1), [half.train, half.new], {});
  });
});
