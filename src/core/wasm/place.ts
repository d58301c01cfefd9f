// A place for the rows of a point set, in the WebAssembly memory or, when room was needed there, outside it.
import type { Precision } from '../backend.js';
import type { Arena, Segment, Tenant } from './arena.js';

type Vector = Float32Array | Float64Array;

/** Where rows are: in the WebAssembly memory, or outside it. Knows nothing of the point set it belongs to. */
export class Place implements Tenant {
  readonly #arena: Arena;
  readonly #View: Float32ArrayConstructor | Float64ArrayConstructor;
  readonly #length: number;
  segment: Segment | undefined;
  outside: Vector | undefined;

  constructor(arena: Arena, precision: Precision, length: number) {
    this.#arena = arena;
    this.#View = precision === 'single' ? Float32Array : Float64Array;
    this.#length = length;
  }

  /** The rows, as a view that is good until the next allocation. They come first in a segment. */
  get rows(): Vector {
    return (
      this.outside ?? new this.#View(this.#arena.buffer, this.segment?.start ?? 0, this.segment ? this.#length : 0)
    );
  }

  moveOut(): void {
    this.outside = this.rows.slice();
    this.segment = undefined;
  }
}
