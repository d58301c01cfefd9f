// The smallest and the largest value of each column of a window, kept up row by row. Extremes are kept of blocks of
// slots, too, so that few rows are looked through when one leaves.

interface Range {
  readonly smallest: Float64Array;
  readonly largest: Float64Array;
}

export class ColumnRanges {
  readonly #all: Range;
  /** By block of slots and column. */
  readonly #blocks: Range;
  readonly #block: number;
  readonly #values: Float64Array;
  readonly #columns: number;
  readonly #capacity: number;

  /** @param values The rows of the window by slot, slots of rows to come being NaN. */
  constructor(values: Float64Array, columns: number) {
    this.#values = values;
    this.#columns = columns;
    this.#capacity = values.length / columns;
    this.#block = Math.ceil(Math.sqrt(this.#capacity));
    this.#all = emptyRange(columns);
    this.#blocks = emptyRange(Math.ceil(this.#capacity / this.#block) * columns);
  }

  get smallest(): Float64Array {
    return this.#all.smallest;
  }

  get largest(): Float64Array {
    return this.#all.largest;
  }

  /** Takes note of a new value in a slot, and of what the slot had, where it had something. */
  replace(slot: number, column: number, before: number | undefined): void {
    const at = Math.floor(slot / this.#block) * this.#columns + column;
    if (before !== undefined) {
      if (isEdge(this.#blocks, at, before)) this.#lookThroughBlock(slot, column);
      if (isEdge(this.#all, column, before)) this.#lookThroughBlocks(column);
    }
    const value = this.#values[slot * this.#columns + column] as number;
    extend(this.#blocks, at, value);
    extend(this.#all, column, value);
  }

  #lookThroughBlock(slot: number, column: number): void {
    const from = slot - (slot % this.#block);
    const at = Math.floor(slot / this.#block) * this.#columns + column;
    clear(this.#blocks, at);
    const to = Math.min(from + this.#block, this.#capacity);
    for (let i = from; i < to; i++) extend(this.#blocks, at, this.#values[i * this.#columns + column] as number);
  }

  #lookThroughBlocks(column: number): void {
    clear(this.#all, column);
    for (let at = column; at < this.#blocks.smallest.length; at += this.#columns) {
      this.#all.smallest[column] = Math.min(this.smallest[column] as number, this.#blocks.smallest[at] as number);
      this.#all.largest[column] = Math.max(this.largest[column] as number, this.#blocks.largest[at] as number);
    }
  }
}

function emptyRange(length: number): Range {
  return { smallest: new Float64Array(length).fill(Infinity), largest: new Float64Array(length).fill(-Infinity) };
}

function clear({ smallest, largest }: Range, at: number): void {
  smallest[at] = Infinity;
  largest[at] = -Infinity;
}

/** NaN extends nothing. */
function extend({ smallest, largest }: Range, at: number, value: number): void {
  if (value < (smallest[at] as number)) smallest[at] = value;
  if (value > (largest[at] as number)) largest[at] = value;
}

function isEdge({ smallest, largest }: Range, at: number, value: number): boolean {
  return value === smallest[at] || value === largest[at];
}
