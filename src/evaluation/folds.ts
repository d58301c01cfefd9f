// Rows parted into folds, each the test set of a model trained on the others. The rows of a class are dealt
// out to the folds as cards would be, each class beginning where the one before it ended: so classes and
// folds are both even to one row. Without classes to keep even, all rows are of one class.
import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames, flag, number, seedOf } from '../core/options.js';
import { Random } from '../core/random/random.js';
import { readNumbers } from './lists.js';

export interface KFoldOptions {
  /** From 2 to the number of rows. Default 10. */
  folds?: number;
  /** The same seed gives the same folds: a whole number from 0 to 4294967295. Default 0. */
  seed?: number;
  /** Part the rows at random (default), or in blocks of neighbouring rows, as scikit-learn does. */
  shuffle?: boolean;
  /**
   * The class of each row: finite numbers, or true and false. Then the folds have the same number of rows of
   * each class, to one row; a class with fewer rows than folds is missing from some test sets.
   */
  stratify?: ArrayLike<number | boolean>;
}

/** One way of parting the rows; both lists are ascending row numbers, from 0. */
export interface Fold {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

const OPTION_NAMES: ReadonlyArray<keyof KFoldOptions> = ['folds', 'seed', 'shuffle', 'stratify'];
const MOST = 2 ** 32 - 1;

/**
 * Folds for cross-validation: every row is in the test set of exactly one fold and in the training set of
 * all others. If the rows cannot be parted evenly, the first folds have one more row, as in scikit-learn.
 *
 * @param rows The number of rows, at least 2.
 */
export function kFold(rows: number, options: KFoldOptions = {}): Fold[] {
  const { folds, seed, shuffle, classes } = checkOptions(rows, options);
  const random = shuffle ? new Random(seed) : undefined;
  const foldOf = new Uint32Array(rows);
  let dealt = 0;
  for (const members of classes) {
    if (random) shuffleInPlace(members, random);
    deal(members, dealt, folds, foldOf);
    dealt += members.length;
  }
  return Array.from({ length: folds }, (_, fold) => foldWith(fold, foldOf));
}

/**
 * Gives each fold its number of rows of a class: as many as it would be dealt one by one, if `dealt` rows
 * were dealt before. They are neighbours in the class, so that blocks stay blocks.
 */
function deal(members: Uint32Array, dealt: number, folds: number, foldOf: Uint32Array): void {
  let next = 0;
  for (let fold = 0; fold < folds; fold++) {
    const turnsToWait = (fold - (dealt % folds) + folds) % folds;
    const count = Math.max(0, Math.ceil((members.length - turnsToWait) / folds));
    for (const row of members.subarray(next, next + count)) foldOf[row] = fold;
    next += count;
  }
}

/** Every order is equally likely (Fisher and Yates). */
function shuffleInPlace(list: Uint32Array, random: Random): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random.uniform() * (i + 1));
    const kept = list[i] as number;
    list[i] = list[j] as number;
    list[j] = kept;
  }
}

function foldWith(fold: number, foldOf: Uint32Array): Fold {
  const tests = foldOf.reduce((count, own) => count + Number(own === fold), 0);
  const train = new Uint32Array(foldOf.length - tests);
  const test = new Uint32Array(tests);
  let [trained, tested] = [0, 0];
  for (let row = 0; row < foldOf.length; row++) {
    if (foldOf[row] === fold) test[tested++] = row;
    else train[trained++] = row;
  }
  return { train, test };
}

interface Checked {
  folds: number;
  seed: number;
  shuffle: boolean;
  /** The rows of each class, ascending; classes in the order in which they appear. */
  classes: Uint32Array[];
}

function checkOptions(rows: number, options: KFoldOptions): Checked {
  const given = checkOptionNames(options, OPTION_NAMES, 'kFold');
  if (!Number.isInteger(rows) || rows < 2 || rows > MOST) {
    throw new CurvadError('ROWS_INVALID', `rows must be a whole number from 2 to ${MOST}, got ${describe(rows)}`);
  }
  const { folds = 10 } = given;
  const rule = `a whole number from 2 to the number of rows, ${rows}`;
  const isFolds = (value: number): boolean => Number.isInteger(value) && value >= 2 && value <= rows;
  return {
    folds: number(folds, 'folds', rule, isFolds, 'FOLDS_INVALID') as number,
    seed: seedOf(given['seed']),
    shuffle: flag(given['shuffle'], 'shuffle', true, 'SHUFFLE_INVALID'),
    classes: classesOf(rows, given['stratify']),
  };
}

function classesOf(rows: number, stratify: unknown): Uint32Array[] {
  const all = new Uint32Array(rows).map((_, row) => row);
  if (stratify === undefined) return [all];
  const names = readNumbers(stratify, 'stratify');
  if (names.length !== rows) {
    throw new CurvadError(
      'LENGTHS_DIFFER',
      `stratify must have one class for each of ${rows} rows, got ${names.length}`,
    );
  }
  const members = new Map<number, number[]>();
  names.forEach((name, row) => {
    const known = members.get(name);
    if (known) known.push(row);
    else members.set(name, [row]);
  });
  return Array.from(members.values(), (list) => Uint32Array.from(list));
}
