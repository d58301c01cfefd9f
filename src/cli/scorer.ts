// Scores a stream of rows in constant memory: while one batch is scored on other threads, the next is read into a second
// buffer. Results keep the order of the rows.
import type { AnyDetector } from '../index.js';

/** Most numbers and rows in a batch. */
const NUMBERS = 2 ** 18;
const ROWS = 8192;

/** A batch of scored rows. */
export interface Batch {
  readonly count: number;
  readonly scores: Float64Array;
  /** The number of each row in the input, from 0. */
  readonly rows: Float64Array;
  /** What is written before the score of each row. */
  readonly texts: readonly string[];
}

interface Buffer {
  readonly data: Float64Array;
  readonly rows: Float64Array;
  texts: string[];
  count: number;
}

export class Scorer {
  readonly #detector: AnyDetector;
  readonly #width: number;
  readonly #capacity: number;
  readonly #threads: number | undefined;
  readonly #emit: (batch: Batch) => Promise<void> | void;
  #filling: Buffer;
  #other: Buffer;
  #underWay: Promise<void> = Promise.resolve();
  /** Number of rows scored or in progress. */
  total = 0;

  constructor(
    detector: AnyDetector,
    width: number,
    threads: number | undefined,
    emit: (batch: Batch) => Promise<void> | void,
  ) {
    this.#detector = detector;
    this.#width = width;
    this.#threads = threads;
    this.#emit = emit;
    this.#capacity = Math.max(16, Math.min(ROWS, Math.floor(NUMBERS / width)));
    this.#filling = this.#buffer();
    this.#other = this.#buffer();
  }

  /** Where to write the next row. */
  get data(): Float64Array {
    return this.#filling.data;
  }

  get offset(): number {
    return this.#filling.count * this.#width;
  }

  get isEmpty(): boolean {
    return this.#filling.count === 0;
  }

  get isFull(): boolean {
    return this.#filling.count === this.#capacity;
  }

  /** Accepts the row that was written. */
  add(row: number, text: string): void {
    const { rows, texts, count } = this.#filling;
    rows[count] = row;
    texts.push(text);
    this.#filling.count++;
  }

  /** Starts scoring the rows so far; resolves when there is room for more. */
  async flush(): Promise<void> {
    await this.#underWay;
    const batch = this.#filling;
    if (batch.count === 0) return;
    [this.#filling, this.#other] = [this.#other, batch];
    this.#filling.count = 0;
    this.#filling.texts = [];
    this.total += batch.count;
    this.#underWay = this.#score(batch);
    this.#underWay.catch(() => {}); // reported to the next caller that waits for it
  }

  /** Scores everything that is left. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#underWay;
  }

  async #score({ data, rows, texts, count }: Buffer): Promise<void> {
    const matrix = { data: data.subarray(0, count * this.#width), rows: count, columns: this.#width };
    const options = this.#threads === undefined ? {} : { threads: this.#threads };
    const scores = await this.#detector.scoreAsync(matrix, options);
    await this.#emit({ count, scores, rows, texts });
  }

  #buffer(): Buffer {
    const size = this.#capacity;
    return { data: new Float64Array(size * this.#width), rows: new Float64Array(size), texts: [], count: 0 };
  }
}
