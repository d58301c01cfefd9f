// The rows an explanation compares with: up to 2,048 normal training rows, in the units of the input. They say what
// a column usually holds beside given others, where a row may be changed to, and whether anything is there.
import { NearestNeighbors } from '../neighbors/nearest-neighbors.js';
import { decimalsOf, rounded } from './rounding.js';

/**
 * The neighbours that must be near for a row to be plausible: a few, so that it is not in a gap, and more, so that it is not
 * among a few rows that stand apart together.
 */
const NEARS = [5, 20];
/**
 * A row is plausible that is as near to normal rows as this share of them is to each other. Distances to a sample say
 * less: then the share is smaller.
 */
const PLAUSIBLE = 0.88;
const PLAUSIBLE_IN_SAMPLE = 0.75;
/** Differences in a column beyond this many deviations make two rows no less alike. */
const DIFFERENT = 1;
/** In a column that must stay as it is, a difference counts so many times. */
const FIXED = 4;
/** The share of the usual squared distance that may be left to a row that is reached: its neighbours lie further. */
const REACH = 0.8;
/** Values further from the centre than this many deviations are all equally far. */
const FARTHEST = 1e6;

/** Columns that change together: mostly one. */
export type Unit = readonly number[];

export interface ReferenceRows {
  /** Normal rows, row after row. */
  readonly rows: Float64Array;
  /** Which training rows they are. */
  readonly indices: Uint32Array;
  /** Standard deviations of the training rows. */
  readonly deviations: Float64Array;
  /** Whether they are all normal training rows. */
  readonly isComplete: boolean;
}

export class Reference {
  readonly columns: number;
  readonly count: number;
  readonly indices: Uint32Array;
  readonly deviations: Float64Array;
  /** What differences in a column are measured by: its deviation, or 1 where that is 0. */
  readonly scale: Float64Array;
  /** Columns of whole numbers. */
  readonly isWhole: readonly boolean[];
  readonly #rows: Float64Array;
  readonly #centre: Float64Array;
  readonly #views: readonly View[];
  /** Rows that are plausible themselves. */
  readonly #central: Uint32Array;

