// Tables on which methods break first: ties, duplicates, constants, far values, extreme units, lost ranks.
import type { Random } from '../../test/support/data.js';
import { chance, pick } from './values.js';

export type Table = number[][];

type Maker = (random: Random, rows: number, columns: number) => Table;

const fill = (rows: number, columns: number, value: (i: number, j: number) => number): Table =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => value(i, j)));

/** A table whose cells are changed one by one. */
const changed = (table: Table, change: (value: number, i: number, j: number) => number): Table =>
  table.map((row, i) => row.map((value, j) => change(value, i, j)));

const gaussian: Maker = (random, rows, columns) => fill(rows, columns, () => random.gaussian());

const scaled =
  (exponents: readonly number[]): Maker =>
  (random, rows, columns) => {
    const units = Array.from({ length: columns }, () => 10 ** pick(random, exponents));
    return changed(gaussian(random, rows, columns), (value, _, j) => value * (units[j] as number));
  };

export const MAKERS: Readonly<Record<string, Maker>> = {
  gaussian,
  'small whole numbers': (random, rows, columns) => fill(rows, columns, () => random.integer(3)),
  'zeros and ones': (random, rows, columns) => fill(rows, columns, () => (chance(random, 0.15) ? 1 : 0)),
  'few distinct rows': (random, rows, columns) => {
    const distinct = gaussian(random, 1 + random.integer(4), columns);
    return Array.from({ length: rows }, () => [...pick(random, distinct)]);
  },
  'equal rows but one': (random, rows, columns) => {
    const [row, other] = gaussian(random, 2, columns) as [number[], number[]];
    return Array.from({ length: rows }, (_, i) => [...(i === rows - 1 ? other : row)]);
  },
  'a far value': (random, rows, columns) => {
    const table = gaussian(random, rows, columns);
    const row = pick(random, table);
    row[random.integer(columns)] = pick(random, [999_999_999, -1e12, 1e15, 1e29, 1e100, 1e149]);
    return table;
  },
  'far from zero': (random, rows, columns) => {
    const at = pick(random, [1e6, -1e9, 1e13, 1.7e9]);
    return changed(gaussian(random, rows, columns), (value) => at + value);
  },
  'large units': scaled([-3, 0, 6, 12]),
  'extreme units': scaled([-140, -30, 0, 25, 120]),
  'denormal numbers': (random, rows, columns) => fill(rows, columns, () => random.integer(9) * 5e-324),
  'constant columns': (random, rows, columns) =>
    changed(gaussian(random, rows, columns), (value, _, j) => (j % 2 === 0 ? 0.1 : value)),
  'constant but for rounding': (random, rows, columns) =>
    fill(rows, columns, (i) => 0.1 + (i % 3) * 1.4e-17 * random.integer(2)),
  'one direction': (random, rows, columns) => {
    const direction = Array.from({ length: columns }, () => random.gaussian());
    return Array.from({ length: rows }, () => {
      const at = random.gaussian();
      return direction.map((value) => value * at);
    });
  },
  'a sum of others': (random, rows, columns) =>
    gaussian(random, rows, columns).map((row) => [
      ...row.slice(1),
      row.slice(1).reduce((sum, value) => sum + value, 0),
    ]),
  'clusters far apart': (random, rows, columns) => {
    const centres = changed(gaussian(random, 3, columns), (value) => value * 1000);
    return Array.from({ length: rows }, () => pick(random, centres).map((value) => value + random.gaussian()));
  },
  'a grid': (_, rows, columns) => fill(rows, columns, (i, j) => Math.floor(i / 4 ** j) % 4),
  'sorted lines': (random, rows, columns) => {
    const step = pick(random, [1, 0.1, 1e-9]);
    return fill(rows, columns, (i, j) => i * step * (j + 1));
  },
  'negative zeros': (random, rows, columns) => fill(rows, columns, () => pick(random, [0, -0, 1, -1])),
  'powers of two': (random, rows, columns) => fill(rows, columns, () => 2 ** (random.integer(60) - 30)),
  'neighbours in the last digit': (random, rows, columns) =>
    fill(rows, columns, () => 1 + random.integer(4) * Number.EPSILON),
  'heavy tails': (random, rows, columns) => fill(rows, columns, () => random.gaussian() / (random.uniform() + 1e-9)),
};

const NAMES = Object.keys(MAKERS);

export interface Drawn {
  readonly kind: string;
  readonly rows: Table;
  readonly fresh: Table;
}

/** A table and new rows: some like it, some of it, some far outside. */
export function drawTable(random: Random, mostRows: number, mostColumns: number): Drawn {
  const kind = pick(random, NAMES);
  const size = (most: number): number => 1 + Math.floor(most * random.uniform() ** 2);
  const [rows, columns] = [size(mostRows), size(mostColumns)];
  const make = MAKERS[kind] as Maker;
  const table = make(random, rows, columns);
  const fresh = make(random, 3, columns);
  fresh.push([...pick(random, table)], gaussian(random, 1, columns)[0] as number[]);
  fresh.push(pick(random, table).map((value) => value * (1 + Number.EPSILON)));
  return { kind, rows: table, fresh };
}
