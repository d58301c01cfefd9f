// Columns of formats that say what they hold: Parquet and Arrow. Values come in runs; null and undefined are missing.
import { type Column, MISSING, MISSING_BOOLEAN, type Numbers, type TimeUnit } from '../tables/table.js';

export type Values = ArrayLike<unknown>;

/** What a column holds, and how its values are read. */
export type Content =
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly numberOf?: (value: unknown) => number }
  | { readonly kind: 'integer'; readonly isUnsigned: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'time'; readonly unit: TimeUnit; readonly timeOf: (value: unknown) => number }
  | { readonly kind: 'text' }
  | { readonly kind: 'other'; readonly what: string; readonly textOf: (value: unknown) => string };

/** A column from its runs of values. */
export function typedColumn(name: string, content: Content, runs: readonly Values[]): Column {
  const rows = runs.reduce((sum, { length }) => sum + length, 0);
  switch (content.kind) {
    case 'number': {
      const values = numbersOf(runs, rows, content.numberOf);
      return { kind: 'number', name, missing: countOf(values, Number.isNaN), values, isWhole: content.isWhole };
    }
    case 'integer':
      return integerColumn(name, runs, rows, content.isUnsigned);
    case 'boolean': {
      const values = new Uint8Array(rows);
      each(runs, (value, i) => {
        values[i] = isNothing(value) ? MISSING_BOOLEAN : Number(value);
      });
      return { kind: 'boolean', name, missing: countOf(values, (value) => value === MISSING_BOOLEAN), values };
    }
    case 'time': {
      const { timeOf, unit } = content;
      const values = new Float64Array(rows);
      each(runs, (value, i) => {
        values[i] = isNothing(value) ? Number.NaN : timeOf(value);
      });
      return { kind: 'time', name, missing: countOf(values, Number.isNaN), values, unit };
    }
    case 'text':
      return textColumn(name, runs, rows);
    case 'other': {
      const values: Array<string | null> = [];
      each(runs, (value) => values.push(isNothing(value) ? null : content.textOf(value)));
      return {
        kind: 'other',
        name,
        missing: values.filter((value) => value === null).length,
        what: content.what,
        values,
      };
    }
  }
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function each(runs: readonly Values[], visit: (value: unknown, row: number) => void): void {
  let row = 0;
  for (const run of runs) for (let i = 0; i < run.length; i++) visit(run[i], row++);
}

function countOf(values: Numbers, isCounted: (value: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (isCounted(values[i] as number)) count++;
  return count;
}

/** One run of numbers as it is; several, or with gaps, as doubles. */
function numbersOf(runs: readonly Values[], rows: number, numberOf?: (value: unknown) => number): Numbers {
  const [only] = runs;
  if (runs.length === 1 && numberOf === undefined && isNumbers(only)) return only;
  const values = new Float64Array(rows);
  let at = 0;
  for (const run of runs) {
    if (numberOf === undefined && isNumbers(run)) values.set(run, at);
    else {
      for (let i = 0; i < run.length; i++) {
        const value = run[i];
        values[at + i] = isNothing(value) ? Number.NaN : numberOf === undefined ? Number(value) : numberOf(value);
      }
    }
    at += run.length;
  }
  return values;
}

function isNumbers(run: unknown): run is Numbers {
  return (
    ArrayBuffer.isView(run) &&
    !(run instanceof DataView) &&
    /^(Float(64|32)|(Int|Uint)(32|16|8))Array$/.test(Object.prototype.toString.call(run).slice(8, -1))
  );
}

/** Numbers where all are exact as such, else 64-bit integers. */
function integerColumn(name: string, runs: readonly Values[], rows: number, isUnsigned: boolean): Column {
  const exact = isUnsigned ? new BigUint64Array(rows) : new BigInt64Array(rows);
  const numbers = new Float64Array(rows);
  let missing = 0;
  let isSafe = true;
  each(runs, (value, i) => {
    if (isNothing(value)) {
      missing++;
      numbers[i] = Number.NaN;
      return;
    }
    const integer = BigInt(value as bigint | number);
    exact[i] = integer;
    numbers[i] = Number(integer);
    isSafe &&= Number.isSafeInteger(numbers[i]);
  });
  if (isSafe) return { kind: 'number', name, missing, values: numbers, isWhole: true };
  const present = missing === 0 ? undefined : Uint8Array.from(numbers, (value) => Number(!Number.isNaN(value)));
  return { kind: 'integer', name, missing, values: exact, present };
}

function textColumn(name: string, runs: readonly Values[], rows: number): Column {
  const codes = new Int32Array(rows);
  const texts = new Map<string, number>();
  let missing = 0;
  each(runs, (value, i) => {
    if (isNothing(value)) {
      missing++;
      codes[i] = MISSING;
      return;
    }
    const text = String(value);
    let code = texts.get(text);
    if (code === undefined) {
      code = texts.size;
      texts.set(text, code);
    }
    codes[i] = code;
  });
  return { kind: 'text', name, missing, codes, texts: [...texts.keys()] };
}

/** Units that a millisecond has, or milliseconds that a unit has. */
export function timeFrom(unit: TimeUnit): (value: unknown) => number {
  switch (unit) {
    case 'day':
      return (value) => Number(value) * 86_400_000;
    case 's':
      return (value) => Number(value) * 1000;
    case 'ms':
      return Number;
    case 'us':
      return (value) => parts(BigInt(value as bigint), 1000n);
    case 'ns':
      return (value) => parts(BigInt(value as bigint), 1_000_000n);
  }
}

/** A quotient that is rounded once where it matters. */
function parts(value: bigint, divisor: bigint): number {
  return Number(value / divisor) + Number(value % divisor) / Number(divisor);
}

/** Digits × 10⁻ˢᶜᵃˡᵉ as the same digits with a decimal point are read. */
export function decimalFrom(scale: number): (value: unknown) => number {
  const power = 10 ** scale;
  return (value) => {
    const number = Number(value);
    if (Number.isSafeInteger(number) && scale >= 0 && scale <= 22) return number / power;
    return Number(`${String(value)}e${-scale}`);
  };
}

/** Values that are no cells, as JSON. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return value;
  const plain = (_: string, part: unknown): unknown => {
    if (typeof part === 'bigint') return Number.isSafeInteger(Number(part)) ? Number(part) : String(part);
    return ArrayBuffer.isView(part) ? Array.from(part as Uint8Array) : part;
  };
  return JSON.stringify(value, plain) ?? '';
}
