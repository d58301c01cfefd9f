// Splits CSV into records and fields, chunk by chunk, and reads plain numbers on the way: one pass over the bytes, as
// a string for every number would take several times as long. Reading and scoring share it, so that a file means the
// same to both. It follows RFC 4180; quotes inside an unquoted field are text, lines end in \n, \r\n or \r, and blank
// lines are passed over.
import { BadLine } from './bad-line.js';
import { afterEndOfLine, isBlank, isEndOfLine, NEWLINE, RETURN, SPACE, TAB } from './line-ends.js';
import { LineLengths } from './line-lengths.js';
import { numberBetween, POWERS } from './number.js';
import type { RaggedPolicy } from './options.js';
import { RepeatedNames } from './repeated-names.js';
import { decodeUtf8 } from './text.js';

const QUOTE = 0x22;
const END_OF_FILE = 0x1a;
const [PLUS, MINUS, ZERO, POINT] = [0x2b, 0x2d, 0x30, 0x2e];
/** A record longer than this is not a line of a table. */
const LONGEST = 2 ** 28;
/** Digits that make an exact whole number in a double. */
const EXACT_DIGITS = 15;

export interface RecordOptions {
  /** The byte of the decimal mark. */
  readonly point?: number;
  /** Lines that begin with this are passed over. */
  readonly comment?: string | undefined;
  /** Lines to pass over before the first record. */
  readonly skip?: number | undefined;
}

export class RecordReader {
  readonly #separator: number;
  readonly point: number;
  readonly #comment: Uint8Array | undefined;
  #toSkip: number;
  /** What has not been read yet is in [#from, #to). */
  bytes: Uint8Array = new Uint8Array();
  #from = 0;
  #to = 0;
  #isEnded = false;
  /** Bytes scanned in vain because the record was not complete: the next attempt waits until it is worth it. */
  #wasted = 0;
  #hasNewLine = false;
  /** Lines that repeat the names are passed over. */
  readonly repeats = new RepeatedNames();
  /** How many fields a record is to have. */
  lengths = new LineLengths(0);
  #nextLine = 1;

  /** Fields of the record last read. */
  count = 0;
  /** Where they begin and end in `bytes`, without their quotes. */
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** Whether they were quoted: 1, or 2 where quotes are doubled inside. */
  quotes = new Uint8Array(64);
  /** Their values; NaN where they are not plain decimal numbers. */
  numbers = new Float64Array(64);
  /** The line on which the record begins, from 1. */
  line = 1;
  /** Where the record begins and ends in `bytes`, without the end of the line. */
  start = 0;
  end = 0;

  constructor(separator: string, { point = POINT, comment, skip = 0 }: RecordOptions = {}) {
    this.#separator = separator.charCodeAt(0);
    this.point = point;
    this.#comment = comment === undefined ? undefined : new TextEncoder().encode(comment);
    this.#toSkip = skip;
  }

