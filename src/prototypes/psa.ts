// Principal sample analysis: of several groups drawn at random from a class, the one that regression finds
// most like the whole class, and that scatters most, is ranked first, and the other rows after it, each by how
// far they are from other classes beside how far from their own.
import { CurvadError } from '../core/errors.js';
import { checkOptionNames, number, wholeNumber } from '../core/options.js';
import { Random } from '../core/random.js';
import type { Problem } from './classes.js';
import { classesWithPadding, type PaddedClass } from './padded-classes.js';
import {
  cosine,
  featureCoefficients,
  plainTargetCoefficients,
  similarity,
  targetCoefficients,
} from './regression-similarity.js';
import { bestFirst, PrototypeSelector, type Ranking } from './selector.js';
import { meanOf, rowsOf, type Table } from './table.js';
import { WeightedScatter } from './weighted-scatter.js';

export interface PSAOptions {
  /**
   * Rows in a group: at least the number of columns, and at most the rows of the smallest class unless that
   * is less. Default 30 with class labels, 10 without, or the nearest to it that is possible.
   */
  groupSize?: number;
  /** Groups drawn from each class. Default 20. */
  draws?: number;
  /** The same seed gives the same groups: a whole number from 0 to 4294967295. Default 0. */
  seed?: number;
}

const OPTION_NAMES: ReadonlyArray<keyof PSAOptions> = ['groupSize', 'draws', 'seed'];
const MOST_SEED = 2 ** 32 - 1;

/**
 * Principal sample analysis (PSA). The score of a row is B/W, its scatter around the other classes over that
 * around its own (B = 1 if there is no other); rows of the best group are measured against whole classes and
 * all rank before the rest, which are measured against the best groups. Groups are drawn at random: the seed
 * and the order of the rows matter.
 */
export class PSA extends PrototypeSelector {
  protected readonly kind = 'PSA';
  readonly #groupSize: number | undefined;
  readonly #draws: number;
  readonly #seed: number;

  constructor(options?: PSAOptions) {
    super();
    const given = checkOptionNames(options, OPTION_NAMES, 'PSA');
    const isSeed = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MOST_SEED;
    const isSize = (value: number): boolean => Number.isInteger(value) && value >= 1;
    this.#groupSize = number(given['groupSize'], 'groupSize', 'a whole number above 0', isSize, 'GROUP_SIZE_INVALID');
    this.#draws = wholeNumber(given['draws'], 'draws', 1, 20, 'DRAWS_INVALID');
    this.#seed = number(given['seed'], 'seed', `a whole number from 0 to ${MOST_SEED}`, isSeed, 'SEED_INVALID') ?? 0;
  }

  protected override rankClasses(problem: Problem): readonly Ranking[] {
    const g = this.#sizeFor(problem);
    const random = new Random(this.#seed);
    const classes = classesWithPadding(problem, random);
    const scatters = classes.map(({ table }) => directionScatter(table, allOf(table)));
    const groups = classes.map((own, c) => {
      const group = this.#bestGroup(own, others(scatters, c), g, random);
      return byScatter(own.table, group, scatters[c] as WeightedScatter, others(scatters, c));
    });
    const rho = new Float64Array(g).map((_, r) => (2 * (g - r)) / (g * (g + 1)));
    const groupScatters = groups.map(
      ({ indices }, c) => new WeightedScatter((classes[c] as PaddedClass).table, indices, rho),
    );
    return classes.map((own, c) => {
      const qualified = groups[c] as Ranking;
      const isQualified = new Set(qualified.indices);
      const rest = allOf(own.table).filter((row) => !isQualified.has(row));
      const unqualified = byScatter(own.table, rest, groupScatters[c] as WeightedScatter, others(groupScatters, c));
      return own.withoutPadding([qualified, unqualified]);
    });
  }

  #sizeFor({ table, classes }: Problem): number {
    const smallest = classes.reduce((least, { rows }) => Math.min(least, rows.length), table.rows);
    const [least, most] = [table.columns, Math.max(table.columns, smallest)];
    const initial = classes.some(({ label }) => label === undefined) ? 10 : 30;
    const size = this.#groupSize ?? Math.min(Math.max(initial, least), most);
    if (size >= least && size <= most) return size;
    const why = `rows have ${table.columns} columns and the smallest class has ${smallest} rows`;
    throw new CurvadError('GROUP_SIZE_INVALID', `groupSize must be from ${least} to ${most}, got ${size}: ${why}`);
  }

