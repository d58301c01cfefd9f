// The time that a bar says is left, on made recordings of work whose parts go on at different speeds.
import { describe, expect, it } from 'vitest';
import { Remaining } from '../../src/cli/remaining.js';

/** What a bar hears: parts of so many seconds, each up to a share. */
function* reports(parts: ReadonlyArray<readonly [seconds: number, upTo: number]>): Generator<[number, number]> {
  let [start, from] = [0, 0];
  for (const [seconds, upTo] of parts) {
    for (let i = 1; i <= 100; i++) yield [start + (seconds * i) / 100, from + ((upTo - from) * i) / 100];
    start += seconds;
    from = upTo;
  }
}

/** The largest error of what is told from a share on, as a share of the true rest. */
function worstFrom(least: number, parts: ReadonlyArray<readonly [number, number]>): number {
  const total = parts.reduce((sum, [seconds]) => sum + seconds, 0);
  const remaining = new Remaining();
  let worst = 0;
  for (const [seconds, share] of reports(parts)) {
    remaining.note(seconds, share);
    if (share < least || share > 0.99) continue;
    const rest = total - seconds;
    worst = Math.max(worst, Math.abs((remaining.after(seconds) as number) - rest) / rest);
  }
  return worst;
}

describe('the time that is left', () => {
  it('is right for steady work', () => {
    expect(worstFrom(0.02, [[100, 1]])).toBeLessThan(1e-9);
  });

  it('is within 30 % from the first quarter on where a slow beginning was taken for less than it is', () => {
    expect(
      worstFrom(0.25, [
        [10, 0.08],
        [40, 0.95],
        [2.1, 1],
      ]),
    ).toBeLessThan(0.3);
    expect(
      worstFrom(0.25, [
        [20, 0.1],
        [60, 1],
      ]),
    ).toBeLessThan(0.3);
  });

  it('follows work that turns out slower, within less than half of the time so far', () => {
    const remaining = new Remaining();
    for (const [seconds, share] of reports([
      [10, 0.5],
      [20, 0.75],
    ]))
      remaining.note(seconds, share);
    expect(remaining.after(30)).toBeCloseTo(20, 6);
  });

  it('is not told before there is anything to tell it by', () => {
    const remaining = new Remaining();
    expect(remaining.after(3)).toBeUndefined();
    remaining.note(0, 0);
    expect(remaining.after(3)).toBeUndefined();
    remaining.note(4, 0);
    expect(remaining.after(5)).toBeUndefined();
  });

  it('grows while nothing is heard', () => {
    const remaining = new Remaining();
    for (const [seconds, share] of reports([[10, 0.5]])) remaining.note(seconds, share);
    expect(remaining.after(10)).toBeCloseTo(10, 6);
    expect(remaining.after(14) as number).toBeGreaterThan(14);
  });

  it('needs no more room for a million reports', () => {
    const remaining = new Remaining();
    for (let i = 1; i <= 1e6; i++) remaining.note(i / 1e4, i / 2e6);
    expect(remaining.after(100)).toBeCloseTo(100, 0);
  });
});
