// What a fit on the rows of a window would do to its columns, kept up row by row.
export interface ColumnMoves {
  /** What columns are moved by. */
  readonly offsets: Float64Array;
  /** What they are divided by then. */
  readonly scales: Float64Array;
  readonly smallest: Float64Array;
  readonly largest: Float64Array;
  /** Takes note that a slot has a row that was not there before; `before` is what the slot had, where it had one. */
  replace(slot: number, before: Float64Array | undefined): void;
  /** Brings offsets and scales of `count` rows up to date; returns whether any has changed. */
  update(count: number): boolean;
}
