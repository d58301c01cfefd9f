// What messages about tables recommend: options are spelt differently in a program and at a terminal.

export interface Wording {
  /** After a sentence about missing values. */
  readonly missing: string;
  /** Reasons for which columns are left out, and what would keep them. */
  readonly dates: string;
  readonly many: string;
  readonly identities: string;
  readonly decimals: string;
  /** After a sentence about a column that cannot be used. */
  ignore(name: string): string;
  readonly nothing: string;
}

export const IN_A_PROGRAM: Wording = {
  missing:
    "fit on table(rows, { missing: 'median' }) to fill such cells, 'indicator' to mark them too, 'drop' to leave their rows out",
  dates: "dates: 'epoch', 'cycles' or 'both' uses them",
  many: "categories: 'frequency' uses it",
  identities: 'name it in columns to use it',
  decimals: 'numbers with a decimal comma must be read as numbers',
  ignore: (name) => `fit on table(rows, { ignore: [${JSON.stringify(name)}] }) to leave it out`,
  nothing: 'table(rows, options) says how others can be used',
};

/** Names in a list, the first few of them. */
export function listOf(names: readonly string[], most = 8): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
