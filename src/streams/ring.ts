// The last rows of a stream in one array, overwritten in place: the newest row takes the slot of the oldest, so
// learning a row costs no memory. `nearest` measures every row exactly; equal distances go to the older row.

interface Nearest {
  readonly row: Float64Array;
  readonly factors: Float64Array;
  readonly slots: Uint32Array;
  readonly squares: Float64Array;
}

export class Ring {
  readonly capacity: number;
  readonly columns: number;
  readonly #values: Float64Array;
  /** Slot of the oldest row. */
  #oldest = 0;
  #count = 0;

  constructor(capacity: number, columns: number) {
    this.capacity = capacity;
    this.columns = columns;
    this.#values = new Float64Array(capacity * columns);
  }

  /** Rows held now, at most `capacity`. */
  get count(): number {
    return this.#count;
  }

  /** Value of a slot as `nearest` numbers them. */
  valueAt(slot: number, column: number): number {
    return this.#values[slot * this.columns + column] as number;
  }

  push(row: Float64Array): void {
    const isFull = this.#count === this.capacity;
    const slot = isFull ? this.#oldest : this.#count;
    for (let j = 0; j < this.columns; j++) this.#values[slot * this.columns + j] = row[j] as number;
    if (isFull) this.#oldest = (slot + 1) % this.capacity;
    else this.#count++;
  }

  /**
   * Slots and squared distances of the nearest rows, nearest first, as many as the arrays hold; returns their number.
   * Differences count times the factor of their column.
   */
  nearest(row: Float64Array, factors: Float64Array, slots: Uint32Array, squares: Float64Array): number {
    const nearest = { row, factors, slots, squares };
    return this.#scan(nearest, 0, this.#oldest, this.#scan(nearest, this.#oldest, this.#count, 0));
  }

  /** All rows, oldest first. */
  rows(): Float64Array {
    const start = this.#oldest * this.columns;
    const end = this.#count * this.columns;
    const rows = new Float64Array(end);
    rows.set(this.#values.subarray(start, end));
    rows.set(this.#values.subarray(0, start), end - start);
    return rows;
  }

  #scan({ row, factors, slots, squares }: Nearest, from: number, to: number, size: number): number {
    const values = this.#values;
    const columns = this.columns;
    const limit = slots.length;
    let found = size;
    let worst = found < limit ? Infinity : (squares[limit - 1] as number);
    for (let slot = from, at = from * columns; slot < to; slot++, at += columns) {
      let square = 0;
      for (let j = 0; j < columns; j++) {
        const difference = ((values[at + j] as number) - (row[j] as number)) * (factors[j] as number);
        square += difference * difference;
      }
      if (square >= worst && found === limit) continue;
      if (found < limit) found++;
      let place = found - 1;
      for (; place > 0 && (squares[place - 1] as number) > square; place--) {
        squares[place] = squares[place - 1] as number;
        slots[place] = slots[place - 1] as number;
      }
      squares[place] = square;
      slots[place] = slot;
      if (found === limit) worst = squares[limit - 1] as number;
    }
    return found;
  }
}
