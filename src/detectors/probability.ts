// How unusual a score is, from 0 to 1, by the distribution of the training scores: the share of them below it.
// Comparable between detectors, whatever the scale of their scores.

/** Distinct training scores, ascending, and the probability of each. */
export class ScoreDistribution {
  readonly #values: Float64Array;
  readonly #probabilities: Float64Array;
  /** Of n equally likely places between and beyond the training scores: 1 / (n + 1). */
  readonly #step: number;
  readonly #median: number;

  constructor(scores: Float64Array) {
    const sorted = scores.slice().sort();
    const { length } = sorted;
    this.#step = 1 / (length + 1);
    this.#median = sorted[length >> 1] as number;
    let distinct = 0;
    const probabilities = new Float64Array(length);
    for (let from = 0, to = 0; from < length; from = to) {
      const value = sorted[from] as number;
      while (to < length && sorted[to] === value) to++;
      sorted[distinct] = value;
      probabilities[distinct++] = ((from + to + 1) / 2) * this.#step; // equal scores share the middle of their ranks
    }
    this.#values = sorted.subarray(0, distinct);
    this.#probabilities = probabilities.subarray(0, distinct);
  }

  /**
   * The mean rank of a training score over n + 1, linear in between. Beyond the highest score, what is missing to 1
   * shrinks as the distance from the median grows; below the lowest, likewise to 0.
   */
  of(score: number): number {
    if (Number.isNaN(score)) return score; // of a row that lacks values
    const values = this.#values;
    const last = values.length - 1;
    const [lowest, highest] = [values[0] as number, values[last] as number];
    if (score > highest) return 1 - this.#step * beyond(highest - this.#median, score - this.#median);
    if (score < lowest) return this.#step * beyond(this.#median - lowest, this.#median - score);
    let low = 0;
    for (let high = last; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((values[middle] as number) <= score) low = middle;
      else high = middle - 1;
    }
    const below = values[low] as number;
    const probability = this.#probabilities[low] as number;
    if (score === below) return probability;
    const above = values[low + 1] as number;
    const part = score / 2 - below / 2 < above / 2 - below / 2 ? (score / 2 - below / 2) / (above / 2 - below / 2) : 1;
    return probability + ((this.#probabilities[low + 1] as number) - probability) * part;
  }
}

/** near / far, from 1 down to 0. */
function beyond(near: number, far: number): number {
  return Number.isFinite(far) && far > 0 ? near / far : 0;
}
