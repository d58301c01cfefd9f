// The rows an explanation compares with: up to 2,048 normal training rows, in the units of the input. They say what
// a column usually holds beside given others, where a row may be changed to, and whether anything is there.
import { NearestNeighbors } from '../neighbors/nearest-neighbors.js';
import { decimalsOf, rounded } from './rounding.js';

/** Neighbours that must be near for a row to be plausible. */
const NEAR = 5;
/**
 * A row is plausible that is as near to normal rows as this share of them is to each other. Distances to a sample say
 * less: then the share is smaller.
 */
const PLAUSIBLE = 0.85;
const PLAUSIBLE_IN_SAMPLE = 0.75;
/** Differences in a column beyond this many deviations make two rows no less alike. */
const DIFFERENT = 1;
/** In a column that must stay as it is, a difference counts so many times. */
const FIXED = 4;
/** Values further from the centre than this many deviations are all equally far. */
const FARTHEST = 1e6;

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
    for (const { weights, neighbors, limit } of this.#views) {
      const k = Math.min(NEAR, this.count - 1);
      const { distances } = neighbors.of(this.#weighted(rows, weights), k);
      farthest.forEach((value, i) => {
        farthest[i] = Math.max(value, (distances[i * k + k - 1] as number) / limit);
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
    const k = Math.min(NEAR, this.count - 1);
    return [this.scale.map(() => 1), this.scale.map((value) => value / most)].map((weights) => {
      const neighbors = new NearestNeighbors(this.#weighted(this.#rows, weights));
      const { distances } = neighbors.ofEachRow(k);
      const last = Float64Array.from(this.indices, (_, i) => distances[i * k + k - 1] as number).sort();
      const limit = last[Math.floor(share * (this.count - 1))] as number;
      // Where most rows have duplicates, only duplicates of rows are plausible.
      return { weights, neighbors, limit: limit > 0 ? limit : (last.find((value) => value > 0) ?? 1) };
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

/** A way to measure distances, and how far a plausible row may be by it. */
interface View {
  readonly weights: Float64Array;
  readonly neighbors: NearestNeighbors;
  readonly limit: number;
}
