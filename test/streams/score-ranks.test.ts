// Ranks among the last scores against a plain list of them.
import { expect, it } from 'vitest';
import { ScoreRanks } from '../../src/streams/score-ranks.js';

it.each([2, 7, 40])('ranks among the last %i scores are those of a list of them, ties and all', (capacity) => {
  const ranks = new ScoreRanks(capacity);
  const all: number[] = [];
  let state = 3;
  for (let t = 0; t < 500; t++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const score = t % 90 > 60 ? 4 : (state % 23) - 11;
    const last = all.slice(-capacity);
    expect(ranks.count).toBe(last.length);
    expect([...ranks.scores()]).toEqual(last);
    for (const asked of [score, -Infinity, 4, 100])
      expect(ranks.countAtLeast(asked)).toBe(last.filter((other) => other >= asked).length);
    const sorted = [...last].sort((a, b) => b - a);
    for (const n of [1, 3, capacity + 5])
      if (last.length > 0) expect(ranks.largest(n)).toBe(sorted[Math.min(n, last.length) - 1]);
    ranks.push(score);
    all.push(score);
  }
});
