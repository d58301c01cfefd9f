// What a window says of distances, on both backends, against plain sorting.
import { describe, expect, it } from 'vitest';
import type { BackendName } from '../../../src/core/backend.js';
import { distance } from '../../../src/core/js/distance.js';
import type { Kernel } from '../../../src/core/kernel.js';
import { windowFor } from '../../../src/core/window/window.js';
import { Random } from '../../support/data.js';

const KERNEL = { name: 'linear', gamma: 1, coef0: 0, degree: 1 } as const;
const ROW = Float64Array.of(0, 0);

/** Rows of two columns, some of them equal, one after the other; the last `capacity` are in the window. */
function filled(backend: BackendName, count: number, capacity: number) {
  const random = new Random(count);
  const rows = Array.from({ length: count }, (_, i) => {
    const size = i % 5 === 0 ? 1e-120 : i % 7 === 0 ? 1e9 : 1;
    return Float64Array.from({ length: 2 }, () => Math.round(3 * random.uniform()) * size);
  });
  const window = windowFor(backend)({ capacity, columns: 2, precision: 'double', kernel: KERNEL });
  for (const row of rows) {
    window.reserve(3);
    window.push(row);
  }
  const squares = rows.slice(-capacity).map(([x = 0, y = 0]) => x * x + y * y);
  return { window, squares, sorted: squares.toSorted((a, b) => a - b) };
}

/** Pushes rows that each reach some way, and compares those that reach a new row with all that do. */
function reachingRows(backend: BackendName, kernel: Kernel, size: number) {
  const random = new Random(7);
  const [capacity, columns] = [70, 3];
  const window = windowFor(backend)({ capacity, columns, precision: 'double', kernel });
  const rows: Float64Array[] = [];
  const reaches: number[] = [];
  const ages = new Uint32Array(capacity);
  const distances = new Float64Array(capacity);
  const found = { listed: 0, within: 0, nearly: 0 };
  for (let t = 0; t < 400; t++) {
    const row = Float64Array.from({ length: columns }, () => random.gaussian() * size * (t > 200 ? 3 : 1));
    window.reserve(5);
    if (rows.length > 0) {
      const count = window.reaching(row, ages, distances);
      const listed = new Map(Array.from(ages.subarray(0, count), (age, i) => [age, distances[i]]));
      found.listed += count;
      rows.forEach((other, age) => {
        const measured = distance(kernel, row, other);
        if (listed.has(age)) expect(listed.get(age)).toBe(measured);
        if (measured <= (reaches[age] as number) * 1.01) found.nearly++;
        if (!(measured <= (reaches[age] as number))) return;
        found.within++;
        expect(listed.has(age)).toBe(true);
      });
    }
    window.push(row);
    rows.push(row);
    reaches.push(-Infinity);
    if (rows.length > capacity) {
      rows.shift();
      reaches.shift();
    }
    const age = random.integer(rows.length);
    const reach = [0, Infinity, size * size, 4 * size * size, size][random.integer(5)] as number;
    window.setReach(age, reach);
    reaches[age] = reach;
  }
  window.release();
  return found;
}

describe.each(['js', 'wasm-simd'] as const)('a window of the backend %s', (backend) => {
  it.each([
    [1, 20],
    [20, 20],
    [133, 50],
  ])('tells the k-th smallest distance: %i rows, %i at a time', (count, capacity) => {
    const { window, squares, sorted } = filled(backend, count, capacity);
    for (const [k, square] of sorted.entries()) expect(window.measureKth(ROW, undefined, k + 1)).toBe(square);
    const ages = Uint32Array.from(squares.keys()).filter((age) => age % 3 === 0);
    const some = Array.from(ages, (age) => squares[age] as number).sort((a, b) => a - b);
    for (const [k, square] of some.entries()) expect(window.measureKth(ROW, ages, k + 1)).toBe(square);
    window.release();
  });

  it('counts and lists distances between two', () => {
    const { window, squares, sorted } = filled(backend, 133, 50);
    window.measureKth(ROW, undefined, 1);
    const places = new Uint32Array(50);
    for (const low of [-1, 0, ...sorted]) {
      expect(window.countUpTo(low)).toBe(squares.filter((square) => square <= low).length);
      for (const high of [low, 4, Infinity]) {
        const expected = [...squares.keys()].filter(
          (i) => (squares[i] as number) > low && (squares[i] as number) <= high,
        );
        expect([...places.subarray(0, window.listBetween(low, high, places))]).toEqual(expected);
      }
    }
    window.release();
  });

  it.each([
    ['linear', 1],
    ['linear', 1e-100],
    ['linear', 1e90],
    ['laplacian', 1],
  ] as const)('lists the rows that reach a row: %s, %d', (name, size) => {
    const { listed, within, nearly } = reachingRows(backend, { ...KERNEL, name }, size);
    expect(within).toBeGreaterThan(1000);
    expect(listed).toBeLessThanOrEqual(nearly);
  });
});
