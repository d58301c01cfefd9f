// The folds of the paper's Tables 1 and 2: a random order of the rows cut into blocks, each the test set of
// one fold, as scikit-learn's KFold with random_state=100 does it.
import type { Fold } from 'curvad';
import { RandomState } from './numpy-random.js';

const SEED = 100;

export function paperFolds(rows: number, folds: number): Fold[] {
  const order = new RandomState(SEED).permutation(rows);
  let next = 0;
  return Array.from({ length: folds }, (_, fold) => {
    const size = Math.floor(rows / folds) + (fold < rows % folds ? 1 : 0);
    const isTested = new Uint8Array(rows);
    for (const row of order.subarray(next, next + size)) isTested[row] = 1;
    next += size;
    const all = Uint32Array.from({ length: rows }, (_, row) => row);
    return { train: all.filter((row) => !isTested[row]), test: all.filter((row) => isTested[row]) };
  });
}
