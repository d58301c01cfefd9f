// Where the method has little to go on (identical rows, constant columns, one column, duplicates of the
// query), scores stay defined and follow from the equations; and labels follow from scores.
import { describe, expect, it } from 'vitest';
import { CAD, load } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import { KERNELS, PRECISIONS, paperScores, Random, WASM_BACKENDS } from '../support/data.js';

const HIGHER = ['linear', 'cosine', 'sigmoid'];

describe.each(KERNELS)('where all rows are identical, %s kernel', (kernel) => {
  const X = Array.from({ length: 30 }, () => [2.5, -1, 7]);
  // All edges are zero: no direction for linear and cosine; for the others k(0, 0) > 0 and K'_ab = 1.
  const raw = kernel === 'linear' || kernel === 'cosine' ? 0 : (10 * 9) / 2;

  it.each(['js', ...WASM_BACKENDS] as const)('every score is what zero edges give, with %s', (backend) => {
    for (const precision of PRECISIONS) {
      using cad = new CAD({ kernel, precision, backend }).fit(X);
      expectAllClose(cad.rawScores, new Float64Array(30).fill(raw), { mixed: 1e-12 });
      expectAllClose(cad.score(X.slice(0, 2)), cad.scores.slice(0, 2), { mixed: 0 });
    }
  });

  it('nothing is an anomaly, neither before nor after loading', () => {
    using fitted = new CAD({ kernel }).fit(X);
    using loaded = load(fitted.toBytes());
    for (const cad of [fitted, loaded]) {
      expect(cad.isDegenerate).toBe(true);
      expect(cad.threshold).toBe(Infinity);
      expect(cad.labels).toEqual(new Uint8Array(30));
      expect(cad.predict([X[0] as number[], [1e6, 0, 0]])).toEqual(new Uint8Array(2));
    }
  });

  it('nothing is an anomaly with a contamination either', () => {
    using cad = new CAD({ kernel, contamination: 0.1 }).fit(X);
    expect(cad.labels).toEqual(new Uint8Array(30));
  });
});

it('a detector with a contamination says that equal scores are degenerate, as one without it does', () => {
  using cad = new CAD({ contamination: 0.1 }).fit(Array.from({ length: 30 }, () => [2.5, -1, 7]));
  expect(cad.isDegenerate).toBe(true);
  expect(cad.threshold).toBe(Infinity);
});

describe('constant columns', () => {
  it.each(KERNELS)('change no score when columns are standardized, %s kernel', (kernel) => {
    const random = new Random(1);
    const X = random.rows(60, 3, () => 50 + 7 * random.gaussian());
    const Y = random.rows(5, 3, () => 50 + 7 * random.gaussian());
    const widened = (rows: Float64Array[]) => rows.map((row) => [...row, 1e9 / 3, 0]);
    const options = { kernel, gamma: 0.5, standardize: true, precision: 'double' } as const;
    using narrow = new CAD(options).fit(X);
    using wide = new CAD(options).fit(widened(X));
    expectAllClose(wide.scores, narrow.scores, { mixed: 1e-12 });
    expectAllClose(wide.score(widened(Y)), narrow.score(Y), { mixed: 1e-12 });
  });

  it('leave scores and gradients finite where all columns are constant', () => {
    using cad = new CAD({ standardize: true }).fit(Array.from({ length: 12 }, () => [4, 4]));
    expect(cad.isDegenerate).toBe(true);
    expectAllClose(cad.score([[5, 3]]), [45], { mixed: 1e-12 }); // all neighbours in one direction
    expect([...cad.gradient([[5, 3]])].every(Number.isFinite)).toBe(true);
  });
});

describe('duplicates', () => {
  it.each(KERNELS)('of a row are neighbours like any other, %s kernel', (kernel) => {
    const random = new Random(2);
    const X = random.rows(60, 4);
    for (const [copy, original] of [
      [10, 3],
      [11, 3],
      [12, 3],
      [40, 41],
    ] as const) {
      X[copy] = (X[original] as Float64Array).slice();
    }
    using cad = new CAD({ kernel, neighbors: 7, precision: 'double' }).fit(X);
    const own = paperScores(X, 7, { kernel });
    const compared = Array.from(X, (_, i) => i).filter((i) => !own.ambiguous.has(i));
    expect(compared.length).toBeGreaterThan(50);
    expectAllClose(
      compared.map((i) => cad.rawScores[i] as number),
      compared.map((i) => own.scores[i] as number),
      { mixed: 1e-9 },
    );
  });

  it('of the query have no direction and count nothing, linear kernel', () => {
    const random = new Random(3);
    const X = random.rows(50, 3);
    const query = X[17] as Float64Array;
    const others = X.filter((row) => row !== query);
    // With itself among its neighbours, 9 edges are left of 10: those of 9 neighbours without it.
    using ten = new CAD({ neighbors: 10, precision: 'double' }).fit(X);
    using nine = new CAD({ neighbors: 9, precision: 'double' }).fit(others);
    expectAllClose(ten.score([query]), nine.score([query]), { mixed: 1e-12 });
  });

  it('of the query alone leave a score and a gradient of zero', () => {
    const X = Array.from({ length: 20 }, (_, i) => (i < 12 ? [1, 2] : [i, -i]));
    using cad = new CAD({ neighbors: 10 }).fit(X);
    expect([...cad.score([[1, 2]])]).toEqual([0]);
    expect([...cad.gradient([[1, 2]])].map(Math.abs)).toEqual([0, 0]);
  });
});

