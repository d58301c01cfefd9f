// EllipticEnvelope as a user meets it: what outliers, units, backends and batches must not change, data
// without spread, wrong options, and model files.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readModel, writeModel } from '../../src/core/model-file/model-file.js';
import { CurvadError, EllipticEnvelope, type EllipticEnvelopeOptions, type ErrorCode, load } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import { BACKENDS, Random } from '../support/data.js';

const fitted = (rows: readonly ArrayLike<number>[], options?: EllipticEnvelopeOptions) =>
  new EllipticEnvelope(options).fit(rows);

function refusal(act: () => unknown): { code: ErrorCode; message: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof CurvadError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the envelope', () => {
  it.each([1e2, 1e6, 1e12])('stays where it is when three rows in ten are outliers at %d deviations', (distance) => {
    for (const columns of [1, 2, 5, 10]) {
      const random = new Random(columns);
      const clean = random.rows(420, columns);
      const outliers = random.rows(180, columns, () => distance + random.gaussian());
      using plain = fitted(clean);
      using envelope = fitted([...outliers, ...clean]);
      for (let j = 0; j < columns; j++) {
        expect(Math.abs((envelope.location[j] as number) - (plain.location[j] as number))).toBeLessThan(0.25);
        const variance = envelope.covariance[j * columns + j] as number;
        expect(variance).toBeGreaterThan(0.5);
        expect(variance).toBeLessThan(2);
      }
      expect(envelope.support.subarray(0, 180).every((flag) => flag === 0)).toBe(true);
      const { scores } = envelope;
      const inside = scores.subarray(180).reduce((most, score) => Math.max(most, score));
      expect(scores.subarray(0, 180).every((score) => score > inside)).toBe(true);
    }
  });

  it('does not see units, turns or moves: scores of A x + b are those of x', () => {
    let compared = 0;
    const shape = fc.record({ seed: fc.nat(), columns: fc.integer({ min: 1, max: 6 }) });
    fc.assert(
      fc.property(shape, ({ seed, columns }) => {
        const random = new Random(seed);
        const rows = random.rows(8 * columns + 20, columns, () => random.gaussian() * (random.uniform() < 0.1 ? 9 : 1));
        const A = random.rows(columns, columns);
        A.forEach((row, j) => {
          row[j] = (row[j] as number) + 4;
        });
        const units = Float64Array.from({ length: columns }, () => 10 ** random.integer(7));
        const [b] = random.rows(1, columns, () => 50 * random.gaussian()) as [Float64Array];
        const moved = rows.map((x) =>
          Float64Array.from(A, (row, j) => {
            const sum = row.reduce((total, value, k) => total + value * (x[k] as number), b[j] as number);
            return sum * (units[j] as number);
          }),
        );
        using envelope = fitted(rows);
        using other = fitted(moved);
        // Near a tie rounding may let the search end elsewhere: only the same support must mean the same scores.
        if (other.support.some((flag, i) => flag !== envelope.support[i])) return;
        compared++;
        expectAllClose(other.scores, envelope.scores, { relative: 1e-6 });
      }),
      { seed: 21, numRuns: 20 },
    );
    expect(compared).toBeGreaterThanOrEqual(15);
  });

  it('is the same to the last bit on all backends', () => {
    for (const [count, columns] of [
      [60, 1],
      [80, 4],
      [650, 3],
      [90, 9],
      [1900, 2],
    ] as const) {
      const random = new Random(count);
      const rows = random.rows(count, columns, () => random.gaussian() ** 3);
      const singular = rows.map((row) => Float64Array.of(...row, 7, (row[0] as number) - 1));
      for (const data of [rows, singular]) {
        const [js, ...others] = BACKENDS.map((backend) => {
          using envelope = fitted(data, { backend });
          const { scores, labels, location, covariance, support, rank } = envelope;
          return { scores, labels, location, covariance, support, rank, again: envelope.score(data.slice(0, 70)) };
        });
        for (const other of others) expect(other).toEqual(js);
        expect(js?.again).toEqual(js?.scores.slice(0, 70));
      }
    }
  });

  it.each(BACKENDS)('scores a row alike alone, in any batch and after loading, %s', (backend) => {
    const random = new Random(4);
    const rows = random.rows(200, 5);
    const news = random.rows(200, 5, () => 3 * random.gaussian());
    using envelope = fitted(rows, { backend });
    const scores = envelope.score(news);
    for (const size of [1, 2, 7, 8, 9, 63, 64, 65, 130]) {
      expect(envelope.score(news.slice(11, 11 + size))).toEqual(scores.slice(11, 11 + size));
    }
    using loaded = load(envelope.toBytes(), { backend }) as EllipticEnvelope;
    expect(loaded.score(news)).toEqual(scores);
  });

  it('is reproduced by its seed', () => {
    const rows = new Random(9).rows(150, 6);
    expect(fitted(rows, { seed: 3 }).scores).toEqual(fitted(rows, { seed: 3 }).scores);
  });

  it('takes the threshold of contamination', () => {
    using envelope = fitted(new Random(2).rows(200, 3), { contamination: 0.1 });
    expect(envelope.labels.reduce((sum, label) => sum + label, 0)).toBe(20);
  });

  it('ignores standardize, as units do not matter', () => {
    const rows = new Random(2).rows(100, 3);
    expect(fitted(rows, { standardize: true }).scores).toEqual(fitted(rows).scores);
  });

  it('survives numbers of any size', () => {
    const rows = new Random(6).rows(80, 3);
    const truth = fitted(rows).scores;
    for (const unit of [2 ** -900, 2 ** -60, 2 ** 60, 2 ** 400]) {
      expectAllClose(fitted(rows.map((row) => row.map((value) => value * unit))).scores, truth, { relative: 1e-9 });
    }
    const offset = rows.map((row) => row.map((value) => Math.round(value * 1024) / 1024 + 2 ** 30));
    expectAllClose(fitted(offset).scores, fitted(offset.map((row) => row.map((value) => value - 2 ** 30))).scores, {
      relative: 1e-9,
    });
  });
});

