// Constraints of a path: frozen features do not change, others stay within bounds. Both are an interval per feature; that
// of a frozen one is a single value.
import { CurvadError, describe } from '../core/errors.js';

/** Limits of a path. */
export interface ConstraintOptions {
  /** Features that must not change: indices, or names where names are given. They stay bit for bit. */
  frozen?: ReadonlyArray<number | string>;
  /**
   * The least and the greatest value of a feature, by its index, or its name where names are given: both may
   * be infinite. A row that starts outside is first moved to the nearest bound.
   */
  bounds?: Readonly<Record<number | string, readonly [low: number, high: number]>>;
}

/** Checked constraints, for any row of so many columns. */
export class Constraints {
  readonly #frozen: readonly number[];
  readonly #low: Float64Array;
  readonly #high: Float64Array;
  readonly #names: readonly string[] | undefined;

  constructor(options: { frozen?: unknown; bounds?: unknown }, columns: number, names?: readonly string[]) {
    this.#names = names;
    this.#low = new Float64Array(columns).fill(-Infinity);
    this.#high = new Float64Array(columns).fill(Infinity);
    this.#frozen = checkedFrozen(options.frozen).map((feature) =>
      featureIndex(feature, columns, names, 'FROZEN_INVALID', 'frozen'),
    );
    for (const [feature, interval] of checkedBounds(options.bounds)) {
      const index = names?.includes(feature) ? feature : /^\d+$/.test(feature) ? Number(feature) : feature;
      const column = featureIndex(index, columns, names, 'BOUNDS_INVALID', 'bounds');
      [this.#low[column], this.#high[column]] = checkedInterval(interval, feature);
    }
  }

  /** The row a path starts from: the one nearest to the given row that keeps the bounds. */
  startFrom(row: Float64Array): { point: Float64Array; low: Float64Array; high: Float64Array } {
    const low = this.#low.slice();
    const high = this.#high.slice();
    for (const column of this.#frozen) low[column] = high[column] = row[column] as number;
    const point = row.map((value, j) => Math.max(low[j] as number, Math.min(high[j] as number, value)));
    return { point, low, high };
  }

  /** The features in groups that change together, and all others by themselves. */
  unitsOf(groups: unknown): number[][] {
    const columns = this.#low.length;
    const isList = groups === undefined || (Array.isArray(groups) && groups.every(Array.isArray));
    if (!isList) {
      throw new CurvadError('GROUPS_INVALID', `groups must be lists of features, got ${describe(groups)}`);
    }
    const units = ((groups ?? []) as unknown[][]).map((group) =>
      group.map((feature) => featureIndex(feature, columns, this.#names, 'GROUPS_INVALID', 'groups')),
    );
    const grouped = units.flat();
    if (new Set(grouped).size < grouped.length) {
      throw new CurvadError('GROUPS_INVALID', 'each feature can be in one group only, once');
    }
    const others = Array.from({ length: columns }, (_, j) => [j]).filter(([j]) => !grouped.includes(j as number));
    return [...units.filter(({ length }) => length > 0), ...others];
  }

  /** Whether a feature was frozen. */
  isFrozen(column: number): boolean {
    return this.#frozen.includes(column);
  }
}

function checkedFrozen(frozen: unknown): readonly unknown[] {
  if (frozen === undefined) return [];
  if (Array.isArray(frozen)) return frozen;
  throw new CurvadError('FROZEN_INVALID', `frozen must be an array of features, got ${describe(frozen)}`);
}

function checkedBounds(bounds: unknown): Array<[string, unknown]> {
  if (bounds === undefined) return [];
  if (typeof bounds === 'object' && bounds !== null && !(Symbol.iterator in bounds)) return Object.entries(bounds);
  throw new CurvadError('BOUNDS_INVALID', `bounds must be { feature: [low, high] }, got ${describe(bounds)}`);
}

function checkedInterval(interval: unknown, feature: string): [number, number] {
  const [low, high] = Array.isArray(interval) && interval.length === 2 ? interval : [];
  if (typeof low === 'number' && typeof high === 'number' && low <= high && low < Infinity && high > -Infinity) {
    return [low, high];
  }
  throw new CurvadError('BOUNDS_INVALID', `bounds of feature ${describe(feature)} must be [low, high] with low ≤ high`);
}

function featureIndex(
  feature: unknown,
  columns: number,
  names: readonly string[] | undefined,
  code: 'FROZEN_INVALID' | 'BOUNDS_INVALID' | 'GROUPS_INVALID',
  what: string,
): number {
  if (typeof feature === 'number' && Number.isInteger(feature) && feature >= 0 && feature < columns) return feature;
  const index = typeof feature === 'string' ? (names?.indexOf(feature) ?? -1) : -1;
  if (index >= 0) return index;
  const known = names === undefined ? '' : ' or one of the names';
  throw new CurvadError(
    code,
    `${what} must name features by an index from 0 to ${columns - 1}${known}, got ${describe(feature)}`,
  );
}
