// Principal sample analysis: of several groups drawn at random from a class, the one that regression finds
// most like the whole class, and that scatters most, is ranked first, and the other rows after it, each by how
// far they are from other classes beside how far from their own.

import { CurvadError } from '../core/errors.js';
import { checkOptionNames, number, seedOf, wholeNumber } from '../core/options.js';
import { Random } from '../core/random/random.js';
import { inBlocks, type Steps } from '../core/steps.js';
import type { Problem } from './classes.js';
import { classesWithPadding, type PaddedClass } from './padded-classes.js';
import { bestFirst, type Ranking } from './ranking.js';
import {
  cosine,
  featureCoefficients,
  plainTargetCoefficients,
  similarity,
  targetCoefficients,
} from './regression-similarity.js';
import { PrototypeSelector } from './selector.js';
import { allOf, meanOf, rowsOf, type Table } from './table.js';
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
/** Progress when all groups are drawn. */
const GROUPED = 0.9;

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
    const isSize = (value: number): boolean => Number.isInteger(value) && value >= 1;
    this.#groupSize = number(given['groupSize'], 'groupSize', 'a whole number above 0', isSize, 'GROUP_SIZE_INVALID');
    this.#draws = wholeNumber(given['draws'], 'draws', 1, 20, 'DRAWS_INVALID');
    this.#seed = seedOf(given['seed']);
  }

  protected override *rankClasses(problem: Problem): Steps<readonly Ranking[]> {
    const g = this.#sizeFor(problem);
    const random = new Random(this.#seed);
    const classes = yield* classesWithPadding(problem, random);
    const scatters: WeightedScatter[] = [];
    for (const { table } of classes) scatters.push(yield* directionScatter(table, allOf(table)));
    const groups: Ranking[] = [];
    for (const [c, own] of classes.entries()) {
      const group = yield* this.#bestGroup(own, others(scatters, c), g, random);
      groups.push(yield* byScatter(own.table, group, scatters[c] as WeightedScatter, others(scatters, c)));
      yield GROUPED * ((c + 1) / classes.length);
    }
    return yield* rankAround(classes, groups, g);
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
  *#bestGroup(own: PaddedClass, others: readonly WeightedScatter[], g: number, random: Random): Steps<Uint32Array> {
    const { table, targets } = own;
    const betaAll = targets ? yield* plainTargetCoefficients(table, targets) : yield* featureCoefficients(table);
    const deck = allOf(table);
    let best: Uint32Array = deck;
    let highest = -Infinity;
    for (let draw = 0; draw < this.#draws; draw++) {
      const group = drawFrom(deck, g, random);
      const rows = yield* rowsOf(table, group);
      const beta = targets
        ? yield* targetCoefficients(rows, yield* rowsOf(targets, group))
        : yield* featureCoefficients(rows);
      const score = yield* groupScore(rows, others, similarity(betaAll, beta));
      if (score > highest || draw === 0) {
        best = group;
        highest = score;
      }
    }
    return best;
  }
}

/** The best group of each class as it is ranked, then the other rows, measured against the groups. */
function* rankAround(classes: readonly PaddedClass[], groups: readonly Ranking[], g: number): Steps<Ranking[]> {
  const rho = new Float64Array(g).map((_, r) => (2 * (g - r)) / (g * (g + 1)));
  const scatters: WeightedScatter[] = [];
  for (const [c, { indices }] of groups.entries())
    scatters.push(yield* WeightedScatter.of((classes[c] as PaddedClass).table, indices, rho));
  const rankings: Ranking[] = [];
  for (const [c, own] of classes.entries()) {
    const qualified = groups[c] as Ranking;
    const isQualified = new Set(qualified.indices);
    const rest = allOf(own.table).filter((row) => !isQualified.has(row));
    const unqualified = yield* byScatter(own.table, rest, scatters[c] as WeightedScatter, others(scatters, c));
    rankings.push(own.withoutPadding([qualified, unqualified]));
    yield GROUPED + (1 - GROUPED) * ((c + 1) / classes.length);
  }
  return rankings;
}

/** (B·V/W) · cos, infinite where W = 0. */
function* groupScore(group: Table, others: readonly WeightedScatter[], cos: number): Steps<number> {
  const mean = { data: yield* meanOf(group, allOf(group)), rows: 1, columns: group.columns };
  const V = sumOver(group, [yield* WeightedScatter.of(mean, [0], Float64Array.of(1))]);
  const W = sumOver(group, [yield* directionScatter(group, allOf(group))]);
  const B = others.length === 0 ? 1 : sumOver(mean, others);
  yield;
  return W === 0 ? Infinity : B * (V / W) * cos;
}

/** Rows by B_x/W_x, highest first. */
function* byScatter(
  table: Table,
  rows: Uint32Array,
  own: WeightedScatter,
  others: readonly WeightedScatter[],
): Steps<Ranking> {
  const scores = new Float64Array(rows.length);
  yield* inBlocks(rows.length, table.columns * (others.length + 1), (from, to) => {
    for (let i = from; i < to; i++) {
      const row = rows[i] as number;
      const W = own.around(table, row);
      const B = others.length === 0 ? 1 : others.reduce((sum, scatter) => sum + scatter.around(table, row), 0);
      scores[i] = W === 0 ? Infinity : B / W;
    }
  });
  return yield* bestFirst(rows, scores);
}

/** The scatter of rows weighted by direction: ω(x; μ) = (cos(x, μ) + 1)/2, μ their mean. */
function* directionScatter(table: Table, rows: Uint32Array): Steps<WeightedScatter> {
  const mean = yield* meanOf(table, rows);
  const { data, columns } = table;
  const omega = new Float64Array(rows.length);
  yield* inBlocks(rows.length, columns, (from, to) => {
    for (let i = from; i < to; i++) {
      const x = (rows[i] as number) * columns;
      omega[i] = (cosine(data.subarray(x, x + columns), mean) + 1) / 2;
    }
  });
  return yield* WeightedScatter.of(table, rows, omega);
}

function sumOver(table: Table, scatters: readonly WeightedScatter[]): number {
  let sum = 0;
  for (let row = 0; row < table.rows; row++) for (const scatter of scatters) sum += scatter.around(table, row);
  return sum;
}

function others<T>(list: readonly T[], own: number): T[] {
  return list.filter((_, i) => i !== own);
}

/** A uniformly random subset of the deck, ascending. */
function drawFrom(deck: Uint32Array, count: number, random: Random): Uint32Array {
  random.choose(deck, count);
  return deck.slice(0, count).sort();
}
