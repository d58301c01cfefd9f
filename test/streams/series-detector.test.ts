// SeriesDetector against a plain reading of its recipe, and what it promises about missing values and model files.
import { describe, expect, it } from 'vitest';
import { readModel, writeModel } from '../../src/core/model-file/model-file.js';
import { SeriesDetector } from '../../src/streams/index.js';

interface Sizes {
  window: number;
  memory: number;
}

/**
 * The recipe written with plain lists: every row is kept, and the last W and S of them are looked at. Several values
 * are divided by their standard deviation among these rows; the first 100 rows by that of all of them, when they are there.
 */
function plainScores(values: readonly number[][], { window, memory }: Sizes): number[] {
  const rows: number[][] = [];
  let raws: number[] = [];
  let rest = 0;
  return values.map((value, t) => {
    const before = rows.at(-1);
    const row = value.flatMap((x, c) =>
      [1, 8, 64].map((span, i) => {
        const mean = before?.[3 * c + i] ?? x;
        return mean + (2 / (span + 1)) * (x - mean);
      }),
    );
    const held = rows.slice(-window);
    const sizes = value.map((_, c) => (value.length === 1 ? 1 : deviation(held.map((r) => r[3 * c]))));
    if (value.length > 1 && t === 100)
      raws = [...raws.slice(held.length), ...held.map((other, i) => plainRaw(other, held.slice(0, i), sizes))];
    const raw = value.length === 1 || t >= 100 ? plainRaw(row, held, sizes) : 0;
    const rank = 1 + raws.slice(-memory).filter((other) => other >= raw).length;
    rows.push(row);
    raws.push(raw);
    if (t < 100) return 0;
    if (rest-- > 0) return 0;
    rest = rank <= 12 ? Math.floor(Math.max(20, Math.min(t, memory) / 30)) : 0;
    return 1 - Math.log(rank) / Math.log(memory + 1);
  });
}

function plainRaw(row: readonly number[], others: readonly number[][], sizes: readonly number[]): number {
  const near = others
    .map((other) => other.map((x, j) => (x - (row[j] as number)) / (sizes[Math.floor(j / 3)] as number)))
    .map((edge) => ({ edge, length: Math.sqrt(edge.reduce((sum, x) => sum + x * x, 0)) }))
    .sort((a, b) => a.length - b.length)
    .slice(0, 10);
  const sums = row.map((_, j) =>
    near.reduce((sum, { edge, length }) => sum + (length > 0 ? (edge[j] as number) / length : 0), 0),
  );
  return near.length === 0 ? 0 : (near[0]?.length as number) * (1 + Math.hypot(...sums) / near.length);
}

/** Of a population; 1 where nothing varies. */
function deviation(values: readonly (number | undefined)[]): number {
  const known = values as number[];
  const mean = known.reduce((sum, x) => sum + x, 0) / known.length;
  return Math.sqrt(known.reduce((sum, x) => sum + (x - mean) ** 2, 0) / known.length) || 1;
}

/** Waves with noise, repeats, a constant stretch and jumps of scale. */
function series(length: number): number[] {
  let state = 7;
  return Array.from({ length }, (_, t) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    if (t % 500 > 400) return 3;
    const wave = Math.round(20 * Math.sin(t / 9)) + state / 2 ** 32;
    return t % 700 > 650 ? wave * 1e6 : wave;
  });
}

/** Three values of different sizes with noise of their own; the third rests and jumps as above. */
function severalSeries(length: number): number[][] {
  let state = 11;
  const noise = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return series(length).map((value, t) => [
    1e4 * (Math.sin(t / 11) + noise()),
    noise() / 1e3 + (t > 1200 ? 1 : 0),
    value,
  ]);
}

const SIZES: Sizes[] = [
  { window: 10, memory: 50 },
  { window: 300, memory: 900 },
  { window: 2000, memory: 5000 },
];

