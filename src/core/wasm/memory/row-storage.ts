// Storage for the rows of a point set: in the WebAssembly memory or, after they were evicted, outside it.
import type { Precision } from '../../backend.js';
import type { RowSource } from '../../input/matrix.js';
import { PANEL_WIDTH } from '../contract.js';
import type { Arena, Evictable, Segment } from './arena.js';
import { layOut } from './layout.js';

type Vector = Float32Array | Float64Array;

/** The rows of a point set. Does not refer to the point set, so that it can be garbage-collected. */
export class RowStorage implements Evictable {
  readonly #arena: Arena;
  readonly #View: Float32ArrayConstructor | Float64ArrayConstructor;
  readonly #count: number;
  readonly #columns: number;
  segment: Segment | undefined;
  outside: Vector | undefined;

  constructor(arena: Arena, precision: Precision, count: number, columns: number) {
    this.#arena = arena;
    this.#View = precision === 'single' ? Float32Array : Float64Array;
    this.#count = count;
    this.#columns = columns;
  }

  /** The rows, as a view that is good until the next allocation. They come first in a segment. */
  get rows(): Vector {
    const { outside, segment } = this;
    return (
      outside ?? new this.#View(this.#arena.buffer, segment?.start ?? 0, segment ? this.#count * this.#columns : 0)
    );
  }

  /** All bytes of the segment, as such a view. */
  get image(): Uint8Array {
    return new Uint8Array(this.#arena.buffer, this.segment?.start ?? 0, this.segment?.size ?? 0);
  }

  /** Takes rows from … to − 1. */
  fill(source: RowSource, from: number, to: number): void {
    if (source.fill?.(from, to, this.rows)) return;
    const { rows } = this;
    const columns = this.#columns;
    const row = new Float64Array(columns);
    for (let i = from, at = from * columns; i < to; i++, at += columns) {
      source.read(i, row, 0);
      for (let j = 0; j < columns; j++) rows[at + j] = row[j] as number;
    }
  }

  evict(): void {
    this.outside = this.rows.slice();
    this.segment = undefined;
  }
}

/** The fields of a search call with the addresses of points. */
export const NO_POINTS = {
  ...{ points: 0, panels: 0, weights: 0, constants: 0, diagonal: 0 },
  ...{ order: 0, leaves: 0, boxes: 0, leasts: 0, axes: 0, axisCount: 0, centre: 0, line: 0, share: 1, effort: 0 },
};

/** Room for rows | panels | weights | constants, or rows | panels | k(p,p) for kernel distances. */
export function layOutPoints(count: number, columns: number, bytes: number, isByKernel: boolean) {
  const padded = Math.ceil(count / PANEL_WIDTH) * PANEL_WIDTH;
  const points = count * columns * bytes;
  if (isByKernel) return layOut({ points, panels: padded * columns * bytes, diagonal: count * 8 });
  const panels = padded * Math.ceil(columns / 2) * 4;
  return layOut({ points, panels, weights: padded * 4, constants: padded * 4 });
}

/** Writes some of the rows, one after the other, into `into` from position `at`. */
export function gatherRows(rows: Vector, columns: number, indices: Uint32Array, into: Float64Array, at: number): void {
  for (let i = 0; i < indices.length; i++) {
    const row = (indices[i] as number) * columns;
    for (let j = 0; j < columns; j++) into[at++] = rows[row + j] as number;
  }
}
