// Tables on which methods break first: no spread, rank too low, duplicates, extreme units. Seeded.
import { Random } from './data.js';

export interface DegenerateTable {
  readonly name: string;
  readonly rows: number[][];
}

const ROWS = 48;

function table(name: string, row: (random: Random, i: number) => number[]): DegenerateTable {
  const random = new Random(name.length);
  return { name, rows: Array.from({ length: ROWS }, (_, i) => row(random, i)) };
}

export const DEGENERATE_TABLES: readonly DegenerateTable[] = [
  table('one column', (random) => [random.gaussian()]),
  table('a constant column', (random) => [random.gaussian(), 5, random.gaussian()]),
  table('a column constant but for rounding', (random, i) => [random.gaussian(), 0.1 + (i % 3) * 1e-17, i]),
  table('a column that is the sum of others', (random) => {
    const [a, b] = [random.gaussian(), random.gaussian()];
    return [a, b, a + b];
  }),
  table('multiples of one column', (random) => {
    const a = random.gaussian();
    return [a, 3 * a, -a / 7, a * 1e6];
  }),
  table('more columns than rows', (random) => Array.from({ length: 60 }, () => random.gaussian())),
  ...[1, 2, 3, 4].map((part) =>
    table(`categories of which some are rare, as 0/1 columns (${'I'.repeat(part)})`, (random) => {
      const category = Math.floor(random.uniform() * random.uniform() * 8);
      const [a, b] = [random.gaussian(), random.gaussian()];
      return [a, b, a + b, ...Array.from({ length: 8 }, (_, j) => Number(j === category))];
    }),
  ),
  table('columns that one row alone changes', (random, i) => {
    const [a, b] = [random.gaussian(), random.gaussian()];
    return [a, b, a + b, Number(i === 5), 2 * Number(i === 9)];
  }),
  table('a grid', (_, i) => [i % 7, Math.floor(i / 7)]),
  table('two points, many times', (_, i) => (i % 2 === 0 ? [1, 2] : [3, 5])),
  table('one point and a single other', (_, i) => (i === 7 ? [1e3, -1e3, 4] : [1, 2, 3])),
  table('0/1 columns of which one never changes', (random) => [random.integer(2), random.integer(2), 1]),
  table('units from 1e-12 to 1e12', (random) => [1e-12, 1, 1e12].map((unit) => unit * random.gaussian())),
  table('one row at 1e150', (random, i) => [i === 3 ? 1e150 : random.gaussian(), random.gaussian()]),
  table('a far offset', (random) => [1.7e12 + random.integer(1000), random.gaussian()]),
  table('denormal numbers', (random) => [random.integer(9) * 5e-324, random.integer(9) * 5e-324]),
];
