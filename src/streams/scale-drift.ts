// How far distances between rows, scaled by the means and deviations of a while ago, may be from those by the ones of now.
// A standardized value u₀ = (x − m₀)/s₀ is now u = r·u₀ + t with r = s₀/s and t = (m₀ − m)/s: differences of values in
// a column change by the factor r. Soft clipping f (soft-clip.ts) has the slope 1/g with g(u) = max(1, |u| − 4), so that
// differences of clipped values change by r·g(u₀)/g(u) for some u₀ between them. As |u₀| ≤ 5g(u₀),
//
//   |g(u) − g(u₀)| ≤ |u − u₀| ≤ |r − 1|·|u₀| + |t| ≤ c·g(u₀)   with c = 5|r − 1| + |t|,
//
// and the factor is between r/(1 + c) and r/(1 − c). A distance changes by a factor between the least and the largest of
// its columns, and by what rounding does.
import type { Precision } from '../core/backend.js';
import type { ColumnMoves } from './column-moves.js';

/** From here on values are clipped, with room for rounding. */
const CLIPPED = 4.999;
/** Relative error of a stored value, of its scaling, clipping and rounding, with room to spare. */
const ERRORS: Readonly<Record<Precision, number>> = { single: 2 ** -22, double: 2 ** -45 };
/** Relative error of a distance or of its root, with room to spare. */
const SUMMING = 1e-11;

/** Offsets and scales of columns. */
export type Moves = Pick<ColumnMoves, 'offsets' | 'scales'>;

export interface DriftOptions {
  readonly precision: Precision;
  readonly isClipped: boolean;
  /** Whether distances are sums of absolute differences instead of roots of sums of squares. */
  readonly isAbsolute: boolean;
}

export class ScaleDrift {
  /** A distance d is now between low·d − error and high·d + error. */
  low = 1;
  high = 1;
  error = 0;
  readonly #options: DriftOptions;

  constructor(options: DriftOptions) {
    this.#options = options;
  }

  /** Looks at distances between the rows of a window and from another row to them. */
  measure(held: Moves, now: ColumnMoves, row: Float64Array): void {
    const { precision, isClipped, isAbsolute } = this.#options;
    let [low, high, spread] = [Infinity, 0, 0];
    for (let j = 0; j < row.length; j++) {
      const [scale, scaleNow] = [held.scales[j] as number, now.scales[j] as number];
      if (scale === Infinity && scaleNow === Infinity) continue; // left out
      const [offset, offsetNow] = [held.offsets[j] as number, now.offsets[j] as number];
      const least = Math.min(row[j] as number, now.smallest[j] as number);
      const most = Math.max(row[j] as number, now.largest[j] as number);
      const reach = Math.max((offset - least) / scale, (most - offset) / scale);
      const reachNow = Math.max((offsetNow - least) / scaleNow, (most - offsetNow) / scaleNow);
      const farthest = Math.max(reach, reachNow);
      const isLinear = !isClipped || farthest < CLIPPED;
      spread = Math.max(spread, isLinear ? farthest : 6 + Math.log(farthest));
      const ratio = scale / scaleNow;
      const bend = isLinear ? 0 : 5 * Math.abs(ratio - 1) + Math.abs(offset - offsetNow) / scaleNow;
      low = Math.min(low, ratio / (1 + bend));
      high = Math.max(high, bend < 1 ? ratio / (1 - bend) : Infinity);
    }
    if (high === 0) low = high = 1; // all are left out
    this.low = low * (1 - SUMMING);
    this.high = high * (1 + SUMMING);
    const size = isAbsolute ? row.length : Math.sqrt(row.length);
    this.error = 2 * (1 + high) * ERRORS[precision] * Math.max(5, spread) * size;
  }
}
