// The k best neighbours out of several searches, each over a part of the rows: what each part finds is merged by
// (distance, id), which gives the lists of a search over all rows, in whatever order the parts come.
import { CurvadError, describe } from '../core/errors.js';
import { wholeNumber } from '../core/options.js';
import type { Neighbors } from './nearest-neighbors.js';

/** A part of the rows, as far as merging needs to know it. */
export interface SearchedPart {
  /** The id of its row 0 where the ids of its rows count on from there, or the id of each row, ascending. */
  readonly ids: number | ArrayLike<number>;
  /** Its rows, row after row, where their values are to be kept. */
  readonly rows?: ArrayLike<number>;
}

/** Keeps the k nearest of every query; ids are whole numbers up to 2⁵³. */
export class KBest {
  readonly k: number;
  /** Columns of the rows whose values are kept, or 0. */
  readonly columns: number;
  /** k ids a query, nearest first; −1 where there are not so many yet. */
  readonly ids: Float64Array;
  /** The same for distances, on the scale of the searches: squared where ties must be those of one search. */
  readonly distances: Float64Array;
  /** The rows of the neighbours, k × columns values a query. */
  readonly rows: Float64Array;
  readonly #otherIds: Float64Array;
  readonly #otherDistances: Float64Array;
  readonly #otherRows: Float64Array;

  constructor(queries: number, k: number, columns = 0) {
    this.k = wholeNumber(k ?? Number.NaN, 'k', 1, 1, 'NEIGHBORS_INVALID');
    this.columns = wholeNumber(columns, 'columns', 0, 0, 'COLUMNS_INVALID');
    const count = wholeNumber(queries ?? Number.NaN, 'queries', 0, 0, 'COUNT_INVALID') * k;
    this.ids = new Float64Array(count).fill(-1);
    this.distances = new Float64Array(count).fill(Infinity);
    this.rows = new Float64Array(count * columns);
    this.#otherIds = new Float64Array(k);
    this.#otherDistances = new Float64Array(k);
    this.#otherRows = new Float64Array(k * columns);
  }

  /**
   * Takes what a search over a part found for all queries, for those from `which` on, or for those that `which` lists. A
   * row may only come in once: parts must not overlap.
   */
  merge(found: Neighbors, part: SearchedPart, which: number | ArrayLike<number> = 0): this {
    const { k, columns } = this;
    const queries = found.indices.length / found.k;
    const places = this.#placesOf(which, queries);
    if (columns > 0 && part.rows === undefined)
      throw new CurvadError('LENGTHS_DIFFER', 'values of the neighbours are to be kept: give the rows of the part');
    const idOf = idsOf(part.ids);
    for (let query = 0; query < queries; query++) this.#mergeOne(found, query, places(query) * k, idOf, part.rows);
    return this;
  }

  /** The distance beyond which nothing is among the k nearest of a query: Infinity while there are fewer. */
  reachOf(query: number): number {
    return this.distances[(query + 1) * this.k - 1] as number;
  }

  /** Where the neighbours of each query of a search belong. */
  #placesOf(which: number | ArrayLike<number>, queries: number): (query: number) => number {
    const count = this.ids.length / this.k;
    const isPlace = (place: number): boolean => Number.isInteger(place) && place >= 0 && place < count;
    if (typeof which === 'number') {
      if (queries > 0 && !(isPlace(which) && isPlace(which + queries - 1)))
        throw new CurvadError(
          'LENGTHS_DIFFER',
          `there are ${count} queries, got neighbours of ${queries} from ${which} on`,
        );
      return (query) => which + query;
    }
    if (which.length !== queries || !Array.from(which).every(isPlace))
      throw new CurvadError(
        'LENGTHS_DIFFER',
        `there are ${count} queries, got neighbours of ${queries} for ${which.length} places`,
      );
    return (query) => which[query] as number;
  }

  /** Whether every query has k neighbours. */
  get isFull(): boolean {
    return !this.ids.includes(-1);
  }

  #mergeOne(
    found: Neighbors,
    query: number,
    at: number,
    idOf: (row: number) => number,
    rows: ArrayLike<number> | undefined,
  ): void {
    const { k, columns, ids, distances } = this;
    const from = query * found.k;
    const worst = distances[at + k - 1] as number;
    if ((found.distances[from] as number) > worst) return;
    this.#otherIds.set(ids.subarray(at, at + k));
    this.#otherDistances.set(distances.subarray(at, at + k));
    if (columns > 0) this.#otherRows.set(this.rows.subarray(at * columns, (at + k) * columns));
    for (let a = 0, mine = 0, theirs = 0; a < k; a++) {
      const distance = this.#otherDistances[mine] as number;
      const other = theirs < found.k ? (found.distances[from + theirs] as number) : Infinity;
      const row = theirs < found.k ? (found.indices[from + theirs] as number) : -1;
      const id = row < 0 ? Infinity : idOf(row);
      const own = this.#otherIds[mine] as number;
      const isMine = own >= 0 && (distance < other || (distance === other && own < id));
      if (!isMine && row < 0) break; // what follows is empty already
      ids[at + a] = isMine ? own : id;
      distances[at + a] = isMine ? distance : other;
      const target = (at + a) * columns;
      const values = isMine ? this.#otherRows : rows;
      const source = (isMine ? mine : row) * columns;
      for (let j = 0; j < columns; j++) this.rows[target + j] = (values as ArrayLike<number>)[source + j] as number;
      if (isMine) mine++;
      else theirs++;
    }
  }
}

function idsOf(ids: number | ArrayLike<number>): (row: number) => number {
  if (typeof ids === 'number') {
    if (!Number.isSafeInteger(ids) || ids < 0) throw wrongId(ids);
    return (row) => ids + row;
  }
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row] as number;
    if (!Number.isSafeInteger(id) || id < 0) throw wrongId(id);
    // Searches break ties by the place of a row, which must be that of its id.
    if (row > 0 && id <= (ids[row - 1] as number))
      throw new CurvadError('IDS_INVALID', `ids must ascend, got ${ids[row - 1]} before ${id}`, { row });
  }
  return (row) => ids[row] as number;
}

function wrongId(id: unknown): CurvadError {
  return new CurvadError('IDS_INVALID', `ids must be whole numbers from 0 to 2^53 − 1, got ${describe(id)}`);
}
