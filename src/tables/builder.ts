// Builds a column cell by cell, for sources that do not know what it holds before its end: files of text, objects.
import { dressedNumber, numbersInTexts } from './dress.js';
import { cut, longer } from './growing.js';
import type { Keeping } from './keeping.js';
import { asBooleans, asTimes, booleanColumn, flagsIn, timeColumn } from './recognize.js';
import {
  type Column,
  MISSING,
  type OtherColumn,
  type Strays,
  type TextColumn,
  type TimeUnit,
  timeText,
} from './table.js';
import { isTime } from './times.js';
import { isMissingAmongNumbers } from './words.js';

/** A column in which at least this share of the cells are numbers is a column of numbers. */
export const SHARE_OF_NUMBERS = 0.95;

export class ColumnBuilder {
  readonly name: string;
  readonly #isVerbatim: boolean;
  readonly #mostTexts: number;
  readonly #keeping: Keeping;
  // Each is as long as it needs to be: what is beyond its end is NaN, MISSING or 0.
  #numbers = new Float64Array(0);
  #codes = new Int32Array(0);
  /** Integers of which some are beyond 2^53. */
  #integers: BigInt64Array | undefined;
  #isUnsigned = false;
  readonly #texts = new Map<string, number>();
  /** Those that are neither dressed numbers nor missing among numbers. */
  #plainTexts = 0;
  #hasMore = false;
  #hidNumbers = false;
  #looksLikeTimes = true;
  #missing = 0;
  #booleans = 0;
  #times = 0;
  #textCells = 0;
  #firstText: { row: number; text: string } | undefined;
  #unit: TimeUnit = 'ms';
  #what: string | undefined;
  rows = 0;

  constructor(name: string, keeping: Keeping) {
    this.name = name;
    this.#keeping = keeping;
    this.#isVerbatim = keeping.verbatim.has(name);
    this.#mostTexts = this.#isVerbatim ? Infinity : keeping.mostTexts;
  }

  /** Whether cells are wanted as text even where they are numbers. */
  get isVerbatim(): boolean {
    return this.#isVerbatim;
  }

  /** After finish: whether the column became text although there were numbers, whose own text is not known here. */
  get hidNumbers(): boolean {
    return this.#hidNumbers;
  }