describe('one column', () => {
  it('gives a score that counts neighbours on either side, linear kernel', () => {
    const random = new Random(4);
    const X = random.rows(80, 1);
    const k = 9;
    const { neighbors } = paperScores(X, k, { kernel: 'linear' });
    const value = (i: number) => (X[i] as Float64Array)[0] as number;
    const truth = neighbors.map((list, i) => {
      const above = list.filter((a) => value(a) > value(i)).length;
      return ((2 * above - k) ** 2 - k) / 2; // S is the number above minus the number below
    });
    using cad = new CAD({ neighbors: k, precision: 'double' }).fit(X);
    expectAllClose(cad.scores, truth, { mixed: 1e-12 });
    const order = X.map((_, i) => i).sort((a, b) => value(a) - value(b));
    for (const end of [order[0], order[79]]) expect(cad.scores[end as number]).toBeCloseTo((k * (k - 1)) / 2, 12);
  });
});

describe.each(KERNELS)('scores and labels, %s kernel', (kernel) => {
  const random = new Random(5);
  const X = random.rows(200, 3);
  const Y = random.rows(50, 3, () => 2 * random.gaussian());

  it('turn with the orientation, and raw scores do not', () => {
    const [higher, lower, paper] = (['higher', 'lower', 'paper'] as const).map((orientation) =>
      new CAD({ kernel, orientation }).fit(X),
    ) as [CAD, CAD, CAD];
    const own = paperScores(X, 10, { kernel });
    const isAmbiguous = (i: number) => own.ambiguous.has(i);
    const sure = X.map((_, i) => i).filter((i) => !isAmbiguous(i));
    expect(sure.length).toBeGreaterThan(100);
    // Single precision is the default for some kernels.
    expectAllClose(
      sure.map((i) => higher.scores[i] as number),
      sure.map((i) => own.scores[i] as number),
      { mixed: 1e-4 },
    );
    expect(lower.scores).toEqual(higher.scores.map((score) => -score));
    expect(lower.score(Y)).toEqual(higher.score(Y).map((score) => -score));
    const same = HIGHER.includes(kernel) ? higher : lower;
    expect(paper.scores).toEqual(same.scores);
    expect(paper.score(Y)).toEqual(same.score(Y));
    for (const cad of [lower, paper]) expect(cad.rawScores).toEqual(higher.rawScores);
    expect(higher.rawScores).toEqual(higher.scores);
  });

  it.each([undefined, 0.05, 0.3])('label what exceeds the threshold (contamination %s)', (contamination) => {
    using cad = new CAD({ kernel, ...(contamination !== undefined && { contamination }) }).fit(X);
    expect(cad.isDegenerate).toBe(false);
    expect([...cad.labels]).toEqual([...cad.scores].map((score) => Number(score > cad.threshold)));
    expect([...cad.predict(Y)]).toEqual([...cad.score(Y)].map((score) => Number(score > cad.threshold)));
  });

  it.each([0.01, 0.1, 0.5])('flag the share of rows that contamination asks for: %s', (contamination) => {
    using cad = new CAD({ kernel, contamination }).fit(X);
    const isDistinct = new Set(cad.scores).size === X.length;
    const flagged = cad.labels.reduce((sum, label) => sum + label, 0);
    if (isDistinct) expect(flagged).toBe(200 * contamination);
    else expect(flagged).toBeLessThanOrEqual(200 * contamination); // ties with the threshold do not exceed it
  });
});

describe('contamination with ties', () => {
  it('flags only what strictly exceeds the threshold', () => {
    // Corners of copies of one square, whose scores are all equal, and a row inside one of them.
    const corners = Array.from({ length: 40 }, (_, i) => [100 * Math.floor(i / 4) + (i & 1), (i & 2) / 2]);
    using cad = new CAD({ neighbors: 3, contamination: 0.5 }).fit([...corners, [0.5, 0.5]]);
    const top = Math.max(...cad.scores);
    expect(cad.scores.filter((score) => score === top).length).toBeGreaterThan(41 / 2);
    expect(cad.threshold).toBe(top);
    expect(cad.labels.reduce((sum, label) => sum + label, 0)).toBe(0);
  });
});

describe('new rows', () => {
  const random = new Random(6);
  const X = random.rows(400, 2);

  it('far from all others are anomalies, and those evenly surrounded are not', () => {
    const grid = Array.from({ length: 400 }, (_, i) => [i % 20, Math.floor(i / 20)]);
    using cad = new CAD({ neighbors: 12 }).fit(grid);
    const rows = [
      [1e4, 0],
      [-500, 700],
      [9.5, 9.5],
    ];
    // All neighbours in one direction, or the 4 + 8 grid points around the middle of a square: S = 0.
    expectAllClose(cad.score(rows), [66, 66, -6], { mixed: 1e-2 });
    expect([...cad.predict(rows)]).toEqual([1, 1, 0]);
  });

  it('like the training rows are flagged about as often', () => {
    using cad = new CAD({ contamination: 0.1 }).fit(X);
    const labels = cad.predict(random.rows(1000, 2));
    const share = labels.reduce((sum, label) => sum + label, 0) / labels.length;
    expect(Math.abs(share - 0.1)).toBeLessThan(0.04);
  });
});
