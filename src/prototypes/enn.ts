// Edited nearest neighbours (Wilson): removes rows that their neighbours outvote, as noise. All rows are judged at once, by
// their neighbours among all rows.

import { selectBackend } from '../core/select.js';
import type { Steps } from '../core/steps.js';
import type { Problem } from './classes.js';
import { centred, HeldPoints } from './held-points.js';
import { allOf, type Table } from './table.js';
import { type Voting, type VotingOptions, VotingSelector } from './voting.js';

export type ENNOptions = VotingOptions;

/**
 * Edited nearest neighbours (ENN): retains the rows with more friends (neighbours of their own class) than
 * enemies among their k nearest. Needs class labels of at least two classes; a class can lose all its rows.
 */
export class ENN extends VotingSelector {
  constructor(options?: ENNOptions) {
    super(options, 'ENN');
  }

  protected override retainRows(problem: Problem): Steps<Uint32Array> {
    return editedRows(problem.table, this.classesOf(problem), this.voting);
  }
}

/** The rows with more friends than enemies, ascending. */
export function* editedRows(table: Table, classOf: Uint32Array, { k, backend }: Voting): Steps<Uint32Array> {
  const all = allOf(table);
  const held = yield* HeldPoints.hold(yield* centred(table), all, selectBackend(backend));
  let neighbors: Uint32Array;
  try {
    neighbors = yield* held.nearestToEach(k);
  } finally {
    held.release();
  }
  return all.filter((row) => {
    let friends = 0;
    for (let a = row * k; a < (row + 1) * k; a++) {
      if (classOf[neighbors[a] as number] === classOf[row]) friends++;
    }
    return friends > k - friends;
  });
}
