// A column on its way out, whatever the format.

/** Missing values are null. */
export interface OutputColumn {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'text';
  at(row: number): number | string | null;
}
