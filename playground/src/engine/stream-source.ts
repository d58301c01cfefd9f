// Rows of a stream: a synthetic sensor without an end, or the rows of the data in the order of time.
import { Random } from '../data/random.js';

export interface StreamSource {
  readonly columns: readonly string[];
  /** The next row, into a buffer; false where there is none. */
  next(into: Float64Array): boolean;
}

/** Temperature, flow and pressure that go with each other and the time of day; now and then something breaks. */
export function sensor(seed: number): StreamSource {
  const random = new Random(seed);
  let t = 0;
  let fault = 0;
  let kind = 0;
  return {
    columns: ['temperature', 'flow', 'pressure'],
    next(into) {
      const day = Math.sin(t / 55);
      const flow = 20 + 6 * day + 0.5 * random.normal();
      into[0] = 45 + 0.8 * flow + 0.6 * random.normal();
      into[1] = flow;
      into[2] = 3 + 0.12 * flow + 0.06 * random.normal();
      t++;
      if (fault === 0 && t > 600 && random.next() < 1 / 700) {
        fault = 1 + random.below(12);
        kind = random.below(3);
      }
      if (fault > 0) {
        fault--;
        into[kind] = (into[kind] as number) * 1.45;
      }
      return true;
    },
  };
}

export function rowsInOrder(
  names: readonly string[],
  columns: readonly Float64Array[],
  order: Uint32Array,
): StreamSource {
  let at = 0;
  return {
    columns: names,
    next(into) {
      if (at >= order.length) return false;
      const row = order[at++] as number;
      columns.forEach((column, j) => {
        into[j] = column[row] as number;
      });
      return true;
    },
  };
}