  /** Adds bytes; what was in `bytes` may move. The chunk must not change while it is read. */
  push(chunk: Uint8Array): void {
    this.#hasNewLine ||= chunk.includes(NEWLINE) || chunk.includes(RETURN);
    const rest = this.#to - this.#from;
    if (rest === 0) {
      this.bytes = chunk;
      [this.#from, this.#to] = [0, chunk.length];
      return;
    }
    if (rest > LONGEST) throw new BadLine(this.#nextLine, 'it is longer than 256 MB: is a quote never closed?');
    const isOurs = this.bytes.length > this.#to; // else it may be the caller's chunk
    if (this.#from > 0 || !isOurs || this.#to + chunk.length > this.bytes.length) {
      const larger = new Uint8Array(2 * rest + chunk.length + 1);
      larger.set(this.bytes.subarray(this.#from, this.#to));
      this.bytes = larger;
      [this.#from, this.#to] = [0, rest];
    }
    this.bytes.set(chunk, this.#to);
    this.#to += chunk.length;
  }

  /** There are no more bytes: the last line may lack its end. */
  finish(): void {
    this.#isEnded = true;
  }

  /** Reads the next record; false where there is none yet, or none at all. */
  next(): boolean {
    if (!this.#isEnded && (!this.#hasNewLine || this.#wasted > 4 * (this.#to - this.#from))) {
      this.#wasted /= 2;
      return false;
    }
    while (this.#from < this.#to) {
      if (this.#toSkip > 0 || this.#comment !== undefined) {
        const passed = this.#passOver();
        if (passed === true) continue;
        if (passed === undefined) return this.#inVain();
      }
      if (!this.#scanOrSkip()) return this.#inVain();
      this.#wasted = 0;
      if (this.#isBlank() || this.repeats.has(this)) continue;
      if (this.lengths.width === 0 || this.lengths.fits(this)) return true;
    }
    return false;
  }

  /** How many fields the records to come have, and what becomes of those that have fewer or more. */
  expect(width: number, ragged?: RaggedPolicy): void {
    this.lengths = new LineLengths(width, ragged);
    while (this.starts.length < width) this.#grow();
  }

  /** What was passed over or filled in, as sentences. */
  passedOver(): string[] {
    return [...this.repeats.notes(), ...this.lengths.notes()];
  }

  /** Has the next call of `next` read the same record again. */
  unread(): void {
    this.#from = this.start;
    this.#nextLine = this.line;
    this.#hasNewLine = true;
  }

  /** The text of a field, as it is written between separators or quotes. */
  text(field: number): string {
    const text = decodeUtf8(this.bytes, this.starts[field] as number, this.ends[field] as number);
    return this.quotes[field] === 2 ? text.replaceAll('""', '"') : text;
  }

  /** The texts of all fields. */
  texts(): string[] {
    return Array.from({ length: this.count }, (_, field) => this.text(field));
  }

  /** The bytes of the record, without the end of the line; the same as text below. */
  record(): Uint8Array {
    return this.bytes.subarray(this.start, this.end);
  }

  recordText(): string {
    const text = decodeUtf8(this.bytes, this.start, this.end);
    const { lacking } = this.lengths;
    return lacking === 0 ? text : text + String.fromCharCode(this.#separator).repeat(lacking);
  }

  /** Nothing in the line, or the mark with which DOS ended files. */
  #isBlank(): boolean {
    if (this.count !== 1 || this.quotes[0] !== 0) return false;
    const { bytes, start, end } = this;
    if (end - start === 1 && bytes[start] === END_OF_FILE) return true;
    // A space is a missing value in a file of one column.
    return this.lengths.width === 1 ? start === end : isBlank(bytes, start, end);
  }

  #inVain(): false {
    this.#wasted += this.#to - this.#from;
    this.#hasNewLine = false;
    return false;
  }

  /** Passes over a line that is no record: true where it did, undefined where the line is not complete. */
  #passOver(): boolean | undefined {
    if (this.#toSkip === 0 && !this.#isComment()) return false;
    let at = this.#from;
    while (at < this.#to && !isEndOfLine(this.bytes[at])) at++;
    const isComplete = at < this.#to && !(this.bytes[at] === RETURN && at + 1 === this.#to);
    if (!isComplete && !this.#isEnded) return undefined;
    this.#from = afterEndOfLine(this.bytes, at, this.#to);
    this.#nextLine++;
    if (this.#toSkip > 0) this.#toSkip--;
    return true;
  }

  #isComment(): boolean {
    return this.#comment?.every((byte, i) => this.#from + i < this.#to && this.bytes[this.#from + i] === byte) ?? false;
  }

  /** A line that cannot be read is passed over before the error is thrown: the next call goes on after it. */
  #scanOrSkip(): boolean {
    try {
      return this.#scan();
    } catch (error) {
      this.#skipLine();
      throw error;
    }
  }

  #skipLine(): void {
    while (this.#from < this.#to && !isEndOfLine(this.bytes[this.#from])) this.#from++;
    this.#from = afterEndOfLine(this.bytes, this.#from, this.#to);
    this.#nextLine++;
    this.#hasNewLine = true;
  }

  /** Reads one record, or finds that it is not complete. */
  #scan(): boolean {
    const { bytes, point } = this;
    const [from, to, separator] = [this.#from, this.#to, this.#separator];
    let { starts, ends, quotes, numbers } = this;
    let at = from;
    let count = 0;
    let newLines = 1;
    for (;;) {
      if (count === starts.length) ({ starts, ends, quotes, numbers } = this.#grow());
      if (at < to && bytes[at] === QUOTE) {
        const opening = at;
        let isDoubled = false;
        for (at++; ; at++) {
          while (at < to && bytes[at] !== QUOTE) if (bytes[at++] === NEWLINE) newLines++;
          if (at >= to) return this.#unfinished('a quote is opened and never closed');
          if (at + 1 >= to || bytes[at + 1] !== QUOTE) break;
          isDoubled = true;
          at++;
        }
        starts[count] = opening + 1;
        ends[count] = at++;
        quotes[count] = isDoubled ? 2 : 1;
        numbers[count++] = numberBetween(bytes, opening + 1, at - 1, point);
        if (at < to && bytes[at] !== separator && !isEndOfLine(bytes[at]))
          throw new BadLine(this.#nextLine, 'there is text after a closing quote');
      } else {
        const start = at;
        starts[count] = start;
        // A plain number: sign, digits, decimal mark, digits, and then the end of the field.
        const first = at < to ? (bytes[at] as number) : 0;
        if ((first === MINUS || first === PLUS) && first !== separator) at++;
        let digits = 0;
        let length = 0;
        for (; at < to; at++, length++) {
          const digit = (bytes[at] as number) - ZERO;
          if (digit < 0 || digit > 9) break;
          digits = digits * 10 + digit;
        }
        let fraction = 0;
        if (at < to && bytes[at] === point) {
          for (at++; at < to; at++, fraction++) {
            const digit = (bytes[at] as number) - ZERO;
            if (digit < 0 || digit > 9) break;
            digits = digits * 10 + digit;
          }
        }
        length += fraction;
        const byte = at < to ? (bytes[at] as number) : NEWLINE;
        if ((byte === separator || byte === NEWLINE || byte === RETURN) && length > 0 && length <= EXACT_DIGITS) {
          const value = fraction === 0 ? digits : digits / (POWERS[fraction] as number);
          numbers[count] = first === MINUS ? -value : value;
        } else {
          while (at < to) {
            const other = bytes[at] as number;
            if (other === separator || other === NEWLINE || other === RETURN) break;
            at++;
          }
          const mayBeNumber = length > 0 || first === SPACE || first === TAB;
          numbers[count] = mayBeNumber ? numberBetween(bytes, start, at, point) : Number.NaN;
        }
        ends[count] = at;
        quotes[count++] = 0;
      }
      if (at < to && bytes[at] === separator) {
        at++;
        continue;
      }
      // At the end of a line, or of all there is; a \n may still follow a \r.
      if (!this.#isEnded && (at >= to || (bytes[at] === RETURN && at + 1 === to))) return false;
      this.count = count;
      [this.start, this.end, this.#from] = [from, at, afterEndOfLine(bytes, at, to)];
      this.line = this.#nextLine;
      this.#nextLine += newLines;
      return true;
    }
  }

  #unfinished(why: string): false {
    if (this.#isEnded) throw new BadLine(this.#nextLine, why);
    return false;
  }

  #grow(): this {
    const size = 2 * this.starts.length;
    const [starts, ends, quotes] = [new Int32Array(size), new Int32Array(size), new Uint8Array(size)];
    const numbers = new Float64Array(size);
    starts.set(this.starts);
    ends.set(this.ends);
    quotes.set(this.quotes);
    numbers.set(this.numbers);
    [this.starts, this.ends, this.quotes, this.numbers] = [starts, ends, quotes, numbers];
    return this;
  }
}
