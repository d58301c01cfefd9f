// What `score` writes before the score of a row: the row itself, or its number and id. The first file determines the
// columns of the output; the other files must have the same columns.

import { BadLine } from '../../files/bad-line.js';
import type { CsvRows } from '../../files/csv.js';
import type { JsonRow } from '../../files/ndjson.js';
import { outputColumn } from '../../files/output-column.js';
import type { RecordReader } from '../../files/records.js';
import { namesBeside, PLAIN_MARKS } from '../../files/row-endings.js';
import {
  type RowLayout,
  type RowTexts,
  type TextFormat,
  textsOfColumns,
  textsOfFields,
  textsOfObjects,
} from '../../files/row-texts.js';
import { csvCell, jsonValue, type RowFormat } from '../../files/write.js';
import type { Recipe } from '../../tables/recipe.js';
import type { Table } from '../../tables/table.js';
import { quote } from '../errors.js';

export interface CarrierOptions {
  /** Parquet output holds only scores here. */
  readonly format: RowFormat;
  readonly scoresOnly: boolean;
  /** The id column, when only scores are written. */
  readonly id: string | undefined;
  /** Whether each row is written with the name of its file. */
  readonly hasFiles: boolean;
  readonly recipe: Recipe;
}

/** A JSON row and its line number. */
interface ObjectLine {
  readonly row: JsonRow;
  readonly line: string;
  readonly number: number;
}

export class Carrier {
  readonly options: CarrierOptions;
  #layout: RowLayout | undefined;
  #verdicts: readonly string[] = [];

  constructor(options: CarrierOptions) {
    this.options = options;
    const { scoresOnly, id } = options;
    if (!scoresOnly) return;
    const names = ['row', ...(id === undefined ? [] : [id])];
    this.#setLayout({ names, header: names.map((name) => csvCell(name)).join(','), marks: PLAIN_MARKS }, []);
  }

  /** The columns of the output; undefined until the first file is known. */
  get layout(): RowLayout | undefined {
    return this.#layout;
  }

  /** Names of the columns that curvad adds. */
  get verdicts(): readonly string[] {
    return this.#verdicts;
  }

  /** For rows of CSV. */
  ofFields(rows: CsvRows, na: readonly string[] | undefined): (reader: RecordReader) => string {
    const { layout, text } = textsOfFields(rows, this.#format, na, this.#layout);
    this.#setLayout(layout, []);
    return text;
  }

  /** For lines of JSON; the first one determines the columns. */
  ofObjects(): (line: ObjectLine) => string {
    let texts: RowTexts<ObjectLine> | undefined;
    return (line) => {
      if (texts === undefined) {
        texts = textsOfObjects(this.#format, line.row, this.#layout);
        const { columns, left } = this.options.recipe;
        const others = [...columns, ...left].map(({ name }) => name);
        this.#setLayout(texts.layout, others);
      }
      this.#refuseTaken(line);
      return texts.text(line);
    };
  }

  /** For rows of a table. */
  ofTable(table: Table, where: string): (row: number) => string {
    const columns = table.columns.map((column) => outputColumn(column));
    const { layout, text } = textsOfColumns(columns, this.#format, where, this.#layout);
    this.#setLayout(layout, []);
    return text;
  }

  /** The number and the id of a row; Parquet is given the id. */
  ofScore(row: number, name: string | null): string {
    const { format, id } = this.options;
    if (format === 'parquet') return name ?? '';
    if (format === 'csv') return id === undefined ? String(row) : `${row},${csvCell(name)}`;
    return `{"row":${row}${id === undefined ? '' : `,${jsonValue(id)}:${jsonValue(name)}`}}`;
  }

  get #format(): TextFormat {
    return this.options.format === 'parquet' ? 'csv' : this.options.format;
  }

  #setLayout(layout: RowLayout, others: readonly string[]): void {
    if (this.#layout !== undefined) return;
    this.#layout = layout;
    const wanted = ['score', 'anomaly', 'probability', ...(this.options.hasFiles ? ['file'] : [])];
    this.#verdicts = namesBeside([...new Set([...layout.names, ...others])], wanted);
  }

  /** Later lines may have keys with the names of columns that curvad adds. */
  #refuseTaken({ row, number }: ObjectLine): void {
    if (!(row instanceof Map) || this.#format === 'csv') return;
    const taken = this.#verdicts.find((name) => row.has(name));
    if (taken === undefined) return;
    const why = 'which earlier rows lack and which names a column of the output: use --scores-only';
    throw new BadLine(number, `it has a key ${quote(taken)}, ${why}`);
  }
}
