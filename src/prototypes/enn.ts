// Edited nearest neighbours (Wilson): removes rows that their neighbours outvote, as noise. All rows are judged at once, by
// their neighbours among all rows.

import type { BackendName } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { checkOptionNames, oneOf, wholeNumber } from '../core/options.js';
import { BACKEND_CHOICES, type BackendChoice, selectBackend } from '../core/select.js';
import type { Steps } from '../core/steps.js';
import type { ThreadSource } from '../parallel/run.js';
import { classNumbers, type Problem } from './classes.js';
import { centred, HeldPoints } from './held-points.js';
import { PrototypeSelector } from './selector.js';
import { allOf, type Table } from './table.js';

export interface VotingOptions {
  /** Neighbours that vote: k, at least 1. Default 3. */
  neighbors?: number;
  /** The backend. Default 'auto', the fastest available; results do not depend on it. */
  backend?: BackendChoice;
}

export type ENNOptions = VotingOptions;

/** The checked options of the vote. */
export interface Voting {
  readonly k: number;
  readonly backend: BackendChoice;
}

const OPTION_NAMES: ReadonlyArray<keyof VotingOptions> = ['neighbors', 'backend'];

/**
 * Edited nearest neighbours (ENN): retains the rows with more friends (neighbours of their own class) than
 * enemies among their k nearest. Needs class labels of at least two classes; a class can lose all its rows.
 */
export class ENN extends PrototypeSelector {
  protected readonly kind = 'ENN';
  readonly #voting: Voting;

  constructor(options?: ENNOptions) {
    super();
    this.#voting = readVoting(checkOptionNames(options, OPTION_NAMES, 'ENN'));
  }

  protected override get runsOn(): BackendName {
    return selectBackend(this.#voting.backend).name;
  }

  protected override readonly threadSource: ThreadSource = () => import('curvad-thread:cad');

  protected override retainRows(problem: Problem): Steps<Uint32Array> {
    return editedRows(problem.table, checkedClasses(problem, this.#voting.k, this.kind), this.#voting);
  }
}

export function readVoting(given: Record<string, unknown>): Voting {
  return {
    k: wholeNumber(given['neighbors'], 'neighbors', 1, 3, 'NEIGHBORS_INVALID'),
    backend: oneOf(given['backend'], 'backend', BACKEND_CHOICES, 'auto', 'BACKEND_UNKNOWN'),
  };
}

/** The class of each row, for selectors that need classes. */
export function checkedClasses(problem: Problem, k: number, kind: string): Uint32Array {
  const { table, classes } = problem;
  if (classes.some(({ label }) => label === undefined)) {
    throw new CurvadError('LABELS_MISSING', `${kind} needs the class of each row: retain(rows, labels)`);
  }
  if (classes.length === 1) {
    throw new CurvadError('ONE_CLASS', `${kind} needs rows of at least two classes, all are of one`);
  }
  if (table.rows < k + 1) {
    throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k + 1} rows, got ${table.rows}`);
  }
  return classNumbers(problem);
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
