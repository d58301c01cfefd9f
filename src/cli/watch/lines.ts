// Parses rows of a stream line by line, as CSV or JSON. The first row determines which columns are numbers.
import { isMissingAmongNumbers, meaningOf, numberOf } from '../../tables/words.js';
import { clean, DataError, quote } from '../errors.js';
import { isNameOfTime } from '../series/times.js';

export interface LineOptions {
  readonly separator: string | undefined;
  readonly header: boolean | undefined;
  /** Names of the columns to use; column numbers from 1 if there is no header. */
  readonly columns: readonly string[] | undefined;
}

/** A row of numbers; NaN for missing values. */
export type Row = readonly number[];

const SEPARATORS = [',', ';', '\t', '|'];

/** Parses lines to rows; the first lines determine the format. */
export class RowParser {
  readonly isJson: boolean;
  /** Names of the columns used; set once the first row was read. */
  names: readonly string[] = [];
  readonly #options: LineOptions;
  readonly #separator: string;
  #header: readonly string[] | undefined;
  /** Indices of the columns used. */
  #places: readonly number[] | undefined;
  #width = 0;

  /** @param first The first line, which must also be passed to `read`. */
  constructor(first: string, options: LineOptions) {
    this.#options = options;
    this.isJson = /^\s*[[{]/.test(first);
    const most = (best: string, other: string): string =>
      fieldsOf(first, other).length > fieldsOf(first, best).length ? other : best;
    this.#separator = options.separator ?? SEPARATORS.reduce(most);
  }

  /** The row of a line, or undefined for the header. */
  read(line: string): Row | undefined {
    return this.isJson ? this.#readJson(line) : this.#readCsv(line);
  }

  #readCsv(line: string): Row | undefined {
    const fields = fieldsOf(line, this.#separator);
    if (this.#places === undefined && this.#header === undefined) {
      const isHeader = this.#options.header ?? isHeaderLike(fields);
      this.#width = fields.length;
      if (isHeader) {
        this.#header = fields.map((field) => field.trim());
        return undefined;
      }
    }
    if (fields.length !== this.#width)
      throw new DataError(`it has ${fields.length} fields, the lines before it have ${this.#width}`);
    this.#places ??= this.#choose(
      this.#header ?? fields.map((_, i) => String(i + 1)),
      fields.map((field) => typeof cellOf(field) !== 'string'),
    );
    return this.#places.map((place, i) => this.#numberOf(cellOf(fields[place] as string), i));
  }

  #readJson(line: string): Row {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new DataError('it is not JSON');
    }
    if (typeof value !== 'object' || value === null) throw new DataError('it is neither a list nor an object');
    const entries: Array<[string, unknown]> = Array.isArray(value)
      ? value.map((item, i) => [String(i + 1), item])
      : Object.entries(value);
    if (this.#places === undefined) {
      this.#places = this.#choose(
        entries.map(([name]) => name),
        entries.map(([, item]) => typeof item === 'number' || item === null),
      );
    }
    const items = new Map(entries);
    return this.names.map((name, i) => this.#numberOf(items.get(name), i));
  }

  /** Indices of the requested columns, or of those that are numbers. */
  #choose(names: readonly string[], areNumbers: readonly boolean[]): number[] {
    const wanted = this.#options.columns ?? names.filter((name, i) => areNumbers[i] && !isNameOfTime(name));
    const places = wanted.map((name) => names.indexOf(name));
    const missing = places.indexOf(-1);
    if (missing >= 0) {
      const known = names.map((name) => clean(name, 30)).join(', ');
      throw new DataError(`there is no column ${quote(wanted[missing] as string)}; there are ${known}`);
    }
    if (places.length === 0)
      throw new DataError('no column of the first row is a number: choose columns with --columns');
    this.names = wanted;
    return places;
  }

  #numberOf(value: unknown, column: number): number {
    if (value === null || value === undefined) return Number.NaN;
    if (typeof value === 'number') return value;
    throw new DataError(`${quote(this.names[column] as string)} is ${quote(String(value), 30)}, which is not a number`);
  }
}

/** A number, text, or undefined if missing. */
function cellOf(field: string): number | string | undefined {
  const text = field.trim();
  const number = numberOf(text);
  if (!Number.isNaN(number)) return number;
  return isMissingAmongNumbers(text) ? undefined : meaningOf(text);
}

function isHeaderLike(fields: readonly string[]): boolean {
  const meanings = fields.map(cellOf);
  return (
    meanings.some((meaning) => typeof meaning === 'string') && meanings.every((meaning) => typeof meaning !== 'number')
  );
}

/** The fields of a CSV line; quoted fields may contain the separator. */
function fieldsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i] as string;
    if (character === '"' && isQuoted && line[i + 1] === '"') {
      field += '"';
      i++;
    } else if (character === '"' && (isQuoted || field.trim() === '')) {
      if (!isQuoted) field = '';
      isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  fields.push(field);
  return fields;
}

/** Splits text that arrives in chunks into lines, each as soon as it is complete. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() as string;
    if (rest.length > LONGEST) throw new DataError(`a line has more than ${LONGEST} characters`);
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

const LONGEST = 2 ** 24;