  pushNumber(value: number): void {
    if (this.#isVerbatim) this.pushText(String(value));
    else if (this.#integers !== undefined && Number.isSafeInteger(value)) this.pushInteger(BigInt(value));
    else this.#store(value);
  }

  /** A whole number of up to 64 bits, with or without a sign. */
  pushInteger(value: bigint): void {
    if (this.#isVerbatim) {
      this.pushText(String(value));
      return;
    }
    const number = Number(value);
    if (!Number.isSafeInteger(number)) this.#becomeIntegers();
    if (value >= 2n ** 63n) this.#isUnsigned = true;
    if (this.#integers !== undefined) {
      if (this.rows >= this.#integers.length) this.#integers = longer(this.#integers, this.rows, 0n);
      this.#integers[this.rows] = value;
    }
    this.#store(number);
  }

  pushBoolean(value: boolean): void {
    if (this.#isVerbatim) {
      this.pushText(String(value));
      return;
    }
    this.#booleans++;
    this.#store(Number(value));
  }

  /** A time, in milliseconds since 1970. */
  pushTime(value: number, unit: TimeUnit = 'ms'): void {
    if (this.#isVerbatim) {
      this.pushText(timeText(value, unit));
      return;
    }
    this.#unit = unit;
    this.#times++;
    this.#store(value);
  }

  pushMissing(): void {
    this.#missing++;
    this.rows++;
  }

  pushText(text: string): void {
    this.#firstText ??= { row: this.rows, text };
    this.#textCells++;
    const code = this.#codeOf(text);
    if (!this.#hasMore) this.#code(code);
    this.rows++;
  }

  /** What is no number, boolean, time or text, in the text it is to be written as; `what` is what such cells are called. */
  pushOther(what: string, text: string): void {
    if (!this.#isVerbatim) this.#what = what;
    this.pushText(text);
  }

  /** Missing up to a row: the column appeared late, or its key is not in every object. */
  padTo(rows: number): void {
    if (this.rows >= rows) return;
    this.#missing += rows - this.rows;
    this.rows = rows;
  }

  finish(): Column {
    const numbers = this.rows - this.#missing - this.#textCells - this.#booleans - this.#times;
    if (this.#what !== undefined) return this.#asOther(this.#what);
    if (this.#isVerbatim) return this.#asText();
    if (this.#textCells === 0) {
      if (this.#times > 0 && numbers + this.#booleans === 0)
        return timeColumn(this.name, cut(this.#numbers, this.rows, Number.NaN), this.#missing, this.#unit);
      if (this.#booleans > 0 && numbers + this.#times === 0)
        return booleanColumn(this.name, cut(this.#numbers, this.rows, Number.NaN), this.#missing);
      return this.#asNumbers(undefined);
    }
    if (this.#booleans + this.#times > 0) return this.#mixed();
    const isPlainLarge = this.#numbers.subarray(0, this.rows).some((value) => Math.abs(value) >= 1000);
    const context = { plain: numbers, isPlainLarge, isSureOfGroups: this.#keeping.mayBeDecimal !== true };
    const read = numbersInTexts(
      [...this.#texts.keys()],
      this.#codes.subarray(0, this.rows),
      this.#keeping.point ?? '.',
      context,
    );
    const flags = numbers > 0 && !this.#hasMore ? flagsIn(this.#numbers, this.#codes, this.#texts) : undefined;
    if (flags !== undefined) return booleanColumn(this.name, cut(flags, this.rows, Number.NaN), this.#missing);
    const strays = this.#textCells - read.cells;
    if (read.numbers > 0 && read.numbers >= SHARE_OF_NUMBERS * (read.numbers + strays))
      return this.#asRead(read.values);
    if (numbers === 0) {
      const text = this.#asText();
      return (this.#looksLikeTimes ? asTimes(text, this.#keeping.order) : asBooleans(text)) ?? text;
    }
    this.#hidNumbers = true;
    return this.#mixed();
  }

  #store(value: number): void {
    if (this.rows >= this.#numbers.length) this.#numbers = longer(this.#numbers, this.rows, Number.NaN);
    this.#numbers[this.rows++] = value;
  }

  #code(code: number): void {
    if (this.rows >= this.#codes.length) this.#codes = longer(this.#codes, this.rows, MISSING);
    this.#codes[this.rows] = code;
  }

  #codeOf(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#hasMore) return MISSING;
    const isMarker = isMissingAmongNumbers(text);
    if (this.#looksLikeTimes && !isMarker && !isTime(text)) this.#looksLikeTimes = false;
    const isPlain = !isMarker && !this.#looksLikeTimes && dressedNumber(text, this.#keeping.point ?? '.') === undefined;
    if (isPlain && this.#plainTexts++ >= this.#mostTexts) {
      this.#hasMore = true;
      return MISSING;
    }
    this.#texts.set(text, this.#texts.size);
    return this.#texts.size - 1;
  }

  /** From now on whole numbers are kept exactly, those so far too. */
  #becomeIntegers(): void {
    if (this.#integers !== undefined) return;
    this.#integers = longer(new BigInt64Array(0), this.rows, 0n);
    for (let i = 0; i < Math.min(this.rows, this.#numbers.length); i++) {
      const value = this.#numbers[i] as number;
      if (Number.isSafeInteger(value)) this.#integers[i] = BigInt(value);
    }
  }

  /** A column of numbers with the texts that are numbers or missing; all others are strays. */
  #asRead(read: ReadonlyArray<number | undefined>): Column {
    const texts = [...this.#texts.keys()];
    let first: { row: number; text: string } | undefined;
    let numbers = 0;
    for (let row = 0; row < Math.min(this.rows, this.#codes.length); row++) {
      const code = this.#codes[row] as number;
      if (code === MISSING) continue;
      const value = read[code];
      if (value === undefined) {
        first ??= { row, text: texts[code] as string };
        continue;
      }
      this.#textCells--;
      if (Number.isNaN(value)) this.#missing++;
      else {
        if (row >= this.#numbers.length) this.#numbers = longer(this.#numbers, this.rows, Number.NaN);
        this.#numbers[row] = value;
        numbers++;
      }
    }
    if (numbers > 0) this.#integers = undefined; // these were not kept exactly
    return this.#asNumbers(
      this.#textCells === 0
        ? undefined
        : { ...(first ?? this.#firstText ?? { row: 0, text: '' }), count: this.#textCells },
    );
  }

  #asNumbers(strays: Strays | undefined): Column {
    const { name, rows } = this;
    const missing = this.#missing + (strays?.count ?? 0);
    const values = cut(this.#numbers, rows, Number.NaN);
    const isWhole = missing < rows && values.every((value) => Number.isNaN(value) || Number.isInteger(value));
    const integers = this.#integers;
    const isExact = integers !== undefined && isWhole && strays === undefined && this.#booleans + this.#times === 0;
    if (!isExact || (this.#isUnsigned && values.some((value) => value < 0)))
      return { kind: 'number', name, missing, values, isWhole, ...(strays !== undefined && { strays }) };
    const present = missing === 0 ? undefined : Uint8Array.from(values, (value) => Number(!Number.isNaN(value)));
    const bits = cut(integers, rows, 0n);
    return {
      kind: 'integer',
      name,
      missing,
      present,
      values: this.#isUnsigned ? new BigUint64Array(bits.buffer) : bits,
    };
  }

  #asText(): TextColumn {
    const codes = this.#hasMore ? undefined : cut(this.#codes, this.rows, MISSING);
    return { kind: 'text', name: this.name, missing: this.#missing, codes, texts: [...this.#texts.keys()] };
  }

  #asOther(what: string): OtherColumn {
    const { codes, texts } = this.#mixed();
    const values = codes && Array.from(codes, (code) => (code === MISSING ? null : (texts[code] as string)));
    return { kind: 'other', name: this.name, missing: this.#missing, what, values };
  }

  /** Text among numbers: the numbers turn into text, as JavaScript writes them. */
  #mixed(): TextColumn {
    const { name, rows } = this;
    const missing = this.#missing;
    const numbers = cut(this.#numbers, rows, Number.NaN);
    const known = [...this.#texts.keys()];
    if (this.#hasMore) return { kind: 'text', name, missing, codes: undefined, texts: known };
    const inCodes = cut(this.#codes, rows, MISSING);
    const texts = new Map<string, number>();
    const codes = new Int32Array(rows).fill(MISSING);
    for (let i = 0; i < rows; i++) {
      const code = inCodes[i] as number;
      const number = numbers[i] as number;
      if (code === MISSING && Number.isNaN(number)) continue;
      const text = code === MISSING ? this.#write(number) : (known[code] as string);
      let at = texts.get(text);
      if (at === undefined) {
        if (texts.size >= this.#mostTexts)
          return { kind: 'text', name, missing, codes: undefined, texts: [...texts.keys()] };
        at = texts.size;
        texts.set(text, at);
      }
      codes[i] = at;
    }
    return { kind: 'text', name, missing, codes, texts: [...texts.keys()] };
  }

  #write(number: number): string {
    const numbers = this.rows - this.#missing - this.#textCells - this.#booleans - this.#times;
    if (this.#times > 0 && numbers + this.#booleans === 0) return timeText(number, this.#unit);
    if (this.#booleans > 0 && numbers + this.#times === 0) return String(number === 1);
    return String(number);
  }
}
