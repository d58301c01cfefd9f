// What every detector promises, whatever its method: a score does not depend on the company a row is
// scored in nor on what runs, labels follow from scores and threshold, and the same call gives the same
// numbers again.
import { describe, expect, it } from 'vitest';
import { rocAuc } from '../../src/index.js';
import { BACKENDS, PRECISIONS, Random, type Rows } from '../support/data.js';
import { DETECTORS, type DetectorCase, detectorsWith, type Options } from '../support/detectors.js';
import { growthOf } from '../support/memory.js';

const random = new Random(41);

/** Rows among which some are far out, with distances that are all different. */
const drawn = (count: number, columns: number): Float64Array[] =>
  random.rows(count, columns, () => random.gaussian() * (random.uniform() < 0.05 ? 4 : 1));

const X = drawn(90, 4);
const Y = [...drawn(300, 4), ...X.slice(0, 5)];

/** Places where two lists are not the same to the last bit. */
function expectSame(a: ArrayLike<number>, b: ArrayLike<number>): void {
  expect(a.length).toBe(b.length);
  expect(Array.from(a, (_, i) => i).filter((i) => !Object.is(a[i], b[i]))).toEqual([]);
}

/** A detector in each precision it has. */
const inPrecisions = ({ takes }: DetectorCase): Options[] =>
  takes('precision') ? PRECISIONS.map((precision) => ({ precision })) : [{}];

const ways = DETECTORS.flatMap((detector) =>
  inPrecisions(detector).flatMap((precision) =>
    BACKENDS.map((backend) => ({ name: detector.name, detector, options: { ...precision, backend } })),
  ),
);

describe.each(ways)('a score of $name, $options, is the same to the last bit', ({ detector, options }) => {
  const model = detector.make(options).fit(X);
  const scores = model.score(Y);

  it('alone', () => {
    expectSame(
      Y.map((y) => model.score([y])[0] as number),
      scores,
    );
  });

  it('in a batch of any size', () => {
    for (const size of [2, 3, 7, 127, 128, 129, 257]) {
      const from = random.integer(Y.length - size);
      expectSame(model.score(Y.slice(from, from + size)), scores.slice(from, from + size));
    }
  });

  it('in any order', () => {
    const order = random.permutation(Y.length);
    expectSame(
      model.score(order.map((i) => Y[i] as Float64Array)),
      order.map((i) => scores[i] as number),
    );
  });

  it('in any number of rows beyond one block', () => {
    const many = Array.from({ length: 1500 }, (_, i) => Y[i % Y.length] as Float64Array);
    expectSame(
      model.score(many),
      many.map((_, i) => scores[i % Y.length] as number),
    );
  });
});

describe.each(DETECTORS)('all backends agree to the last bit on $name', (detector) => {
  it.each([...inPrecisions(detector), { contamination: 0.2 }])('%j', (options) => {
    for (const [count, columns] of [
      [20, 1],
      [33, 13],
      [150, 5],
    ] as const) {
      const [train, fresh] = [drawn(count, columns), drawn(40, columns)];
      const [js, ...others] = BACKENDS.map((backend) => {
        using model = detector.make({ ...options, backend }).fit(train);
        expect(model.backend).toBe(backend);
        return [...model.scores, ...model.score(fresh), model.threshold, ...model.labels, ...model.predict(fresh)];
      });
      for (const other of others) expectSame(other, js as number[]);
    }
  });
});

