// Distances by the scales of before and of now, measured plainly, are within what ScaleDrift says of them.
import { describe, expect, it } from 'vitest';
import { softlyClipped } from '../../src/core/math/soft-clip.js';
import type { ColumnMoves } from '../../src/streams/column-moves.js';
import { type Moves, ScaleDrift } from '../../src/streams/scale-drift.js';
import { Random } from '../support/data.js';

const COLUMNS = 3;

/** Rows, how they were held and how they would be held now: another mean and deviation, by a share. */
function drifted(random: Random, { far, share }: { far: number; share: number }) {
  const rows = Array.from({ length: 40 }, (_, i) =>
    Float64Array.from({ length: COLUMNS }, () => random.gaussian() * (i % 10 === 0 ? far : 1)),
  );
  const moves = (by: number) => ({
    offsets: Float64Array.from({ length: COLUMNS }, () => 0.3 + by * random.gaussian()),
    scales: Float64Array.from({ length: COLUMNS }, () => 1.2 * (1 + by * random.gaussian())),
  });
  const held: Moves = moves(0);
  const extreme = (pick: (...values: number[]) => number) =>
    Float64Array.from({ length: COLUMNS }, (_, j) => pick(...rows.slice(1).map((row) => row[j] as number)));
  const now = { ...moves(share), smallest: extreme(Math.min), largest: extreme(Math.max) } as unknown as ColumnMoves;
  return { rows, held, now };
}

function distanceOf(isAbsolute: boolean, a: Float64Array, b: Float64Array): number {
  const differences = Array.from(a, (value, j) => Math.abs(value - (b[j] as number)));
  return isAbsolute ? differences.reduce((sum, x) => sum + x) : Math.hypot(...differences);
}

describe('ScaleDrift', () => {
  it.each([
    { isClipped: true, isAbsolute: false, far: 1 },
    { isClipped: true, isAbsolute: false, far: 30 },
    { isClipped: true, isAbsolute: true, far: 1e6 },
    { isClipped: false, isAbsolute: false, far: 1e6 },
    { isClipped: false, isAbsolute: true, far: 1 },
  ])('bounds how distances change: $isClipped, $isAbsolute, $far', ({ isClipped, isAbsolute, far }) => {
    const random = new Random(far);
    for (const share of [0, 1e-4, 0.01, 0.1]) {
      for (const precision of ['single', 'double'] as const) {
        const { rows, held, now } = drifted(random, { far, share });
        const drift = new ScaleDrift({ precision, isClipped, isAbsolute });
        drift.measure(held, now, rows[0] as Float64Array);
        const scaled = ({ offsets, scales }: Moves) =>
          rows.map((row) =>
            row.map((value, j) => {
              const z = (value - (offsets[j] as number)) / (scales[j] as number);
              const clipped = isClipped ? softlyClipped(z) : z;
              return precision === 'single' ? Math.fround(clipped) : clipped;
            }),
          );
        const [before, after] = [scaled(held), scaled(now)];
        const steepest = { least: Infinity, most: 0 };
        before.forEach((a, i) => {
          before.forEach((b, l) => {
            const was = distanceOf(isAbsolute, a, b);
            const is = distanceOf(isAbsolute, after[i] as Float64Array, after[l] as Float64Array);
            expect(is).toBeLessThanOrEqual(drift.high * was + drift.error);
            expect(is).toBeGreaterThanOrEqual(drift.low * was - drift.error);
            if (was > 0.1) steepest.most = Math.max(steepest.most, is / was);
            if (was > 0.1) steepest.least = Math.min(steepest.least, is / was);
          });
        });
        if (share > 0.01) continue;
        // And not much wider than distances do change.
        expect(drift.high - drift.low).toBeLessThan(30 * share + 1e-9);
        expect(drift.error).toBeLessThan(precision === 'double' ? 1e-6 * far : 1e-2 * far);
      }
    }
  });

  it('passes over columns that are left out, and bounds nothing where one no longer is', () => {
    const drift = new ScaleDrift({ precision: 'double', isClipped: true, isAbsolute: false });
    const ranges = { smallest: Float64Array.of(1, 0), largest: Float64Array.of(1, 2) };
    const offsets = Float64Array.of(1, 1);
    const held: Moves = { offsets, scales: Float64Array.of(Infinity, 2) };
    drift.measure(held, { ...held, ...ranges } as unknown as ColumnMoves, Float64Array.of(1, 1));
    expect(drift.low).toBeCloseTo(1, 9);
    expect(drift.high).toBeCloseTo(1, 9);
    const now = { offsets, scales: Float64Array.of(0.1, 2), ...ranges } as unknown as ColumnMoves;
    drift.measure(held, now, Float64Array.of(1, 1));
    expect(drift.high < 2 * drift.low).toBe(false);
  });
});
