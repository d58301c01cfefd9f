// The last scores of a stream, also in order of size, so that the rank of a new one takes a few comparisons.

export class ScoreRanks {
  readonly capacity: number;
  /** By slot; the newest takes the slot of the oldest. */
  readonly #scores: Float64Array;
  readonly #sorted: Float64Array;
  #count = 0;
  #next = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#scores = new Float64Array(capacity);
    this.#sorted = new Float64Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  push(score: number): void {
    const sorted = this.#sorted;
    if (this.#count === this.capacity) {
      const oldest = this.#placeOf(this.#scores[this.#next] as number);
      sorted.copyWithin(oldest, oldest + 1, this.#count);
      this.#count--;
    }
    const place = this.#placeOf(score);
    sorted.copyWithin(place + 1, place, this.#count);
    sorted[place] = score;
    this.#scores[this.#next] = score;
    this.#next = (this.#next + 1) % this.capacity;
    this.#count++;
  }

  /** Scores that are at least so large. */
  countAtLeast(score: number): number {
    return this.#count - this.#placeOf(score);
  }

  /** The n-th largest score, or the smallest where there are fewer. */
  largest(n: number): number {
    return this.#sorted[Math.max(0, this.#count - n)] as number;
  }

  /** All scores, oldest first. */
  scores(): Float64Array {
    const isFull = this.#count === this.capacity;
    const scores = new Float64Array(this.#count);
    const older = this.#scores.subarray(isFull ? this.#next : 0, this.#count);
    scores.set(older);
    if (isFull) scores.set(this.#scores.subarray(0, this.#next), older.length);
    return scores;
  }

  /** How many scores are smaller. */
  #placeOf(score: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as number) < score) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
