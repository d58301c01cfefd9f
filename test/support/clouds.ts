// Clean made tables: nobody put an anomaly in. For tests and benchmarks of how many rows are flagged.
import { Random } from './data.js';

const random = new Random(5);
const normal = (): number => random.gaussian();
const uniform = (): number => random.uniform();
const rows = (columns: number, value: (column: number) => number): number[][] =>
  Array.from({ length: 400 }, () => Array.from({ length: columns }, (_, j) => value(j)));

export const CLOUDS: Readonly<Record<string, number[][]>> = {
  'Gaussian, 2 columns': rows(2, normal),
  'Gaussian, 10 columns': rows(10, normal),
  'Gaussian, 60 columns': rows(60, normal),
  'uniform, 2 columns': rows(2, uniform),
  'uniform, 8 columns': rows(8, uniform),
  'exponential, 3 columns': rows(3, () => -Math.log(1 - uniform())),
  'lognormal, 3 columns': rows(3, () => Math.exp(normal())),
  'columns in different units': rows(4, (j) => normal() * 1000 ** j),
  'two equal clusters': rows(3, normal).map((row, i) => row.map((value) => value + (i % 2) * 8)),
  'a ring': rows(1, uniform).map(([t = 0]) => [Math.cos(7 * t) + normal() / 20, Math.sin(7 * t) + normal() / 20]),
  'whole numbers from 0 to 9': rows(5, () => Math.floor(10 * uniform())),
  'a line with noise': rows(1, normal).map(([t = 0]) => [t, 2 * t + normal() / 10, -t + normal() / 10]),
};
