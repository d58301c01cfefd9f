// Merges the k nearest neighbours of several searches, each over a part of the rows, by (distance, id). The result equals a
// search over all rows, in whatever order the parts come.
import { CurvadError, describe } from '../core/errors.js';
import { wholeNumber } from '../core/options.js';
import type { Neighbors } from './nearest-neighbors.js';

/** Identifies a part of the rows. */
export interface SearchedPart {
  /** The id of its row 0 if ids are consecutive, or the id of each row, ascending. */
  readonly ids: number | ArrayLike<number>;
  /** Its rows as one array, if their values are to be kept. */
  readonly rows?: ArrayLike<number>;
}

/** Keeps the k nearest of every query; ids are whole numbers up to 2⁵³. */
export class KBest {
  readonly k: number;
  /** Number of columns of the kept rows, or 0. */
  readonly columns: number;
  /** k ids per query, nearest first; −1 where there are fewer so far. */
  readonly ids: Float64Array;
  /** The same for distances, on the scale of the searches: squared if ties must equal those of one search. */
  readonly distances: Float64Array;
  /** The rows of the neighbours, k × columns values per query. */
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
   * Merges the result of a search over a part, for all queries, for those from `which` on, or for those that `which` lists.
   * Parts must not overlap, so that each row comes only once.
   */
  merge(found: Neighbors, part: SearchedPart, which: number | ArrayLike<number> = 0): this {
    const { k, columns } = this;
    const queries = found.indices.length / found.k;
    const places = this.#placesOf(which, queries);
    if (columns > 0 && part.rows === undefined)
      throw new CurvadError(
        'LENGTHS_DIFFER',
        'rows of the part are missing: they are needed to keep the values of neighbours',
      );
    const idOf = idsOf(part.ids);
    for (let query = 0; query < queries; query++) this.#mergeOne(found, query, places(query) * k, idOf, part.rows);
    return this;
  }

  /** The distance to the k-th nearest of a query so far: Infinity while there are fewer. */
  reachOf(query: number): number {
    return this.distances[(query + 1) * this.k - 1] as number;
  }

  /** The query that each result of a search belongs to. */
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
      if (!isMine && row < 0) break; // the rest is empty
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
    // Searches break ties by row index, so ids must be in the same order.
    if (row > 0 && id <= (ids[row - 1] as number))
      throw new CurvadError('IDS_INVALID', `ids must ascend, got ${ids[row - 1]} before ${id}`, { row });
  }
  return (row) => ids[row] as number;
}

function wrongId(id: unknown): CurvadError {
  return new CurvadError('IDS_INVALID', `ids must be whole numbers from 0 to 2^53 − 1, got ${describe(id)}`);
}
