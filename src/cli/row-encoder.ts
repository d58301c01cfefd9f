// Encodes one row after another as the numbers a model needs, from CSV fields or JSON values, into a reused buffer.
// Used by `score`.

import { BadLine } from '../files/bad-line.js';
import type { CsvRows } from '../files/csv.js';
import type { JsonRow } from '../files/ndjson.js';
import { cellOf } from '../tables/cells.js';
import { CellEncoder } from '../tables/encode.js';
import type { Recipe } from '../tables/recipe.js';
import type { Cell } from '../tables/table.js';
import { quote } from './errors.js';

export class RowEncoder {
  readonly width: number;
  readonly #recipe: Recipe;
  readonly #encoders: readonly CellEncoder[];
  /** Number of cells with categories unknown to the model. */
  unknownCategories = 0;
  /** Number of missing values that were filled in. */
  filledIn = 0;

  constructor(recipe: Recipe) {
    this.#recipe = recipe;
    this.width = recipe.features.length;
    this.#encoders = recipe.columns.map((column) => new CellEncoder(column));
  }

  /** Encodes the reader's current row; false if values are missing and the row is to be omitted. */
  encodeFields(
    { reader, cells }: Pick<CsvRows, 'reader' | 'cells'>,
    fields: Int32Array,
    into: Float64Array,
    from: number,
  ): boolean {
    const { offsets } = this.#recipe;
    for (let c = 0; c < this.#encoders.length; c++) {
      const field = fields[c] as number;
      const encoder = this.#encoders[c] as CellEncoder;
      const { kind, hasIndicator } = encoder.column;
      const at = from + (offsets[c] as number);
      const cell = kind === 'number' ? cells.numberOrText(reader, field) : cells.text(reader, field);
      if (typeof cell === 'number' && cell - cell === 0 && !hasIndicator) into[at] = cell;
      else if (!this.#encode(encoder, cell, reader.line, into, at)) return false;
    }
    return true;
  }

  /** The same for a line of JSON. */
  encodeJson(row: JsonRow, line: number, into: Float64Array, from: number): boolean {
    const { isNamed: byName, width, columns, offsets } = this.#recipe;
    const list = row instanceof Map ? undefined : (row as readonly unknown[]);
    if (list !== undefined && list.length !== width && list.length !== columns.length)
      throw new BadLine(line, `it has ${list.length} values, the model needs ${columns.length}`);
    const byIndex = list?.length === width;
    for (let c = 0; c < this.#encoders.length; c++) {
      const encoder = this.#encoders[c] as CellEncoder;
      const { name, index, kind } = encoder.column;
      const key = byName ? name : `column ${c + 1}`;
      const value = list === undefined ? (row as ReadonlyMap<string, unknown>).get(key) : list[byIndex ? index : c];
      const isText = typeof value === 'string' && (kind === 'category' || kind === 'frequency');
      const cell = isText && encoder.placeOf(value.trim()) >= 0 ? value.trim() : cellOf(value);
      if (!this.#encode(encoder, cell, line, into, from + (offsets[c] as number))) return false;
    }
    return true;
  }

  #encode(encoder: CellEncoder, cell: Cell, line: number, into: Float64Array, at: number): boolean {
    const outcome = encoder.encode(cell, into, at);
    if (outcome === 'known') return true;
    const name = quote(encoder.column.name, 30);
    if (typeof outcome === 'object') throw new BadLine(line, `column ${name} ${outcome.fault}`);
    if (outcome === 'unknown') {
      this.unknownCategories++;
      return true;
    }
    const { missing } = this.#recipe;
    if (missing === 'drop') return false;
    if (missing === 'error') throw new BadLine(line, `column ${name} is missing`);
    if (Number.isNaN(into[at])) throw new BadLine(line, `column ${name} is missing, and the model has no median`);
    this.filledIn++;
    return true;
  }
}