  constructor({ rows, indices, deviations, isComplete }: ReferenceRows) {
    this.columns = deviations.length;
    this.count = indices.length;
    this.indices = indices;
    this.deviations = deviations;
    this.scale = deviations.map((value) => (value > 0 && value < Infinity ? value : 1));
    const decimals = this.scale.map((scale) => decimalsOf(scale * 1e-5)); // what f32 keeps of a value
    this.#rows = rows.map((value, i) => rounded(value, decimals[i % this.columns] as number));
    this.isWhole = Array.from(deviations, (_, j) => this.#valuesOf(j).every(Number.isInteger));
    this.#centre = this.#medianOf(Uint32Array.from(indices.keys()));
    this.#views = this.count > 1 ? this.#viewsOf(isComplete ? PLAUSIBLE : PLAUSIBLE_IN_SAMPLE) : [];
    const distances = this.distances(this.#rows);
    this.#central = Uint32Array.from(indices.keys()).filter((i) => (distances[i] as number) <= 1);
  }

  /** How far rows, one after the other, are from normal rows: up to 1 they are plausible. */
  distances(rows: Float64Array): Float64Array {
    const farthest = new Float64Array(rows.length / this.columns);
    for (const { weights, neighbors, limits } of this.#views) {
      const k = Math.min(Math.max(...NEARS), this.count - 1);
      const { distances } = neighbors.of(this.#weighted(rows, weights), k);
      for (const { near, limit } of limits)
        farthest.forEach((value, i) => {
          farthest[i] = Math.max(value, (distances[i * k + near - 1] as number) / limit);
        });
    }
    return farthest;
  }

  /** Plausible rows that are like a given one in most columns, however far in the others; the most alike first. */
  alike(row: Float64Array, count: number, isFixed: readonly boolean[]): Uint32Array {
    const { columns } = this;
    const differences = new Float64Array(this.count);
    for (const i of this.#central) {
      let sum = 0;
      for (let j = 0; j < columns; j++) {
        const difference = ((this.#rows[i * columns + j] as number) - (row[j] as number)) / (this.scale[j] as number);
        const square = difference * difference;
        sum += isFixed[j] ? FIXED * square : Math.min(square, DIFFERENT);
      }
      differences[i] = sum;
    }
    return this.#central
      .slice()
      .sort((a, b) => (differences[a] as number) - (differences[b] as number) || a - b)
      .subarray(0, count);
  }

  /**
   * Plausible rows that are reached by changing few units: until what is left of the difference is as small as the usual
   * distance of normal rows. Those that need the fewest come first, then those with the least left.
   */
  reachable(row: Float64Array, count: number, units: readonly Unit[]): Uint32Array {
    const [view] = this.#views;
    if (view === undefined) return this.#central.subarray(0, count);
    const [{ limit }] = view.limits as [Limit];
    const efforts = new Float64Array(this.count);
    const room = { squares: new Float64Array(this.columns), sizes: new Float64Array(units.length) };
    for (const i of this.#central) efforts[i] = this.#effort({ from: row, to: i }, units, REACH * limit * limit, room);
    return this.#central
      .slice()
      .sort((a, b) => (efforts[a] as number) - (efforts[b] as number) || a - b)
      .subarray(0, count);
  }

  /** Units that have to change for at most `near` to be left of the squared difference to a row, and what is left of it. */
  #effort(
    { from, to }: { from: Float64Array; to: number },
    units: readonly Unit[],
    near: number,
    { squares, sizes }: { squares: Float64Array; sizes: Float64Array },
  ): number {
    const { columns } = this;
    let left = 0;
    for (let j = 0; j < columns; j++) {
      const difference = ((this.#rows[to * columns + j] as number) - (from[j] as number)) / (this.scale[j] as number);
      squares[j] = Math.min(1e150, difference * difference);
      left += squares[j] as number;
    }
    if (left <= near) return left / near;
    for (let u = 0; u < units.length; u++) {
      sizes[u] = 0;
      for (const j of units[u] as Unit) sizes[u] = (sizes[u] as number) + (squares[j] as number);
    }
    sizes.sort();
    let moved = 0;
    while (left > near && moved < sizes.length) left = Math.max(0, left - (sizes[sizes.length - ++moved] as number));
    return moved + left / near;
  }

  /** The nearest rows, in deviations. */
  nearest(row: Float64Array, count: number): Array<{ index: number; distance: number }> {
    const [view] = this.#views;
    if (view === undefined) return [];
    const k = Math.min(count, this.count);
    const { indices, distances } = view.neighbors.of(this.#weighted(row, view.weights), k);
    return Array.from(indices, (i, a) => ({ index: this.indices[i] as number, distance: distances[a] as number }));
  }

  row(i: number): Float64Array {
    return this.#rows.subarray(i * this.columns, (i + 1) * this.columns);
  }

  /** The median of each column in some of the rows. */
  typical(rows: Uint32Array): Float64Array {
    return rows.length > 0 ? this.#medianOf(rows) : this.#centre;
  }

  #medianOf(rows: Uint32Array): Float64Array {
    return Float64Array.from({ length: this.columns }, (_, j) => {
      const values = Float64Array.from(rows, (i) => this.#rows[i * this.columns + j] as number).sort();
      return values[(values.length - 1) >> 1] as number; // a value that occurs
    });
  }

  /**
   * Distances are looked at twice: in deviations, where all columns count alike, and in the units of the input, where
   * they count as they do for a detector that does not standardize.
   */
  #viewsOf(share: number): View[] {
    const most = this.scale.reduce((a, b) => Math.max(a, b));
    const k = Math.min(Math.max(...NEARS), this.count - 1);
    return [this.scale.map(() => 1), this.scale.map((value) => value / most)].map((weights) => {
      const neighbors = new NearestNeighbors(this.#weighted(this.#rows, weights));
      const { distances } = neighbors.ofEachRow(k);
      const limits = NEARS.map((wanted) => {
        const near = Math.min(wanted, k);
        const last = Float64Array.from(this.indices, (_, i) => distances[i * k + near - 1] as number).sort();
        const limit = last[Math.floor(share * (this.count - 1))] as number;
        // Where most rows have duplicates, only duplicates of rows are plausible.
        return { near, limit: limit > 0 ? limit : (last.find((value) => value > 0) ?? 1) };
      });
      return { weights, neighbors, limits };
    });
  }

  #weighted(rows: Float64Array, weights: Float64Array): { data: Float64Array; rows: number; columns: number } {
    const { columns } = this;
    const data = rows.map((value, i) => {
      const j = i % columns;
      const z = (value - (this.#centre[j] as number)) / (this.scale[j] as number);
      return Math.max(-FARTHEST, Math.min(FARTHEST, z)) * (weights[j] as number);
    });
    return { data, rows: rows.length / columns, columns };
  }

  #valuesOf(column: number): Float64Array {
    return Float64Array.from(this.indices, (_, i) => this.#rows[i * this.columns + column] as number);
  }
}

/** How far the neighbour of this number may be. */
interface Limit {
  readonly near: number;
  readonly limit: number;
}

/** A way to measure distances, and how far a plausible row may be by it. */
interface View {
  readonly weights: Float64Array;
  readonly neighbors: NearestNeighbors;
  readonly limits: readonly Limit[];
}
