// The two dimensions of the report are the principal components.
import { describe, expect, it } from 'vitest';
import { project } from '../../../src/cli/report/projection.js';
import { Random } from '../../support/data.js';

const SQRT2 = Math.sqrt(2);

describe('the projection', () => {
  it('finds the two directions in which rows spread most, and their shares of the variance', () => {
    const random = new Random(4);
    const rows = 1500;
    const data = new Float64Array(rows * 3);
    for (let i = 0; i < rows; i++) {
      // Along (1, 1, 0) by 3, along (1, −1, 0) by 1, along the third axis by 0.1.
      const [p, q, r] = [3 * random.gaussian(), random.gaussian(), 0.1 * random.gaussian()];
      data.set([(p + q) / SQRT2 + 7, (p - q) / SQRT2 - 2, r], 3 * i);
    }
    const { rows: place, shares } = project({ data, rows, columns: 3 }, false);
    expect(shares[0]).toBeCloseTo(9 / 10.01, 1);
    expect(shares[1]).toBeCloseTo(1 / 10.01, 1);
    const difference = (a: number, b: number, component: 0 | 1) => place(a, component) - place(b, component);
    for (let i = 1; i < 50; i++) {
      const [dx, dy] = [0, 1].map((j) => (data[3 * i + j] as number) - (data[j] as number)) as [number, number];
      expect(Math.abs(difference(i, 0, 0))).toBeCloseTo(Math.abs(dx + dy) / SQRT2, 0);
      expect(Math.abs(difference(i, 0, 1))).toBeCloseTo(Math.abs(dx - dy) / SQRT2, 0);
    }
  });

  it('is the same from the side of the rows where there are more columns than rows', () => {
    const random = new Random(5);
    const [rows, columns] = [20, 60];
    const narrow = random.rows(rows, 3);
    const basis = random.rows(3, columns);
    const data = new Float64Array(rows * columns);
    narrow.forEach((row, i) => {
      for (let j = 0; j < columns; j++)
        data[i * columns + j] = row.reduce(
          (sum, value, p) => sum + value * ((basis[p] as Float64Array)[j] as number) * (p === 0 ? 9 : 1),
          0,
        );
    });
    const { rows: place, shares } = project({ data, rows, columns }, false);
    // Distances in the plane account for nearly all of the distance between rows.
    expect(shares[0] + shares[1]).toBeGreaterThan(0.9);
    let [plane, whole] = [0, 0];
    for (let i = 1; i < rows; i++) {
      plane += (place(i, 0) - place(0, 0)) ** 2 + (place(i, 1) - place(0, 1)) ** 2;
      for (let j = 0; j < columns; j++) whole += ((data[i * columns + j] as number) - (data[j] as number)) ** 2;
    }
    expect(plane / whole).toBeGreaterThan(0.9);
    expect(plane / whole).toBeLessThanOrEqual(1 + 1e-9);
  });
});
