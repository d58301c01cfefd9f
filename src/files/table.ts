// A table in memory, column by column. A column holds numbers until it meets text; then it becomes a list of
// distinct texts and a code for each row. Where it can only be ignored, having too many, it holds nothing.

/** A missing text. */
export const MISSING = -1;

export interface Column {
  readonly name: string;
  /** NaN where missing; undefined for a column of text. */
  readonly numbers: Float64Array | undefined;
  /** The text of each row, or undefined for numbers and for text of which only so much is known. */
  readonly codes: Int32Array | undefined;
  /** The distinct texts, in order of appearance. */
  readonly texts: readonly string[];
  /** There are more distinct texts than were kept. */
  readonly hasMore: boolean;
  readonly missing: number;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Whether the columns have names of their own, or were numbered. */
  readonly isNamed: boolean;
}

/** What is to be kept of columns of text. */
export interface Keeping {
  /** Columns kept exactly as they are written, whatever they hold. */
  readonly verbatim: ReadonlySet<string>;
  /** Distinct texts kept of others; all where it is infinite. */
  readonly mostTexts: number;
}

export class ColumnBuilder {
  readonly name: string;
  readonly #isVerbatim: boolean;
  readonly #mostTexts: number;
  #numbers: Float64Array | undefined;
  #codes: Int32Array | undefined;
  #texts: Map<string, number> | undefined;
  #hasMore = false;
  #missing = 0;
  rows = 0;

  constructor(name: string, { verbatim, mostTexts }: Keeping) {
    this.name = name;
    this.#isVerbatim = verbatim.has(name);
    this.#mostTexts = this.#isVerbatim ? Infinity : mostTexts;
    if (this.#isVerbatim) [this.#codes, this.#texts] = [new Int32Array(64), new Map()];
    else this.#numbers = new Float64Array(64);
  }

  /** Whether cells are wanted as text even where they are numbers. */
  get isVerbatim(): boolean {
    return this.#isVerbatim;
  }

  pushNumber(value: number): void {
    if (this.#numbers !== undefined) this.#store(value);
    else this.pushText(String(value));
  }

  pushMissing(): void {
    this.#missing++;
    if (this.#numbers !== undefined) this.#store(Number.NaN);
    else this.#code(MISSING);
  }

  pushText(text: string): void {
    if (this.#texts === undefined) this.#becomeText();
    this.#code(this.#codeOf(text));
  }

  /** Missing up to a row: the column appeared late, or its key is not in every object. */
  padTo(rows: number): void {
    while (this.rows < rows) this.pushMissing();
  }

  finish(): Column {
    return {
      name: this.name,
      numbers: this.#numbers?.slice(0, this.rows),
      codes: this.#hasMore ? undefined : this.#codes?.slice(0, this.rows),
      texts: this.#texts === undefined ? [] : [...this.#texts.keys()],
      hasMore: this.#hasMore,
      missing: this.#missing,
    };
  }

  #store(value: number): void {
    let numbers = this.#numbers as Float64Array;
    if (this.rows === numbers.length) {
      const larger = new Float64Array(2 * numbers.length);
      larger.set(numbers);
      numbers = this.#numbers = larger;
    }
    numbers[this.rows++] = value;
  }

  #code(code: number): void {
    if (this.#codes !== undefined) {
      if (this.rows === this.#codes.length) {
        const larger = new Int32Array(2 * this.#codes.length);
        larger.set(this.#codes);
        this.#codes = larger;
      }
      this.#codes[this.rows] = code;
    }
    this.rows++;
  }

  #codeOf(text: string): number {
    const texts = this.#texts as Map<string, number>;
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (texts.size >= this.#mostTexts) {
      this.#hasMore = true;
      this.#codes = undefined;
      return MISSING;
    }
    texts.set(text, texts.size);
    return texts.size - 1;
  }

  /** The numbers so far turn into text: as JavaScript writes them, and so do those that follow. */
  #becomeText(): void {
    const numbers = this.#numbers as Float64Array;
    this.#texts = new Map();
    this.#codes = new Int32Array(numbers.length);
    this.#numbers = undefined;
    const { rows } = this;
    this.rows = 0;
    for (let i = 0; i < rows; i++) {
      const value = numbers[i] as number;
      this.#code(Number.isNaN(value) ? MISSING : this.#codeOf(String(value)));
    }
  }
}

/** Names that differ: empty ones are numbered, repeated ones counted. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>(); // where to go on counting: a name may be there 100,000 times
  return names.map((given, i) => {
    const name = given.trim() === '' ? `column ${i + 1}` : given.trim();
    let unique = name;
    let n = counts.get(name) ?? 1;
    while (taken.has(unique)) unique = `${name} (${++n})`;
    counts.set(name, n);
    taken.add(unique);
    return unique;
  });
}

/** Names of columns that have none. */
export function numberedNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `column ${i + 1}`);
}
