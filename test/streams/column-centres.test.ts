// Centres kept up row by row against those of a fit on the same rows.

import { describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/input/matrix.js';
import { fitScaling } from '../../src/core/input/scaling.js';
import { finish } from '../../src/core/steps.js';
import { ColumnCentres } from '../../src/streams/column-centres.js';

const OPTIONS = { standardize: false, center: true, isExplicit: true } as const;

/** Slides a window over a series and counts the rows after which the centre is not that of a fit. */
function differences(values: readonly number[], capacity: number): number {
  return differencesIn('single', values, capacity) + differencesIn('double', values, capacity);
}

function differencesIn(precision: 'single' | 'double', values: readonly number[], capacity: number): number {
  const slots = new Float64Array(capacity).fill(Number.NaN);
  const centres = new ColumnCentres(slots, 1, precision);
  let different = 0;
  values.forEach((value, t) => {
    const slot = t % capacity;
    const before = Float64Array.of(slots[slot] as number);
    slots[slot] = value;
    centres.replace(slot, t < capacity ? undefined : before);
    const count = Math.min(t + 1, capacity);
    centres.update(count);
    const rows = values.slice(t + 1 - count, t + 1).map((x) => [x]);
    const { scaling } = finish(fitScaling(new RowReader().attach(rows), { ...OPTIONS, precision }));
    if (scaling.offset[0] !== centres.offsets[0]) different++;
  });
  return different;
}

function series(length: number, value: (random: number, t: number) => number): number[] {
  let state = 5;
  return Array.from({ length }, (_, t) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return value(state / 2 ** 32, t);
  });
}

describe('column centres', () => {
  it.each([7, 50, 200])('are those of a fit on the last %i rows', (capacity) => {
    expect(
      differences(
        series(1500, (random) => random),
        capacity,
      ),
    ).toBe(0);
    expect(
      differences(
        series(1500, (_, t) => t),
        capacity,
      ),
    ).toBe(0);
    expect(
      differences(
        series(1500, (random) => Math.round(3 * random)),
        capacity,
      ),
    ).toBe(0);
    expect(
      differences(
        series(1500, (random, t) => (t % 400 > 390 ? 1e100 : random)),
        capacity,
      ),
    ).toBe(0);
    expect(
      differences(
        series(1500, (random, t) => (t % 300 > 200 ? 5 : 1e9 + random)),
        capacity,
      ),
    ).toBe(0);
  });

  it('are those of a fit where the mean lies on a border of rounding', () => {
    // The mean is 3/16, a border for the range 1; plain sums of tenths are now 1.5, now next to it.
    const tenths = series(600, (_, t) => [0, 1, 0.1, 0.2, 0.1, 0.1, 0, 0][(t * 5 + Math.floor(t / 8)) % 8] as number);
    expect(differences(tenths, 80)).toBe(0);
  });
});
