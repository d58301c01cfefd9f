// One row after another as the numbers a model needs, from the fields of CSV or the values of JSON, into a
// buffer that is used again: the way of rows in `score`.

import { cellOf } from '../files/cells.js';
import type { CsvRows } from '../files/csv.js';
import type { JsonRow } from '../files/ndjson.js';
import { BadLine } from '../files/records.js';
import { booleanOf, isMissingAmongNumbers, meaningOf } from '../tables/words.js';
import { quote } from './errors.js';
import type { Preparation, PreparedColumn } from './preparation.js';

type Cell = number | string | undefined;

interface Encoded {
  readonly column: PreparedColumn;
  /** Where its numbers begin in the row. */
  readonly at: number;
  /** Of a category: where each of its values stands. */
  readonly places: Map<string, number> | undefined;
}

export class RowEncoder {
  readonly width: number;
  readonly #columns: readonly Encoded[];
  readonly #preparation: Preparation;
  /** Cells with categories the model does not know. */
  unknownCategories = 0;

  constructor(preparation: Preparation) {
    this.#preparation = preparation;
    this.width = preparation.features.length;
    let at = 0;
    this.#columns = preparation.columns.map((column) => {
      const isNumber = column.kind === 'number';
      const places = isNumber ? undefined : new Map(column.values.map((value, place) => [value, place]));
      const entry = { column, at, places };
      at += isNumber ? 1 : column.values.length;
      return entry;
    });
  }

  /** Writes the row a reader stands at; false where it lacks values and is to be left out. */
  encodeFields(
    { reader, meaning }: Pick<CsvRows, 'reader' | 'meaning'>,
    fields: Int32Array,
    into: Float64Array,
    from: number,
  ): boolean {
    for (let p = 0; p < this.#columns.length; p++) {
      const field = fields[p] as number;
      const { column, at, places } = this.#columns[p] as Encoded;
      const cell = places === undefined ? meaning(reader, field) : (meaningOf(reader.text(field)) as Cell);
      if (places === undefined && typeof cell === 'number' && Number.isFinite(cell)) into[from + at] = cell;
      else if (!this.#encode(cell, column, places, reader.line, into, from + at)) return false;
    }
    return true;
  }

  /** The same for a line of JSON. */
  encodeJson(row: JsonRow, line: number, into: Float64Array, from: number): boolean {
    const isNamed = row instanceof Map;
    const { isNamed: byName, width, columns } = this.#preparation;
    const list = row as readonly unknown[];
    if (!isNamed && list.length !== width && list.length !== columns.length)
      throw new BadLine(line, `it has ${list.length} values, the model needs ${columns.length}`);
    const byIndex = !isNamed && list.length === width;
    for (let p = 0; p < this.#columns.length; p++) {
      const { column, at, places } = this.#columns[p] as Encoded;
      const key = isNamed && !byName ? `column ${p + 1}` : column.name;
      const value = isNamed ? (row as ReadonlyMap<string, unknown>).get(key) : list[byIndex ? column.index : p];
      const cell = cellOf(value);
      if (!this.#encode(cell, column, places, line, into, from + at)) return false;
    }
    return true;
  }

  #encode(
    given: Cell,
    column: PreparedColumn,
    places: Map<string, number> | undefined,
    line: number,
    into: Float64Array,
    at: number,
  ): boolean {
    const cell = column.kind === 'number' && typeof given === 'string' ? asNumber(given) : given;
    if (cell === undefined) {
      if (this.#preparation.missing === 'drop') return false;
      if (this.#preparation.missing === 'error') throw new BadLine(line, `column ${quote(column.name, 30)} is missing`);
    }
    if (column.kind === 'category') {
      into.fill(0, at, at + column.values.length);
      const place = cell === undefined ? undefined : places?.get(String(cell));
      if (place === undefined) this.unknownCategories++;
      else into[at + place] = 1;
      return true;
    }
    const value = cell === undefined ? column.fill : cell;
    if (typeof value === 'string')
      throw new BadLine(line, `column ${quote(column.name, 30)} holds ${quote(value, 20)}, a number is needed`);
    if (!Number.isFinite(value))
      throw new BadLine(line, `column ${quote(column.name, 30)} is ${cell === undefined ? 'missing' : value}`);
    into[at] = value;
    return true;
  }
}

/** Text in a column of numbers: true and false, what stands for a missing number, or text still. */
function asNumber(text: string): Cell {
  const boolean = booleanOf(text);
  if (boolean !== undefined) return Number(boolean);
  return isMissingAmongNumbers(text) ? undefined : text;
}