describe.each(DETECTORS)('$name', (detector) => {
  it('gives the same model for the same rows, byte by byte', () => {
    expect(detector.make().fit(X).toBytes()).toEqual(detector.make().fit(X).toBytes());
  });

  it('calls anomalies what is scored above the threshold', () => {
    const model = detector.make().fit(X);
    const above = (scores: Float64Array) => [...scores].map((score) => (score > model.threshold ? 1 : 0));
    expect([...model.labels]).toEqual(above(model.scores));
    expect([...model.predict(Y)]).toEqual(above(model.score(Y)));
    expect(model.labels).toContain(1);
    expect(model.labels).toContain(0);
  });

  it.each([
    { count: 101, contamination: 0.1, flagged: 10 }, // the threshold is the 91st score itself: 10 are above it
    { count: 40, contamination: 0.1, flagged: 4 },
    { count: 40, contamination: 0.25, flagged: 10 },
    { count: 41, contamination: 0.25, flagged: 10 },
    { count: 40, contamination: 0.5, flagged: 20 },
    { count: 41, contamination: 0.5, flagged: 20 },
    { count: 40, contamination: 0.01, flagged: 1 },
  ])('flags $flagged of $count rows at contamination $contamination', ({ count, contamination, flagged }) => {
    const model = detector.make({ contamination }).fit(drawn(count, 3));
    const sorted = model.scores.toSorted();
    const isDistinct = new Set(sorted).size === count;
    // Of scores tied with the threshold none is above it: then fewer are flagged, as in numpy and PyOD.
    const expected = isDistinct
      ? flagged
      : model.scores.filter((score) => score > percentile(sorted, contamination)).length;
    expect(model.labels.reduce((sum, label) => sum + label, 0)).toBe(expected);
    const lowest = Math.min(...model.scores.filter((_, i) => model.labels[i] === 1));
    expect(model.scores.filter((_, i) => model.labels[i] === 0).every((score) => score < lowest)).toBe(true);
  });

  it('flags fewer rows than asked for where scores are tied at the threshold, as numpy and PyOD do', () => {
    const rows = drawn(20, 3);
    // The threshold of 3 in 40 is between two rows of one pair, so that only what is above the pair is flagged.
    // With all rows for landmarks: one that is a landmark does not count itself, its duplicate would count it.
    const all = detector.takes('landmarks') ? { landmarks: 40 } : {};
    const model = detector.make({ contamination: 0.075, ...all }).fit([...rows, ...rows]);
    const sorted = model.scores.toSorted();
    expect([...model.scores.slice(0, 20)]).toEqual([...model.scores.slice(20)]);
    expect(sorted[36]).toBe(sorted[37]);
    const flagged = model.labels.reduce((sum, label) => sum + label, 0);
    expect(flagged).toBe(sorted.filter((score) => score > (sorted[37] as number)).length);
    expect(flagged).toBeLessThan(3);
  });

  it('keeps its ROC AUC under any strictly increasing transform of the scores', () => {
    const truth = Y.map((y) => (y.some((value) => Math.abs(value) > 3) ? 1 : 0));
    const scores = detector.make().fit(X).score(Y);
    const ranks = new Map([...new Set(scores)].sort((a, b) => a - b).map((score, rank) => [score, rank]));
    const rank = (score: number) => ranks.get(score) as number;
    const auc = rocAuc(truth, scores);
    for (const transform of [
      rank,
      (s: number) => Math.exp(rank(s) / 1000),
      (s: number) => 8 * s,
      (s: number) => -1 / (1 + rank(s)),
    ]) {
      expect(rocAuc(truth, scores.map(transform))).toBe(auc);
    }
    expect(auc).toBeGreaterThan(0);
    expect(auc).toBeLessThan(1);
  });

  it('writes into the scores of the caller what score gives, and leaves the rest alone', () => {
    const model = detector.make().fit(X);
    const output = new Float64Array(Y.length + 10).fill(7);
    expect(model.scoreInto(Y, output)).toBe(output);
    expectSame(output.subarray(0, Y.length), model.score(Y));
    expectSame(output.subarray(Y.length), new Float64Array(10).fill(7));
  });

  it('allocates no arrays to score single rows into a given array', () => {
    const model = detector.make({ backend: 'wasm' }).fit(X);
    const row = { data: Y[0] as Float64Array, rows: 1, columns: 4 };
    const output = new Float64Array(1);
    for (let i = 0; i < 2000; i++) model.scoreInto(row, output);
    const { arrays, heap } = growthOf(() => {
      for (let i = 0; i < 10_000; i++) model.scoreInto(row, output);
    });
    expect(arrays).toBeLessThanOrEqual(0);
    expect(heap).toBeLessThan(100_000);
  });
});

/** numpy's percentile, linearly between the two nearest scores. */
function percentile(sorted: Float64Array, contamination: number): number {
  const at = (1 - contamination) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at % 1);
}

const seeded = detectorsWith('seed');
describe.runIf(seeded.length > 0)('a seed', () => {
  const fitted = (detector: DetectorCase, seed: number, rows: Rows = X) => detector.make({ seed }).fit(rows);

  it.each(seeded)('gives the same scores again, and some other seed others: $name', (detector) => {
    const { scores } = fitted(detector, 5);
    expectSame(scores, fitted(detector, 5).scores);
    expectSame(fitted(detector, 5).score(Y), fitted(detector, 5).score(Y));
    // Two searches may well end at the same best place.
    const others = [6, 7, 8, 9, 10, 11].map((seed) => fitted(detector, seed).scores);
    expect(others.some((other) => other.some((score, i) => score !== scores[i]))).toBe(true);
  });
});
