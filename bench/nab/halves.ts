// How much of a score is luck with the threshold: it is chosen on a random half of the series and scored on the other.
import { type Labelled, nabScore, type Profile } from './score.js';

export interface Spread {
  readonly mean: number;
  readonly deviation: number;
}

/** A linear congruential generator: the same halves in every run. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

export function halves(
  series: readonly Labelled[],
  scores: ReadonlyArray<ArrayLike<number>>,
  profile: Profile,
  times: number,
): Spread {
  const random = randomNumbers(1);
  const results = Array.from({ length: times }, () => {
    const keys = series.map(() => random.next().value);
    const order = series.map((_, i) => i).sort((a, b) => (keys[a] as number) - (keys[b] as number));
    const middle = order.length >> 1;
    const part = (indices: readonly number[], threshold?: number) =>
      nabScore(
        indices.map((i) => series[i] as Labelled),
        indices.map((i) => scores[i] as ArrayLike<number>),
        profile,
        threshold,
      );
    return part(order.slice(middle), part(order.slice(0, middle)).threshold).score;
  });
  const mean = results.reduce((sum, score) => sum + score, 0) / times;
  const variance = results.reduce((sum, score) => sum + (score - mean) ** 2, 0) / times;
  return { mean, deviation: Math.sqrt(variance) };
}