describe('SeriesDetector', () => {
  it.each(SIZES)('scores as its recipe says: window $window, memory $memory', (sizes) => {
    const values = series(1500);
    const detector = new SeriesDetector(sizes);
    const scores = values.map((value) => detector.update(value));
    expect(scores.filter((score) => score > 0.5).length).toBeGreaterThan(3);
    // Ranks are whole numbers: sums of another order change no score visibly, unless they change a rank.
    const expected = plainScores(
      values.map((value) => [value]),
      sizes,
    );
    const different = scores.filter((score, i) => Math.abs(score - (expected[i] as number)) > 1e-12);
    expect(different).toEqual([]);
  });

  it.each(SIZES)('scores several values as its recipe says: window $window, memory $memory', (sizes) => {
    const rows = severalSeries(1500);
    const detector = new SeriesDetector(sizes);
    const scores = rows.map((row) => detector.update(row));
    expect(scores.filter((score) => score > 0.5).length).toBeGreaterThan(3);
    const expected = plainScores(rows, sizes);
    expect(scores.filter((score, i) => Math.abs(score - (expected[i] as number)) > 1e-12)).toEqual([]);
  });

  it('takes a value and a list of one for the same', () => {
    const [plain, listed] = [new SeriesDetector(), new SeriesDetector()];
    for (const value of series(900))
      expect(listed.update(Float32Array.of(value))).toBe(plain.update(Math.fround(value)));
  });

  it('scores several values the same in any units', () => {
    const [plain, scaled] = [new SeriesDetector({ window: 200 }), new SeriesDetector({ window: 200 })];
    for (const [a, b, c] of severalSeries(800) as Array<[number, number, number]>)
      expect(scaled.update([a * 2 ** 40, b, c / 2 ** 30])).toBe(plain.update([a, b, c]));
  });

  it('finds a jump of the smallest of several values', () => {
    const detector = new SeriesDetector();
    const at = (t: number): number[] => [1e6 * Math.sin(t / 5), 1e-3 * Math.cos(t / 7), 5];
    for (let t = 0; t < 900; t++) detector.update(at(t));
    const [large, small, constant] = at(900) as [number, number, number];
    detector.update([large, small + 0.01, constant]);
    expect(detector.isAlarm).toBe(true);
  });

  it('keeps finite scores where spreads are as small as numbers get', () => {
    const detector = new SeriesDetector({ window: 50, warmup: 20 });
    const scores = Array.from({ length: 300 }, (_, t) =>
      detector.update([(t % 3) * 5e-324, t === 200 ? 1e150 : t % 7]),
    );
    expect(scores.filter((score) => !(score >= 0 && score <= 1))).toEqual([]);
    expect(scores[200]).toBe(1);
  });

  it('raises an alarm for a jump, and then rests', () => {
    const detector = new SeriesDetector();
    for (let t = 0; t < 700; t++) detector.update(Math.sin(t / 5));
    expect(detector.update(50)).toBe(1);
    expect(detector.isAlarm).toBe(true);
    expect(detector.update(90)).toBe(0);
    expect(detector.isAlarm).toBe(false);
  });

  it('goes on with the same scores after it was saved and loaded, full or not', () => {
    const values = series(1200);
    for (const at of [0, 1, 60, 150, 1100]) {
      const detector = new SeriesDetector({ window: 100, memory: 400 });
      for (const value of values.slice(0, at)) detector.update(value);
      const loaded = SeriesDetector.load(detector.toBytes());
      for (const value of values.slice(at)) expect(loaded.update(value)).toBe(detector.update(value));
      expect(loaded.threshold).toBe(detector.threshold);
    }
  });

  it('goes on with the same scores of several values after it was saved and loaded', () => {
    const rows = severalSeries(700);
    for (const at of [0, 1, 60, 100, 101, 150, 600]) {
      const detector = new SeriesDetector({ window: 100, memory: 400 });
      for (const row of rows.slice(0, at)) detector.update(row);
      const loaded = SeriesDetector.load(detector.toBytes());
      for (const row of rows.slice(at)) expect(loaded.update(row)).toBe(detector.update(row));
      expect(loaded.columns).toBe(3);
    }
  });

  it('loads files of one value that do not say so', () => {
    const detector = new SeriesDetector({ window: 50 });
    for (const value of series(120)) detector.update(value);
    const { columns: _, ...fields } = readModel(detector.toBytes()).fields;
    const { sections } = readModel(detector.toBytes());
    const loaded = SeriesDetector.load(writeModel({ detector: 'SeriesDetector', fields, sections }));
    for (const value of series(200)) expect(loaded.update(value)).toBe(detector.update(value));
  });

  it('answers a missing value with NaN and learns nothing of it', () => {
    const detector = new SeriesDetector();
    const other = new SeriesDetector();
    for (const value of series(400)) {
      for (const missing of [Number.NaN, null, undefined]) expect(detector.update(missing)).toBeNaN();
      expect(detector.update(value)).toBe(other.update(value));
    }
    expect(detector.seen).toBe(400);
    const several = new SeriesDetector();
    expect(several.update([null, 1])).toBeNaN();
    several.update([1, 2]);
    expect(several.update([Number.NaN, 1])).toBeNaN();
    expect(several.seen).toBe(1);
  });

  it('refuses what is no number, infinite or too large, and changed files', () => {
    const detector = new SeriesDetector();
    expect(() => detector.update(Infinity)).toThrow(expect.objectContaining({ code: 'INFINITE_VALUE' }));
    expect(() => detector.update('1' as never)).toThrow(expect.objectContaining({ code: 'NOT_A_NUMBER' }));
    expect(() => detector.update(1e200)).toThrow(expect.objectContaining({ code: 'VALUE_TOO_LARGE' }));
    detector.update([1, 2]);
    expect(() => detector.update(1)).toThrow(expect.objectContaining({ code: 'WRONG_WIDTH' }));
    expect(() => detector.update([])).toThrow(expect.objectContaining({ code: 'NO_COLUMNS' }));
    expect(() => detector.update([1, Infinity])).toThrow(
      expect.objectContaining({ code: 'INFINITE_VALUE', column: 1 }),
    );
    expect(() => new SeriesDetector({ window: 1 })).toThrow(expect.objectContaining({ code: 'COUNT_INVALID' }));
    const bytes = detector.toBytes();
    bytes[40] = (bytes[40] as number) ^ 1;
    expect(() => SeriesDetector.load(bytes)).toThrow(expect.objectContaining({ name: 'CurvadError' }));
  });
});
