// The embedded example: readings of a small machine from a seeded generator, a few of them wrong in ways that no single
// column shows.
import { Random } from '../core/random/random.js';

export const COLUMNS = ['load %', 'speed rpm', 'power kW', 'temperature °C'] as const;

export interface Example {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
  /** Rows with planted errors. */
  readonly planted: ReadonlySet<number>;
}

const ROWS = 1000;
const PLANTED = 12;

/** Power follows load and speed, temperature follows power; a planted row breaks one of these rules. */
export function makeExample(seed = 7): Example {
  const random = new Random(seed);
  const columns = COLUMNS.length;
  const data = new Float64Array(ROWS * columns);
  const planted = new Set<number>();
  while (planted.size < PLANTED) planted.add(Math.floor(random.uniform() * ROWS));
  for (let i = 0; i < ROWS; i++) {
    const isFast = random.uniform() < 0.4;
    const load = (isFast ? 70 : 35) + 9 * random.gaussian();
    const speed = (isFast ? 2400 : 1500) + 60 * random.gaussian();
    let power = (load * speed) / 9000 + 0.5 * random.gaussian();
    let temperature = 40 + 1.5 * power + 0.8 * random.gaussian();
    if (planted.has(i)) {
      if (random.uniform() < 0.5) power *= random.uniform() < 0.5 ? 0.45 : 1.6;
      else temperature += random.uniform() < 0.5 ? -18 : 18;
    }
    data.set([load, speed, power, temperature], i * columns);
  }
  return { data, rows: ROWS, columns, planted };
}
