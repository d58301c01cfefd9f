// Cells that are put after those of a row that is written as it was: after the last field of CSV, before the closing
// brace of JSON.
import { distinctNames } from '../tables/table.js';
import type { OutputCell } from './output-column.js';
import { csvCell, jsonValue } from './write.js';

/** How the fields of CSV are parted, and what its decimal mark is. */
export interface FieldMarks {
  readonly separator: string;
  readonly decimal: '.' | ',';
}

export const PLAIN_MARKS: FieldMarks = { separator: ',', decimal: '.' };

/** Names for more columns beside those that are there: one that is taken gets a number, as in "score (2)". */
export function namesBeside(taken: readonly string[], wanted: readonly string[]): string[] {
  return distinctNames([...taken, ...wanted]).slice(taken.length);
}

export interface RowEndings {
  /** What comes before all rows. */
  begin(header: string): string;
  /** A row with its new cells. */
  row(original: string, cells: readonly OutputCell[]): string;
  /** What comes after all rows. */
  end(): string;
}

/** The endings of rows in a format of text; `names` are those of the new cells. */
export function rowEndings(
  format: 'csv' | 'json' | 'ndjson',
  names: readonly string[],
  marks: FieldMarks = PLAIN_MARKS,
): RowEndings {
  if (format === 'csv') return new CsvEndings(names, marks);
  return new JsonEndings(names, format === 'json');
}

class CsvEndings implements RowEndings {
  readonly #names: readonly string[];
  readonly #marks: FieldMarks;

  constructor(names: readonly string[], marks: FieldMarks) {
    this.#names = names;
    this.#marks = marks;
  }

  begin(header: string): string {
    return this.row(header, this.#names);
  }

  row(original: string, cells: readonly OutputCell[]): string {
    let text = original;
    for (const cell of cells) text += this.#marks.separator + csvField(cell, this.#marks);
    return `${text}\n`;
  }

  end(): string {
    return '';
  }
}

/** A cell among others of a file with these marks. */
export function csvField(cell: OutputCell, { separator, decimal }: FieldMarks, guardFormulas = false): string {
  const text = csvCell(cell, guardFormulas);
  const marked = decimal === ',' && typeof cell === 'number' ? text.replace('.', ',') : text;
  return marked.includes(separator) && !marked.startsWith('"') ? `"${marked}"` : marked;
}

class JsonEndings implements RowEndings {
  readonly #keys: readonly string[];
  readonly #isArray: boolean;
  #isFirst = true;

  constructor(names: readonly string[], isArray: boolean) {
    this.#keys = names.map((name) => jsonValue(name));
    this.#isArray = isArray;
  }

  begin(): string {
    return this.#isArray ? '[' : '';
  }

  row(original: string, cells: readonly OutputCell[]): string {
    const rest = original.slice(0, original.lastIndexOf('}')).trimEnd();
    let text = rest;
    for (const [i, cell] of cells.entries())
      text += `${i === 0 && rest.endsWith('{') ? '' : ','}${this.#keys[i]}:${jsonValue(cell)}`;
    const before = this.#isFirst ? '\n' : ',\n';
    this.#isFirst = false;
    return this.#isArray ? `${before}${text}}` : `${text}}\n`;
  }

  end(): string {
    if (!this.#isArray) return '';
    return this.#isFirst ? ']\n' : '\n]\n';
  }
}