  /** Of the groups drawn, the one with the highest (B·V/W) · cos(β_all, β_G). */
  #bestGroup(own: PaddedClass, others: readonly WeightedScatter[], g: number, random: Random): Uint32Array {
    const { table, targets } = own;
    const betaAll = targets ? plainTargetCoefficients(table, targets) : featureCoefficients(table);
    const deck = allOf(table);
    let best: Uint32Array = deck;
    let highest = -Infinity;
    for (let draw = 0; draw < this.#draws; draw++) {
      const group = drawFrom(deck, g, random);
      const rows = rowsOf(table, group);
      const beta = targets ? targetCoefficients(rows, rowsOf(targets, group)) : featureCoefficients(rows);
      const score = groupScore(rows, others, similarity(betaAll, beta));
      if (score > highest || draw === 0) {
        best = group;
        highest = score;
      }
    }
    return best;
  }
}

/** (B·V/W) · cos, infinite where W = 0. */
function groupScore(group: Table, others: readonly WeightedScatter[], cos: number): number {
  const mean = { data: meanOf(group, allOf(group)), rows: 1, columns: group.columns };
  const V = sumOver(group, [new WeightedScatter(mean, [0], Float64Array.of(1))]);
  const W = sumOver(group, [directionScatter(group, allOf(group))]);
  const B = others.length === 0 ? 1 : sumOver(mean, others);
  return W === 0 ? Infinity : B * (V / W) * cos;
}

/** Rows by B_x/W_x, highest first. */
function byScatter(table: Table, rows: Uint32Array, own: WeightedScatter, others: readonly WeightedScatter[]): Ranking {
  const scores = new Float64Array(rows.length).map((_, i) => {
    const row = rows[i] as number;
    const W = own.around(table, row);
    const B = others.length === 0 ? 1 : others.reduce((sum, scatter) => sum + scatter.around(table, row), 0);
    return W === 0 ? Infinity : B / W;
  });
  return bestFirst(rows, scores);
}

/** The scatter of rows weighted by direction: ω(x; μ) = (cos(x, μ) + 1)/2, μ their mean. */
function directionScatter(table: Table, rows: Uint32Array): WeightedScatter {
  const mean = meanOf(table, rows);
  const { data, columns } = table;
  const omega = Float64Array.from(
    rows,
    (row) => (cosine(data.subarray(row * columns, (row + 1) * columns), mean) + 1) / 2,
  );
  return new WeightedScatter(table, rows, omega);
}

function sumOver(table: Table, scatters: readonly WeightedScatter[]): number {
  let sum = 0;
  for (let row = 0; row < table.rows; row++) for (const scatter of scatters) sum += scatter.around(table, row);
  return sum;
}

function others<T>(list: readonly T[], own: number): T[] {
  return list.filter((_, i) => i !== own);
}

function allOf({ rows }: Table): Uint32Array {
  return new Uint32Array(rows).map((_, row) => row);
}

/** Some of the deck, ascending, every choice equally likely (Fisher and Yates, as far as needed). */
function drawFrom(deck: Uint32Array, count: number, random: Random): Uint32Array {
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(random.uniform() * (deck.length - i));
    const kept = deck[i] as number;
    deck[i] = deck[j] as number;
    deck[j] = kept;
  }
  return deck.slice(0, count).sort();
}
