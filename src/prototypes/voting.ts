// What ENN and DROP3 share: votes of the k nearest neighbours on the class of a row.

import type { BackendName } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { checkOptionNames, oneOf, wholeNumber } from '../core/options.js';
import { BACKEND_CHOICES, type BackendChoice, selectBackend } from '../core/select.js';
import type { ThreadSource } from '../parallel/run.js';
import { classNumbers, type Problem } from './classes.js';
import { PrototypeSelector } from './selector.js';

export interface VotingOptions {
  /** Neighbours that vote: k, at least 1. Default 3. */
  neighbors?: number;
  /** The backend. Default 'auto', the fastest available; results do not depend on it. */
  backend?: BackendChoice;
}

/** The checked options of the vote. */
export interface Voting {
  readonly k: number;
  readonly backend: BackendChoice;
}

const OPTION_NAMES: ReadonlyArray<keyof VotingOptions> = ['neighbors', 'backend'];

export abstract class VotingSelector extends PrototypeSelector {
  protected readonly kind: string;
  protected readonly voting: Voting;

  constructor(options: unknown, kind: string) {
    super();
    this.kind = kind;
    const given = checkOptionNames(options, OPTION_NAMES, kind);
    this.voting = {
      k: wholeNumber(given['neighbors'], 'neighbors', 1, 3, 'NEIGHBORS_INVALID'),
      backend: oneOf(given['backend'], 'backend', BACKEND_CHOICES, 'auto', 'BACKEND_UNKNOWN'),
    };
  }

  protected override get runsOn(): BackendName {
    return selectBackend(this.voting.backend).name;
  }

  protected override readonly threadSource: ThreadSource = () => import('curvad-thread:cad');

  /** The class of each row. */
  protected classesOf(problem: Problem): Uint32Array {
    const { table, classes } = problem;
    const { k } = this.voting;
    if (classes.some(({ label }) => label === undefined)) {
      throw new CurvadError('LABELS_MISSING', `${this.kind} needs the class of each row: retain(rows, labels)`);
    }
    if (classes.length === 1) {
      throw new CurvadError('ONE_CLASS', `${this.kind} needs rows of at least two classes, all are of one`);
    }
    if (table.rows < k + 1) {
      throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k + 1} rows, got ${table.rows}`);
    }
    return classNumbers(problem);
  }
}
