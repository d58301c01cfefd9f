// What SlidingWindow promises beside its scores: alarms, what is learned, missing values, files, refusals.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CAD, KNN, LOF } from '../../src/index.js';
import { SlidingWindow } from '../../src/streams/index.js';

const row = (t: number): number[] => [Math.sin(t / 9), Math.cos(t / 9)];
const filled = (options = {}, rows = 300): SlidingWindow => {
  const window = new SlidingWindow(new KNN({ neighbors: 3 }), { window: 100, alarmRank: 3, warmup: 50, ...options });
  for (let t = 0; t < rows; t++) window.update(row(t));
  return window;
};

describe('SlidingWindow', () => {
  it('raises an alarm for a row whose score is among the highest, and not in the warm-up', () => {
    const window = filled();
    window.update([5, 5]);
    expect(window.isAlarm).toBe(true);
    window.update(row(301));
    expect(window.isAlarm).toBe(false);
    const young = filled({ warmup: 400 });
    young.update([5, 5]);
    expect(young.isAlarm).toBe(false);
  });

  it('decides by the rank of a score among the last ones, ties against the row', () => {
    const options = { memory: 40, alarmRank: 4, warmup: 0 };
    const window = filled(options, 0);
    const scores: number[] = [];
    for (let t = 0; t < 300; t++) {
      const next = t % 90 > 70 ? [1, 1] : row(t * t);
      const threshold = window.threshold;
      const score = window.update(next);
      if (Number.isNaN(score)) continue;
      const rank = 1 + scores.slice(-40).filter((other) => other >= score).length;
      expect(window.isAlarm).toBe(rank <= 4);
      expect(window.isAlarm).toBe(score > threshold);
      scores.push(score);
    }
    expect(window.scored).toBe(scores.length);
  });

  it('keeps alarms out of the window where it is told to', () => {
    for (const learnAnomalies of [true, false]) {
      const window = filled({ learnAnomalies });
      const before = window.rows();
      window.update([5, 5]);
      expect(window.isAlarm).toBe(true);
      expect(window.rows().includes(5)).toBe(learnAnomalies);
      if (!learnAnomalies) expect(window.rows()).toEqual(before);
    }
  });

  it('scores without learning and learns without scoring', () => {
    const window = filled();
    const rows = window.rows();
    const scores = window.score([row(300), [5, 5]]);
    expect(scores).toHaveLength(2);
    expect(window.rows()).toEqual(rows);
    window.learn([[5, 5]]);
    expect([...window.rows().slice(-2)]).toEqual([5, 5]);
    expect([...window.rows().slice(0, -2)]).toEqual([...rows.slice(2)]);
    expect(window.scored).toBe(filled().scored);
  });

  it('has no score before there are more rows than neighbors', () => {
    const window = new SlidingWindow(new LOF({ neighbors: 5 }), { window: 50 });
    expect(() => window.score([[1, 2]])).toThrow(expect.objectContaining({ code: 'TOO_FEW_ROWS' }));
    for (let t = 0; t < 6; t++) expect(window.update(row(t))).toBeNaN();
    expect(window.isReady).toBe(true);
    expect(window.update(row(6))).toBeGreaterThan(0);
  });

  it('answers a row with a missing value with NaN and changes nothing', () => {
    const [window, other] = [filled(), filled()];
    for (const missing of [Number.NaN, null, undefined]) {
      expect(window.update([1, missing])).toBeNaN();
      expect(window.isAlarm).toBe(false);
    }
    expect(() => window.learn([[1, Number.NaN]])).toThrow(expect.objectContaining({ code: 'NAN_VALUE' }));
    expect(window.toBytes()).toEqual(other.toBytes());
  });

  it.each([0, 2, 60, 260])('goes on with the same scores and alarms after it was saved at row %i', (at) => {
    const [window, saved] = [filled({ learnAnomalies: false }, at), filled({ learnAnomalies: false }, at)];
    const loaded = SlidingWindow.load(saved.toBytes());
    for (let t = at; t < at + 200; t++) {
      const next = t % 50 === 49 ? [3, t] : row(t);
      expect(loaded.update(next)).toEqual(window.update(next));
      expect(loaded.isAlarm).toBe(window.isAlarm);
    }
    expect(loaded.toBytes()).toEqual(window.toBytes());
  });

  it('shares the memory of the core with other models, which may take it', () => {
    const window = filled({}, 99);
    const plain = filled({ window: 100 }, 99);
    const columns = 16;
    const data = Float64Array.from({ length: 20_000 * columns }, (_, i) => (i * 7919) % 1009);
    const fits = Array.from({ length: 12 }, () => new CAD().fit({ data, rows: 20_000, columns }));
    expect(fits).toHaveLength(12);
    expect(window.score([row(99)])).toEqual(plain.score([row(99)]));
  });

  it('refuses what it cannot score by, and rows that are none', () => {
    const refused = (make: () => unknown, code: string): void =>
      expect(make, code).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
    refused(() => new SlidingWindow(new CAD({ kernel: 'cosine' })), 'KERNEL_UNSUPPORTED');
    refused(() => new SlidingWindow(new KNN({ contamination: 0.1 })), 'CONTAMINATION_INVALID');
    refused(() => new SlidingWindow({} as never), 'DETECTOR_UNSUPPORTED');
    refused(() => new SlidingWindow(new KNN(), { window: 10 }), 'COUNT_INVALID');
    refused(() => new SlidingWindow(new KNN(), { windows: 10 } as never), 'UNKNOWN_OPTION');
    refused(() => new SlidingWindow(new KNN(), { learnAnomalies: 1 } as never), 'LEARN_ANOMALIES_INVALID');
    const window = filled();
    const before = window.toBytes();
    refused(() => window.update([1]), 'WRONG_WIDTH');
    refused(() => window.update('1,2' as never), 'ROW_TYPE');
    refused(() => window.update([1, Infinity]), 'INFINITE_VALUE');
    refused(() => window.update([1, '2' as never]), 'NOT_A_NUMBER');
    refused(() => window.update([1, 1e200]), 'VALUE_TOO_LARGE');
    refused(() => window.learn([[1, 1e200]]), 'VALUE_TOO_LARGE');
    expect(window.toBytes()).toEqual(before);
    before[60] = (before[60] as number) ^ 1;
    refused(() => SlidingWindow.load(before), 'MODEL_CHECKSUM');
  });

  it('does what the snippet of its page says', async () => {
    const [, snippet] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/streams.md', 'utf8')) ?? [];
    const body = (snippet as string).replace(/^import .*$/gm, '').replace('console.log(t, score)', 'alarms.push(t)');
    const alarms: number[] = [];
    new Function('LOF', 'SlidingWindow', 'alarms', body)(LOF, SlidingWindow, alarms);
    expect(alarms).toContain(1500);
    expect(alarms.length).toBeLessThan(60);
  });
});

describe('a first row that is not taken does not say how many columns there are', () => {
  it.each([
    ['of a missing value', (window: SlidingWindow) => expect(window.update([Number.NaN])).toBeNaN()],
    ['of no number', (window: SlidingWindow) => expect(() => window.update(['x'] as never)).toThrow(/number/)],
    ['beyond what is held', (window: SlidingWindow) => expect(() => window.learn([[1e200]])).toThrow(/beyond/)],
  ])('%s', (_, refused) => {
    const window = new SlidingWindow(new CAD({ neighbors: 2 }), { window: 5 });
    refused(window);
    expect(window.columns).toBeUndefined();
    expect(window.learn([[1, 2]]).columns).toBe(2);
  });
});
