// SeriesDetector against a plain reading of its recipe, and what it promises about missing values and model files.
import { describe, expect, it } from 'vitest';
import { SeriesDetector } from '../../src/streams/index.js';

interface Sizes {
  window: number;
  memory: number;
}

/** The recipe written with plain lists: every row is kept, and the last W and S of them are looked at. */
function plainScores(values: readonly number[], { window, memory }: Sizes): number[] {
  const rows: number[][] = [];
  const raws: number[] = [];
  let rest = 0;
  return values.map((value, t) => {
    const before = rows.at(-1) ?? [value, value, value];
    const row = [1, 8, 64].map((span, i) => (before[i] as number) + (2 / (span + 1)) * (value - (before[i] as number)));
    const edges = rows.slice(-window).map((other) => other.map((x, j) => x - (row[j] as number)));
    const near = edges
      .map((edge) => ({ edge, length: Math.sqrt(edge.reduce((sum, x) => sum + x * x, 0)) }))
      .sort((a, b) => a.length - b.length)
      .slice(0, 10);
    const sums = row.map((_, j) =>
      near.reduce((sum, { edge, length }) => sum + (length > 0 ? (edge[j] as number) / length : 0), 0),
    );
    const raw = near.length === 0 ? 0 : (near[0]?.length as number) * (1 + Math.hypot(...sums) / near.length);
    const rank = 1 + raws.slice(-memory).filter((other) => other >= raw).length;
    rows.push(row);
    raws.push(raw);
    if (t < 100) return 0;
    if (rest-- > 0) return 0;
    rest = rank <= 12 ? Math.floor(Math.max(20, Math.min(t, memory) / 30)) : 0;
    return 1 - Math.log(rank) / Math.log(memory + 1);
  });
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
    const expected = plainScores(values, sizes);
    const different = scores.filter((score, i) => Math.abs(score - (expected[i] as number)) > 1e-12);
    expect(different).toEqual([]);
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

  it('answers a missing value with NaN and learns nothing of it', () => {
    const detector = new SeriesDetector();
    const other = new SeriesDetector();
    for (const value of series(400)) {
      for (const missing of [Number.NaN, null, undefined]) expect(detector.update(missing)).toBeNaN();
      expect(detector.update(value)).toBe(other.update(value));
    }
    expect(detector.seen).toBe(400);
  });

  it('refuses what is no number, infinite or too large, and changed files', () => {
    const detector = new SeriesDetector();
    expect(() => detector.update(Infinity)).toThrow(expect.objectContaining({ code: 'INFINITE_VALUE' }));
    expect(() => detector.update('1' as never)).toThrow(expect.objectContaining({ code: 'NOT_A_NUMBER' }));
    expect(() => detector.update(1e200)).toThrow(expect.objectContaining({ code: 'VALUE_TOO_LARGE' }));
    expect(() => new SeriesDetector({ window: 1 })).toThrow(expect.objectContaining({ code: 'COUNT_INVALID' }));
    const bytes = detector.toBytes();
    bytes[40] = (bytes[40] as number) ^ 1;
    expect(() => SeriesDetector.load(bytes)).toThrow(expect.objectContaining({ name: 'CurvadError' }));
  });
});
