// DROP3 (Wilson and Martinez): after ENN, a row goes if the rows that have it among their neighbours are
// classified no worse without it. Rows far from other classes are tried first, so that borders stay.
// Each row keeps its k nearest and a spare, in slots; a slot changes only when its neighbour goes, and the
// votes of a row are one sum, so that trying a row takes a few operations for each of its associates.
import { checkOptionNames } from '../core/options.js';
import { selectBackend } from '../core/select.js';
import type { Problem } from './classes.js';
import { checkedClasses, editedRows, readVoting, type Voting, type VotingOptions } from './enn.js';
import { nearestEnemies } from './nearest-enemies.js';
import { PrototypeSelector } from './selector.js';
import { centred, NONE, ShrinkingSet } from './shrinking-set.js';
import { rowsOf, type Table } from './table.js';

export type DROP3Options = VotingOptions;

const OPTION_NAMES: ReadonlyArray<keyof DROP3Options> = ['neighbors', 'backend'];

/**
 * DROP3: retains few rows, mostly near the borders between classes, that classify the others about as well
 * as all rows would. Needs class labels of at least two classes; a class can lose all its rows. Takes a few
 * times as long as ENN where classes overlap; many times where they lie far apart, as then rows go from one
 * side, and all that went have the same few neighbours left.
 */
export class DROP3 extends PrototypeSelector {
  protected readonly kind = 'DROP3';
  readonly #voting: Voting;

  constructor(options?: DROP3Options) {
    super();
    this.#voting = readVoting(checkOptionNames(options, OPTION_NAMES, 'DROP3'));
  }

  protected override retainRows(problem: Problem): Uint32Array {
    const { table } = problem;
    const classOf = checkedClasses(problem, this.#voting.k, this.kind);
    const edited = editedRows(table, classOf, this.#voting);
    if (edited.length < 2) return edited;
    const kept = reduce(
      rowsOf(table, edited),
      edited.map((row) => classOf[row] as number),
      this.#voting,
    );
    return kept.map((point) => edited[point] as number);
  }
}

/** Steps 2 to 4 on the rows ENN left: the numbers of those that stay, ascending. */
function reduce(table: Table, classOf: Uint32Array, { k, backend: choice }: Voting): Uint32Array {
  const points = centred(table);
  const backend = selectBackend(choice);
  const set = new ShrinkingSet(points, backend);
  try {
    const enemies = nearestEnemies(points, classOf, (point) => set.listOf(point), backend);
    const order = new Uint32Array(points.rows).map((_, point) => point);
    order.sort((a, b) => compareDescending(enemies[a] as number, enemies[b] as number) || a - b);
    const votes = new Votes(set, classOf, k);
    for (const point of order) if (votes.gainWithout(point) >= 0) votes.remove(point);
    return set.points;
  } finally {
    set.release();
  }
}

function compareDescending(a: number, b: number): number {
  return a > b ? -1 : a < b ? 1 : 0;
}

/** Who votes for whom. Removed points vote no more, but the votes for them still count. */
class Votes {
  readonly #set: ShrinkingSet;
  readonly #classOf: Uint32Array;
  /** k + 1. */
  readonly #slots: number;
  /** The neighbour in each slot, `#slots` slots a point. */
  readonly #neighbors: Uint32Array;
  /** The slot of the farthest of them, which does not vote while the others are there. */
  readonly #spares: Uint32Array;
  /** Friends minus enemies over all slots of a point. */
  readonly #balances: Int32Array;
  /** The associates of a point: its first slot in the list of another, and for each slot the next one. */
  readonly #firstSlots: Uint32Array;
  readonly #nextSlots: Uint32Array;

  constructor(set: ShrinkingSet, classOf: Uint32Array, k: number) {
    const points = classOf.length;
    this.#set = set;
    this.#classOf = classOf;
    this.#slots = k + 1;
    this.#neighbors = new Uint32Array(points * this.#slots).fill(NONE);
    this.#nextSlots = new Uint32Array(points * this.#slots).fill(NONE);
    this.#firstSlots = new Uint32Array(points).fill(NONE);
    this.#spares = new Uint32Array(points);
    this.#balances = new Int32Array(points);
    for (let point = 0; point < points; point++) {
      for (let a = 0; a < this.#slots; a++) this.#fill(point * this.#slots + a, set.next(point, this.#kept));
      this.#spares[point] = point * this.#slots + k;
    }
  }

  /** How many more associates of a point are classified correctly without it: without − with. */
  gainWithout(point: number): number {
    let gain = 0;
    for (let slot = this.#firstSlots[point] as number; slot !== NONE; slot = this.#nextSlots[slot] as number) {
      const associate = Math.floor(slot / this.#slots);
      const balance = this.#balances[associate] as number;
      const spare = this.#spares[associate] as number;
      if (balance - this.#vote(slot) > 0) gain++;
      if (balance - this.#vote(spare) > 0) gain--;
    }
    return gain;
  }

  /** Takes a point out and gives its associates their next neighbour. */
  remove(point: number): void {
    this.#set.remove(point);
    let slot = this.#firstSlots[point] as number;
    while (slot !== NONE) {
      const following = this.#nextSlots[slot] as number;
      const associate = Math.floor(slot / this.#slots);
      this.#balances[associate] = (this.#balances[associate] as number) - this.#vote(slot);
      this.#neighbors[slot] = NONE;
      this.#fill(slot, this.#set.next(associate, this.#kept));
      this.#spares[associate] = slot; // the next neighbour is the farthest: the spare of before votes now
      slot = following;
    }
  }

  #fill(slot: number, neighbor: number): void {
    if (neighbor === NONE) return;
    const point = Math.floor(slot / this.#slots);
    this.#neighbors[slot] = neighbor;
    this.#nextSlots[slot] = this.#firstSlots[neighbor] as number;
    this.#firstSlots[neighbor] = slot;
    this.#balances[point] = (this.#balances[point] as number) + this.#vote(slot);
  }

  /** 1 for a friend, −1 for an enemy, 0 for an empty slot. */
  #vote(slot: number): number {
    const neighbor = this.#neighbors[slot] as number;
    if (neighbor === NONE) return 0;
    return this.#classOf[neighbor] === this.#classOf[Math.floor(slot / this.#slots)] ? 1 : -1;
  }

  /** How many neighbours a point has that are still there. */
  readonly #kept = (point: number): number => {
    let kept = 0;
    for (let slot = point * this.#slots; slot < (point + 1) * this.#slots; slot++) {
      const neighbor = this.#neighbors[slot] as number;
      if (neighbor !== NONE && this.#set.isPresent(neighbor)) kept++;
    }
    return kept;
  };
}
