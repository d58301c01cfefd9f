// Memory for lists of the points near an anchor; assembly/anchored-list.ts explains their use.
import type { PointSet } from '../../backend.js';
import type { RowSource } from '../../input/matrix.js';
import { AnchoredList } from '../contract.js';
import type { Arena } from '../memory/arena.js';
import { MemoryRecord } from '../memory/record.js';

type Part = keyof ReturnType<typeof listSizes>;

/** Number of points listed for k neighbours: enough for a list to last for a while. */
export function listLength(neighbors: number, points: number): number {
  return Math.min(points, 4 * neighbors + 16);
}

/** Bytes of each part of a list. */
export function listSizes(columns: number, neighbors: number, count: number) {
  return {
    record: AnchoredList.size,
    anchor: columns * 8,
    rows: count * columns * 8,
    reaches: count * 8,
    indices: count * 4,
    distances: neighbors * 8,
    places: neighbors * 4,
    before: neighbors * 4,
    marks: count,
    units: neighbors * columns * 8,
    sum: columns * 8,
  };
}

export class AnchoredPoints {
  readonly #arena: Arena;
  readonly #points: PointSet;
  readonly #at: Record<Part, number>;
  readonly #record: MemoryRecord<typeof AnchoredList>;
  readonly #indices: Uint32Array;
  readonly #distances: Float64Array;
  readonly #anchor: SingleRow;
  /** Number of points listed. */
  readonly count: number;

  constructor(arena: Arena, at: Record<Part, number>, points: PointSet, neighbors: number, count: number) {
    this.#arena = arena;
    this.#points = points;
    this.#at = at;
    this.count = count;
    this.#indices = new Uint32Array(count);
    this.#distances = new Float64Array(count);
    this.#anchor = new SingleRow(points.columns);
    this.#record = new MemoryRecord(arena, AnchoredList, at.record);
    const { record: _, ...addresses } = at;
    // The list is empty: the first query requests a list.
    const empty = { radius: 0, count: 0, isAtAnchor: 0, hasPlaces: 0, measured: 0 };
    this.#record.write({ ...addresses, ...empty, columns: points.columns, neighbors });
    new Uint8Array(arena.buffer, at.marks, count).fill(0);
  }

  /** Address of its record. */
  get address(): number {
    return this.#record.address;
  }

  /** Makes a new list around a row in memory, the next query. */
  anchorAt(row: number): void {
    const { values } = this.#anchor;
    values.set(this.#arena.reals.subarray(row / 8, row / 8 + values.length));
    this.#points.neighbors(this.#anchor, 0, 1, this.count, {
      indices: this.#indices,
      distances: this.#distances,
    });
    this.fill(this.#anchor, 0, this.#indices, this.#distances, 0);
    this.#record.setWord('isAtAnchor', 1);
  }

  /** Fills the list with `count` neighbours found for a row, from an index on. */
  fill(anchors: RowSource, anchor: number, indices: Uint32Array, distances: Float64Array, from: number): void {
    const { count } = this;
    const { reals, words } = this.#arena;
    const reaches = this.#at.reaches / 8;
    const places = this.#at.indices / 4;
    for (let i = 0; i < count; i++) {
      reals[reaches + i] = Math.sqrt(distances[from + i] as number);
      words[places + i] = indices[from + i] as number;
    }
    anchors.read(anchor, reals, this.#at.anchor / 8);
    this.#points.gather(indices, from, from + count, reals, this.#at.rows / 8);
    const isAll = count === this.#points.count;
    this.#record.setWord('count', count);
    this.#record.setReal('radius', isAll ? Infinity : (reals[reaches + count - 1] as number));
    this.#record.setWord('isAtAnchor', 0);
    this.#record.setWord('hasPlaces', 0);
  }
}

/** A single query row. */
class SingleRow implements RowSource {
  readonly rows = 1;
  readonly values: Float64Array;

  constructor(columns: number) {
    this.values = new Float64Array(columns);
  }

  get columns(): number {
    return this.values.length;
  }

  read(_: number, into: Float64Array, at: number): void {
    for (let j = 0; j < this.values.length; j++) into[at + j] = this.values[j] as number;
  }
}