describe('columns that say nothing', () => {
  const random = new Random(31);
  const clean = random.rows(300, 3);
  const rows = [...clean, ...random.rows(100, 3, () => 40 + random.gaussian())];
  const useless: Array<[string, (row: Float64Array) => number[]]> = [
    ['constant', () => [5]],
    ['twice the same', (row) => [row[1] as number]],
    ['a sum of others', (row) => [(row[0] as number) + 3 * (row[2] as number), -2]],
  ];

  it.each(useless)('change no score: %s', (_, columns) => {
    using plain = fitted(rows);
    using envelope = fitted(rows.map((row) => [...row, ...columns(row)]));
    expect(envelope.isSingular).toBe(true);
    expect(envelope.rank).toBe(3);
    expect(plain.rank).toBe(3);
    expect(envelope.support.subarray(300).every((flag) => flag === 0)).toBe(true);
    expectAllClose(envelope.location.slice(0, 3), plain.location, { relative: 0.5 });
    // The search may end in another support; with all rows there is no search.
    expectAllClose(
      fitted(
        rows.map((row) => [...row, ...columns(row)]),
        { supportFraction: 1 },
      ).scores,
      fitted(rows, { supportFraction: 1 }).scores,
      { relative: 1e-8 },
    );
  });

  it('are ignored in new rows that leave the subspace', () => {
    using envelope = fitted(rows.map((row) => [...row, 5]));
    const [inside, outside] = envelope.score([
      [0, 0, 0, 5],
      [0, 0, 0, 500],
    ]);
    expect(outside).toBe(inside);
  });

  it('do not hide behind a few rows far out in one direction', () => {
    const far = clean.map((row, i) => (i < 3 ? row.map((value) => value + 1e14) : row));
    using envelope = fitted(far);
    expect(envelope.rank).toBe(3);
    expect([...envelope.labels.subarray(0, 3)]).toEqual([1, 1, 1]);
    expect(Math.abs(envelope.location[0] as number)).toBeLessThan(0.5);
  });
});

describe('rows that cannot be fitted', () => {
  const random = new Random(8);
  // biome-ignore format: a table
  const cases: Array<[string, ArrayLike<number>[], EllipticEnvelopeOptions, ErrorCode, RegExp]> = [
    ['one row', [[1, 2]], {}, 'TOO_FEW_ROWS', /at least 3 rows, got 1/],
    ['equal rows', Array.from({ length: 20 }, () => [1, 2]), {}, 'NO_SPREAD', /all 20 rows are equal/],
    ['mostly equal rows', Array.from({ length: 20 }, (_, i) => [i < 15 ? 1 : i, 2]), {}, 'NO_SPREAD', /supportFraction/],
    ['no more rows than columns', random.rows(5, 8), {}, 'TOO_FEW_ROWS', /span 4 dimensions need at least 6 rows .*got 5/],
    ['one more row than columns', random.rows(4, 3), {}, 'TOO_FEW_ROWS', /at least 5/],
    ['a huge value', [[1e200], [2], [3], [4], [5]], {}, 'VALUE_TOO_LARGE', /row 0, column 0/],
  ];

  it.each(cases)('are refused: %s', (_, rows, options, code, message) => {
    for (const backend of BACKENDS) {
      const error = refusal(() => fitted(rows, { ...options, backend }));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(message);
    }
  });

  it('leave the detector as it was', () => {
    using envelope = fitted(random.rows(30, 2));
    const before = envelope.scores;
    refusal(() =>
      envelope.fit([
        [1, 2],
        [1, 2],
      ]),
    );
    expect(envelope.scores).toBe(before);
  });

  it('are few: fewer rows than columns can be fitted with a part of them', () => {
    using envelope = fitted(random.rows(12, 30), { supportFraction: 0.75 });
    expect(envelope.rank).toBeLessThan(12);
    expect(envelope.scores.every(Number.isFinite)).toBe(true);
  });
});

