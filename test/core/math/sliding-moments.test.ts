// Numbers that come and go: their mean and deviation are those of ColumnStatistics over what is there, bit for bit.
import { expect, it } from 'vitest';
import { ColumnStatistics } from '../../../src/core/input/column-statistics.js';
import { SlidingMoments } from '../../../src/core/math/sliding-moments.js';
import { Random } from '../../support/data.js';

const SCALES = [1, 1e-3, 1e6, 1e150, 1e-300, 5e-324, 0, 7];

it('has the mean and the deviation of the numbers that are there, to the last bit', () => {
  const random = new Random(3);
  const moments = new SlidingMoments();
  const there: number[] = [];
  for (let t = 0; t < 4000; t++) {
    const scale = SCALES[Math.floor(t / 83) % SCALES.length] as number;
    const value = (t % 9 === 0 ? Math.round(random.uniform() * 4) : random.uniform() - 0.4) * scale;
    moments.add(value);
    there.push(value);
    if (there.length > 1 + (t % 90)) moments.remove(there.shift() as number);
    if (t % 7) continue;
    const expected = new ColumnStatistics(1).add(there.map((item) => [item]));
    expect(moments.mean(there.length)).toBe((expected.mean[0] as number) + 0);
    expect(moments.deviation(there.length)).toBe(expected.deviation[0]);
  }
});
