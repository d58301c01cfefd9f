// DROP3 (Wilson and Martinez): after ENN, a row is removed if the rows that have it among their neighbours are classified
// no worse without it. Rows far from other classes are tried first, so that borders stay.
// Each row keeps its k nearest and a spare, in slots; a slot changes only when its neighbour goes, and the
// votes of a row are one sum, so that trying a row takes a few operations for each of its associates.

import { ascendingOrder } from '../core/math/sorting.js';
import { selectBackend } from '../core/select.js';
import { type Steps, within } from '../core/steps.js';
import type { Problem } from './classes.js';
import { editedRows } from './enn.js';
import { centred } from './held-points.js';
import { nearestEnemies } from './nearest-enemies.js';
import { NONE, ShrinkingSet } from './shrinking-set.js';
import { rowsOf, type Table } from './table.js';
import { type Voting, type VotingOptions, VotingSelector } from './voting.js';

export type DROP3Options = VotingOptions;

/** Progress when ENN is done; and of the rest, when neighbours are found and when rows are sorted. */
const EDITED = 0.25;
const LISTED = 0.3;
const ORDERED = 0.4;
/** Rows tried between pauses. */
const AT_A_TIME = 64;

/**
 * DROP3: retains few rows, mostly near the borders between classes, that classify the others about as well
 * as all rows would. Needs class labels of at least two classes; a class can lose all its rows. Takes a few times as long
 * as ENN if classes overlap, and many times if they lie far apart.
 */
export class DROP3 extends VotingSelector {
  constructor(options?: DROP3Options) {
    super(options, 'DROP3');
  }

  protected override *retainRows(problem: Problem): Steps<Uint32Array> {
    const { table } = problem;
    const classOf = this.classesOf(problem);
    const edited = yield* within(editedRows(table, classOf, this.voting), 0, EDITED);
    if (edited.length < 2) return edited;
    const reduction = reduce(
      yield* rowsOf(table, edited),
      edited.map((row) => classOf[row] as number),
      this.voting,
    );
    const kept = yield* within(reduction, EDITED, 1);
    return kept.map((point) => edited[point] as number);
  }
}

/** Steps 2 to 4 on the rows that ENN retained; returns the retained row numbers, ascending. */
function* reduce(table: Table, classOf: Uint32Array, { k, backend: choice }: Voting): Steps<Uint32Array> {
  const points = yield* centred(table);
  const backend = selectBackend(choice);
  const set = yield* within(ShrinkingSet.of(points, backend), 0, LISTED);
  try {
    const search = nearestEnemies(points, classOf, (point) => set.listOf(point), backend);
    const enemies = yield* within(search, LISTED, ORDERED);
    const order = yield* ascendingOrder(enemies.map((distance) => -distance)); // the farthest first
    const votes = yield* within(Votes.of(set, classOf, k), ORDERED, ORDERED);
    for (let i = 0; i < order.length; i++) {
      const point = order[i] as number;
      const done = ORDERED + ((1 - ORDERED) * i) / order.length;
      if (i % AT_A_TIME === 0) yield done;
      if (votes.gainWithout(point) >= 0) yield* within(votes.remove(point), done, done);
    }
    return set.points;
  } finally {
    set.release();
  }
}

/** The votes of points for each other. Removed points no longer vote, but votes for them still count. */
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

  private constructor(set: ShrinkingSet, classOf: Uint32Array, k: number) {
    const points = classOf.length;
    this.#set = set;
    this.#classOf = classOf;
    this.#slots = k + 1;
    this.#neighbors = new Uint32Array(points * this.#slots).fill(NONE);
    this.#nextSlots = new Uint32Array(points * this.#slots).fill(NONE);
    this.#firstSlots = new Uint32Array(points).fill(NONE);
    this.#spares = new Uint32Array(points);
    this.#balances = new Int32Array(points);
  }

  static *of(set: ShrinkingSet, classOf: Uint32Array, k: number): Steps<Votes> {
    const votes = new Votes(set, classOf, k);
    for (let point = 0; point < classOf.length; point++) {
      if (point % AT_A_TIME === 0) yield;
      const first = point * votes.#slots;
      for (let slot = first; slot <= first + k; slot++)
        if (!votes.#fillFromList(slot)) yield* votes.#fillBySearch(slot);
      votes.#spares[point] = first + k;
    }
    return votes;
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

  /** Removes a point and gives its associates their next neighbour. */
  *remove(point: number): Steps<void> {
    this.#set.remove(point);
    let slot = this.#firstSlots[point] as number;
    while (slot !== NONE) {
      const following = this.#nextSlots[slot] as number;
      const associate = Math.floor(slot / this.#slots);
      this.#balances[associate] = (this.#balances[associate] as number) - this.#vote(slot);
      this.#neighbors[slot] = NONE;
      if (!this.#fillFromList(slot)) yield* this.#fillBySearch(slot);
      this.#spares[associate] = slot; // the next neighbour is the farthest: the spare of before votes now
      slot = following;
    }
  }

  /** Gives a slot the next neighbour of its point. Returns false if that needs a search. */
  #fillFromList(slot: number): boolean {
    const point = Math.floor(slot / this.#slots);
    const neighbor = this.#set.next(point);
    if (neighbor === NONE) return !this.#set.hasMore(point, this.#kept(point));
    this.#neighbors[slot] = neighbor;
    this.#nextSlots[slot] = this.#firstSlots[neighbor] as number;
    this.#firstSlots[neighbor] = slot;
    this.#balances[point] = (this.#balances[point] as number) + this.#vote(slot);
    return true;
  }

  *#fillBySearch(slot: number): Steps<void> {
    yield* this.#set.renewLists(this.#kept);
    this.#fillFromList(slot);
  }

  /** 1 for a friend, −1 for an enemy, 0 for an empty slot. */
  #vote(slot: number): number {
    const neighbor = this.#neighbors[slot] as number;
    if (neighbor === NONE) return 0;
    return this.#classOf[neighbor] === this.#classOf[Math.floor(slot / this.#slots)] ? 1 : -1;
  }

  /** Number of a point's neighbours that are still present. */
  readonly #kept = (point: number): number => {
    let kept = 0;
    for (let slot = point * this.#slots; slot < (point + 1) * this.#slots; slot++) {
      const neighbor = this.#neighbors[slot] as number;
      if (neighbor !== NONE && this.#set.isPresent(neighbor)) kept++;
    }
    return kept;
  };
}
