// Words and missing values of a table beside its numbers: LandmarkCAD gives a rare word the weight of a common one.
import { describe, expect, it } from 'vitest';
import { readModel } from '../../src/core/model-file/model-file.js';
import { crossValidate, KNN, LandmarkCAD, load, rocAuc, table } from '../../src/index.js';
import { TableReader } from '../../src/tables/reader.js';
import { Random } from '../support/data.js';

const random = new Random(83);
const rows = Array.from({ length: 300 }, (_, i) => ({
  a: random.gaussian(),
  b: i % 17 === 3 ? null : random.gaussian() * 40,
  word: i === 7 ? 'once' : i % 3 === 0 ? 'third' : 'others',
  flag: i % 100 === 5,
}));
const given = table(rows, { missing: 'indicator' });

/** Mean and deviation of an encoded column. */
function momentsOf(column: number): { mean: number; deviation: number } {
  const reader = new TableReader().learn(given);
  const { data, columns } = { data: new Float64Array(reader.rows * reader.columns), columns: reader.columns };
  reader.readTo(data, 0, reader.rows);
  const values = Array.from({ length: reader.rows }, (_, i) => data[i * columns + column] as number);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, deviation: Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) };
}

describe('words and missing values', () => {
  const detector = new LandmarkCAD().fit(given);
  const features = detector.recipe?.features as readonly string[];

  it('are divided by half at least, numbers by their deviation', () => {
    const scale = readModel(detector.toBytes()).sections['scale'] as Float64Array;
    const marks = ['word=others', 'word=third', 'word=once', 'b is missing', 'flag'];
    expect(features.filter((name) => marks.includes(name)).length).toBe(5);
    for (const [j, name] of features.entries()) {
      const { deviation } = momentsOf(j);
      expect(scale[j], name).toBeCloseTo(marks.includes(name) ? Math.max(0.5, deviation) : deviation, 12);
    }
    expect(momentsOf(features.indexOf('word=once')).deviation).toBeLessThan(0.06);
  });

  it('do not decide alone: a row with a word of its own is not beyond one whose number is far out', () => {
    const far = rows.map((row, i) => (i === 9 ? { ...row, a: 9 } : row));
    const found = new LandmarkCAD().fit(table(far, { missing: 'indicator' }));
    expect(found.top(1)[0]).toBe(9);
    expect(found.scores[7]).toBeGreaterThan(found.scores.toSorted()[200] as number); // and yet it is unusual
  });

  it('score alike after loading, asynchronously, by name, and in cross-validation', async () => {
    const again = await new LandmarkCAD().fitAsync(given, { threads: 0 });
    expect(again.scores).toEqual(detector.scores);
    const loaded = load(detector.toBytes());
    const news = [{ word: 'new', flag: true, b: null, a: 1 }, ...rows.slice(0, 5)];
    expect(loaded.score(news)).toEqual(detector.score(news));
    const labels = rows.map((_, i) => Number(i % 10 === 0));
    const { folds, metrics } = crossValidate(() => new LandmarkCAD(), given, labels, { folds: 3 });
    for (const [i, { train, test }] of folds.entries()) {
      const pick = <T>(list: readonly T[], which: Uint32Array): T[] => Array.from(which, (row) => list[row] as T);
      const fold = new LandmarkCAD().fit(table(pick(rows, train), { missing: 'indicator' }));
      expect(metrics.rocAuc.test.values[i]).toBe(rocAuc(pick(labels, test), fold.score(pick(rows, test))));
    }
  });

  it('change nothing where nothing is clipped, and nothing in tables of numbers alone', () => {
    const numbers = rows.map(({ a, flag }) => ({ a, flag: Number(flag) }));
    const plain = new LandmarkCAD().fit(numbers.map(({ a, flag }) => [a, flag]));
    expect(new LandmarkCAD().fit(numbers).scores).toEqual(plain.scores);
    const reader = new TableReader().learn(given);
    const data = new Float64Array(reader.rows * reader.columns);
    reader.readTo(data, 0, reader.rows);
    const matrix = { data, rows: reader.rows, columns: reader.columns };
    expect(new KNN({ standardize: true }).fit(given).scores).toEqual(new KNN({ standardize: true }).fit(matrix).scores);
  });
});
