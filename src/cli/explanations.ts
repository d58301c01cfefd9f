// Why rows are anomalous, as the report and the tables tell it.

/** A feature that would have to change. */
export interface Change {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly change: number;
  /** In standard deviations of the training rows. */
  readonly inDeviations: number;
}

export interface RowExplanation {
  /** The most important first. */
  readonly changes: readonly Change[];
  /** Whether the row would then be normal. */
  readonly isNormal: boolean;
  readonly inWords: string;
  /** On one line, for a cell. */
  readonly inShort: string;
}