describe('options', () => {
  // biome-ignore format: a table
  it.each<[string, unknown, ErrorCode]>([
    ['supportFraction', 0.4, 'SUPPORT_FRACTION_INVALID'], ['supportFraction', 1.1, 'SUPPORT_FRACTION_INVALID'],
    ['supportFraction', '0.7', 'SUPPORT_FRACTION_INVALID'], ['supportFraction', Number.NaN, 'SUPPORT_FRACTION_INVALID'],
    ['assumeCentered', 1, 'ASSUME_CENTERED_INVALID'], ['seed', -1, 'SEED_INVALID'], ['seed', 0.5, 'SEED_INVALID'],
    ['standardize', 'yes', 'STANDARDIZE_INVALID'], ['contamination', 0.6, 'CONTAMINATION_INVALID'],
    ['backend', 'gpu', 'BACKEND_UNKNOWN'], ['neighbors', 10, 'UNKNOWN_OPTION'],
  ])('refuse %s: %s', (name, value, code) => {
    const error = refusal(() => new EllipticEnvelope({ [name]: value }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(name);
  });
});

describe('a model file', () => {
  const random = new Random(77);
  const rows = random.rows(60, 3);
  const news = random.rows(20, 3, () => 5 * random.gaussian());
  const files = [
    fitted(rows, { supportFraction: 0.7, seed: 4, contamination: 0.2 }).toBytes(),
    fitted(
      rows.map((row) => [...row, 1]),
      { assumeCentered: true },
    ).toBytes(),
  ];

  it('gives back all that was fitted', () => {
    using envelope = fitted(rows, { contamination: 0.2 });
    using loaded = EllipticEnvelope.load(envelope.toBytes());
    expect(loaded.score(news)).toEqual(envelope.score(news));
    for (const name of [
      'scores',
      'labels',
      'location',
      'covariance',
      'support',
      'rank',
      'isSingular',
      'threshold',
    ] as const) {
      expect(loaded[name]).toEqual(envelope[name]);
    }
    expect(loaded.toBytes()).toEqual(envelope.toBytes());
    expect(load(envelope.toBytes())).toBeInstanceOf(EllipticEnvelope);
  });

  it.each(['rows', 'columns', 'rank', 'supportFraction', 'assumeCentered', 'seed', 'threshold', 'contamination'])(
    'is refused or harmless with a strange %s',
    (name) => {
      for (const file of files) {
        for (const value of [-1, 0, 2, 4, 1e9, 2 ** 40, 0.5, 'x', null, {}, true]) {
          const model = readModel(file);
          expectRefusedOrFinite(writeModel({ ...model, fields: { ...model.fields, [name]: value } }));
        }
      }
    },
  );

  it.each(['offset', 'scale', 'location', 'whitening', 'covariance', 'support', 'scores'])(
    'is refused or harmless with a strange section %s',
    (name) => {
      for (const file of files) {
        const model = readModel(file);
        const section = model.sections[name] as Float64Array;
        const replacements = [
          section.slice(1), new Float64Array(0), new Float32Array(section.length),
          ...[Number.NaN, Infinity, -1, 0, 2, 1e308, 5e-324].map((value) => section.slice().fill(value, 0, 2)),
          section.slice().fill(-1e308),
        ]; // biome-ignore format: a list
        for (const replacement of replacements) {
          expectRefusedOrFinite(writeModel({ ...model, sections: { ...model.sections, [name]: replacement } }));
        }
        const { [name]: _, ...rest } = model.sections;
        expect(refusal(() => load(writeModel({ ...model, sections: rest }))).code).toBe('MODEL_CORRUPT');
      }
    },
  );

  it('of another detector is refused', () => {
    const model = readModel(files[0]);
    expect(refusal(() => EllipticEnvelope.load(writeModel({ ...model, detector: 'CAD' }))).code).toBe('MODEL_FOREIGN');
  });

  function expectRefusedOrFinite(bytes: Uint8Array): void {
    for (const backend of ['js', 'wasm'] as const) {
      try {
        using loaded = load(bytes, { backend });
        const columns = (loaded as EllipticEnvelope).location.length;
        expect(loaded.score([new Float64Array(columns).fill(3)]).every(Number.isFinite)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(CurvadError);
        expect((error as CurvadError).code).toMatch(/^MODEL_|^VALUE_TOO_LARGE$/);
      }
    }
  }
});

it('what was fitted on rows without spread can be loaded, as all that was fitted', () => {
  const rows = [...Array(6).fill([-0.49812111395625325]), [-0.8277448600634213]] as number[][];
  const fitted = new EllipticEnvelope({ supportFraction: 1 }).fit(rows);
  const loaded = EllipticEnvelope.load(fitted.toBytes());
  expect(loaded.scores).toEqual(fitted.scores);
  expect(loaded.score(rows)).toEqual(fitted.score(rows));
});
