// A cell as the numbers its column becomes. Everything that makes rows of cells, whole tables and lines of a stream
// alike, comes through here: a row means the same to all of them.
import { cycle } from './cycle.js';
import type { UsedColumn } from './recipe.js';
import { type Cell, timeText } from './table.js';
import { timeOf } from './times.js';
import { booleanOf, isMissingAmongNumbers, numberOf } from './words.js';

const DAY = 86_400_000;
/** 1970 began on a Thursday: what takes a time to the beginning of a week, a Monday. */
const MONDAY = 3 * DAY;

/** What came of a cell. A text is why it cannot be used, to be said after "column … ". */
export type Outcome = 'known' | 'unknown' | 'missing' | { readonly fault: string };

/** Writes the numbers of one column at a time. */
export class CellEncoder {
  readonly column: UsedColumn;
  /** Where each text of a category stands. */
  readonly #places: ReadonlyMap<string, number> | undefined;
  /** The same for texts that are numbers. */
  #numbers: ReadonlyMap<number, number> | undefined;

  constructor(column: UsedColumn) {
    this.column = column;
    if (column.kind === 'category' || column.kind === 'frequency')
      this.#places = new Map(column.values.map((value, place) => [value, place]));
  }

  /**
   * Writes a cell. 'missing' says that it is missing, and what stands for it is written where there is something;
   * 'unknown' that it holds a category that is not known.
   */
  encode(cell: Cell, into: Float64Array, at: number): Outcome {
    const { column } = this;
    if (cell === null) return this.#encodeMissing(into, at);
    switch (column.kind) {
      case 'number': {
        const value = typeof cell === 'string' ? (booleanOf(cell) ?? cell) : cell;
        if (typeof value === 'string' && isMissingAmongNumbers(value)) return this.#encodeMissing(into, at);
        if (typeof value === 'string' || value instanceof Date) return { fault: needed(cell, 'a number') };
        into[at] = Number(value);
        if (!Number.isFinite(into[at])) return { fault: `is ${cell}: values must be finite` };
        break;
      }
      case 'boolean': {
        const value = typeof cell === 'string' ? booleanOf(cell) : cell;
        if (value instanceof Date || value === undefined || !(Number(value) === 0 || Number(value) === 1))
          return { fault: needed(cell, 'true or false') };
        into[at] = Number(value);
        break;
      }
      case 'time': {
        const time =
          cell instanceof Date ? cell.getTime() : typeof cell === 'string' ? timeOf(cell, column.order) : Number.NaN;
        if (typeof cell === 'string' && isMissingAmongNumbers(cell)) return this.#encodeMissing(into, at);
        if (Number.isNaN(time)) return { fault: needed(cell, 'a date or time') };
        this.encodeTime(time, into, at);
        break;
      }
      default:
        return this.encodePlace(this.placeOf(cell), into, at);
    }
    if (column.hasIndicator) into[at + this.#indicator] = 0;
    return 'known';
  }

  /** Where a cell stands among the categories, or −1. A number is found however it is written: 7, 7.0 and 007. */
  placeOf(cell: Cell): number {
    if (cell instanceof Date) return this.#placeOfTime(cell.getTime());
    const place = this.#places?.get(String(cell));
    if (place !== undefined) return place;
    const boolean = typeof cell === 'string' ? booleanOf(cell) : cell;
    const { values } = this.column as { values: readonly string[] };
    // CSV writes True and TRUE too.
    if (typeof boolean === 'boolean') return values.findIndex((value) => booleanOf(value) === boolean);
    this.#numbers ??= placesOfNumbers(values);
    return this.#numbers.get(typeof cell === 'string' ? numberOf(cell) : Number(cell)) ?? -1;
  }

  /** Writes the category that stands at a place. */
  encodePlace(place: number, into: Float64Array, at: number): Outcome {
    const { column } = this;
    if (column.kind === 'category') {
      into.fill(0, at, at + column.values.length);
      if (place >= 0) into[at + place] = 1;
    } else if (column.kind === 'frequency') into[at] = column.shares[place] ?? 0;
    if (column.hasIndicator) into[at + this.#indicator] = 0;
    return place < 0 ? 'unknown' : 'known';
  }

  /** Writes a time in milliseconds since 1970. */
  encodeTime(time: number, into: Float64Array, at: number): void {
    const { column } = this;
    if (column.kind !== 'time') return;
    let next = at;
    for (const part of column.parts) {
      if (part === 'epoch') into[next++] = time / DAY;
      else {
        const [period, start] = part === 'hour' ? [DAY, 0] : [7 * DAY, MONDAY];
        const turns = (time + start) / period;
        const [sine, cosine] = cycle(turns - Math.floor(turns));
        into[next++] = sine;
        into[next++] = cosine;
      }
    }
  }

  #encodeMissing(into: Float64Array, at: number): Outcome {
    const { column } = this;
    if (column.kind === 'category' || column.kind === 'frequency') this.encodePlace(-1, into, at);
    else if (column.kind === 'time') this.encodeTime(column.fill, into, at);
    else into[at] = column.fill;
    if (column.hasIndicator) into[at + this.#indicator] = 1;
    return 'missing';
  }

  /** Where the indicator of a missing value stands. */
  get #indicator(): number {
    const { column } = this;
    if (column.kind === 'category') return column.values.length;
    if (column.kind !== 'time') return 1;
    return column.parts.reduce((sum, part) => sum + (part === 'epoch' ? 1 : 2), 0);
  }

  #placeOfTime(time: number): number {
    const units = ['day', 's', 'ms', 'us'] as const;
    const places = units.map((unit) => this.#places?.get(timeText(time, unit)));
    return places.find((place) => place !== undefined) ?? -1;
  }
}

/** Where each number stands among texts; one that is written in two ways, as in 7 and 007, has no place. */
function placesOfNumbers(texts: readonly string[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  const repeated = new Set<number>([Number.NaN]);
  for (const [place, text] of texts.entries()) {
    const number = numberOf(text);
    if (places.has(number)) repeated.add(number);
    places.set(number, place);
  }
  for (const number of repeated) places.delete(number);
  return places;
}

function needed(cell: Cell, what: string): string {
  const text = cell instanceof Date ? cell.toISOString() : String(cell);
  return `holds ${JSON.stringify(text.length > 20 ? `${text.slice(0, 19)}…` : text)}, ${what} is needed`;
}
