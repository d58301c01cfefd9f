// The smallest change found that makes a row normal, few columns first. Columns move to the values of normal rows
// that are like the row in most columns: the more a column differs, the sooner it moves. Of the rows on these ways, the
// best are taken back: columns that need not change, then as much of each change as need not be, then its decimals.
import type { Steps } from '../core/steps.js';
import { type Candidate, compare, type Judge } from './candidates.js';
import type { Reference, Unit } from './reference.js';
import { decimalsOf, rounded } from './rounding.js';

/** Where the search may go. */
export interface Space {
  /** The row, within its bounds. */
  readonly start: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Columns that may change, together where that makes sense. */
  readonly units: readonly Unit[];
}

/** Rows to move to, besides typical ones: the most alike, and those that are reached by the fewest changes. */
const ALIKE = 3;
const REACHED = 6;
/** Alike rows of which the typical one is made. */
const TYPICAL = 32;
/** Rows that are tried have 1, 2, 3, … then about a third more units moved each time. */
const GROWTH = 1.35;
/** Ways that are followed to their end. */
const REFINED = 2;
/** A change is cut into so many parts to find how much of it is needed. */
const PARTS = 6;
/** Steps that changes are rounded to, in deviations: the first that does. */
const STEPS = [0.1, 0.01, 1e-3];

export function* search(judge: Judge, reference: Reference, space: Space): Steps<Candidate> {
  const [start, ...others] = judge.of([space.start, ...waysFrom(reference, space)]) as [Candidate, ...Candidate[]];
  yield;
  const found = (start.changed > 0 || others.length === 0 ? [start, ...others] : others).sort(compare);
  const refinement = new Refinement(judge, reference, space);
  const refined: Candidate[] = [];
  for (const candidate of found.slice(0, REFINED)) {
    if (candidate.excess > 0) continue;
    const dropped = yield* refinement.drop(candidate);
    refined.push(yield* refinement.round(yield* refinement.shrink(dropped)));
  }
  return refined.sort(compare)[0] ?? (found[0] as Candidate);
}

/** Rows on the ways to normal ones. */
function waysFrom(reference: Reference, { start, low, high, units }: Space): Float64Array[] {
  const within = (row: Float64Array, j: number): number =>
    Math.max(low[j] as number, Math.min(high[j] as number, row[j] as number));
  const isFixed = Array.from(low, (value, j) => value === high[j]);
  const targets = Array.from(reference.alike(start, ALIKE, isFixed), (i) => reference.row(i));
  targets.push(...Array.from(reference.reachable(start, REACHED, units), (i) => reference.row(i)));
  targets.push(reference.typical(reference.alike(start, TYPICAL, isFixed)), reference.typical(new Uint32Array()));
  return targets.flatMap((row) => {
    const target = row.map((_, j) => within(row, j));
    const moves = units
      .map((unit) => ({ unit, size: differenceOf(unit, start, target, reference.scale) }))
      .filter(({ size }) => size > 0)
      .sort((a, b) => b.size - a.size);
    const rows: Float64Array[] = [];
    const way = start.slice();
    let moved = 0;
    for (let count = 1; moved < moves.length; count = Math.max(count + 1, Math.floor(count * GROWTH))) {
      for (const { unit } of moves.slice(moved, count)) move(way, target, unit);
      moved = Math.min(count, moves.length);
      rows.push(way.slice());
    }
    return rows;
  });
}

/** Takes back what need not be changed. */
class Refinement {
  readonly #judge: Judge;
  readonly #reference: Reference;
  readonly #space: Space;

  constructor(judge: Judge, reference: Reference, space: Space) {
    this.#judge = judge;
    this.#reference = reference;
    this.#space = space;
  }

  /** Takes whole units back as long as the row stays good: first the one without which it is best. */
  *drop(candidate: Candidate): Steps<Candidate> {
    const { start } = this.#space;
    for (;;) {
      const units = this.#changedIn(candidate);
      if (units.length < 2) return candidate;
      const others = units.map((unit) => {
        const row = candidate.row.slice();
        move(row, start, unit);
        return row;
      });
      const good = this.#judge.of(others).filter(({ excess }) => excess <= 0);
      yield;
      if (good.length === 0) return candidate;
      candidate = good.reduce((best, other) => (other.excess < best.excess ? other : best));
    }
  }

  /** Takes a part of all changes back, then a part of each. Groups change as a whole. */
  *shrink(candidate: Candidate): Steps<Candidate> {
    const units = this.#changedIn(candidate).filter(({ length }) => length === 1);
    const columns = units.flat();
    const all = yield* this.#shrinkTwice(candidate, columns);
    if (columns.length < 2) return all;
    let shrunk = all;
    for (const column of columns) shrunk = (yield* this.#shrinkOnce(shrunk, [column], 0, 1)).candidate;
    return shrunk;
  }

  /** Rounds changes away from where they began, as coarsely as does. */
  *round(candidate: Candidate): Steps<Candidate> {
    const { start, low, high } = this.#space;
    const { scale, isWhole } = this.#reference;
    const columns = this.#changedIn(candidate)
      .filter(({ length }) => length === 1)
      .flat()
      .filter((j) => !isWhole[j]);
    if (columns.length === 0) return candidate;
    const rows = STEPS.map((step) => {
      const row = candidate.row.slice();
      for (const j of columns) {
        const value = row[j] as number;
        const away = value > (start[j] as number) ? Math.ceil : Math.floor;
        const shorter = rounded(value, decimalsOf((scale[j] as number) * step), away);
        row[j] = Math.max(low[j] as number, Math.min(high[j] as number, shorter));
      }
      return row;
    });
    const good = this.#judge.of(rows).find(({ excess, changed }) => excess <= 0 && changed <= candidate.changed);
    yield;
    return good ?? candidate;
  }

  *#shrinkTwice(candidate: Candidate, columns: Unit): Steps<Candidate> {
    const once = yield* this.#shrinkOnce(candidate, columns, 0, 1);
    const { least, most } = once;
    // The row is now at `most` of the way: parts of what is left of it.
    return (yield* this.#shrinkOnce(once.candidate, columns, least / most, 1)).candidate;
  }

  /** Looks for the least part of the changes, between two, that does. */
  *#shrinkOnce(
    candidate: Candidate,
    columns: Unit,
    least: number,
    most: number,
  ): Steps<{ candidate: Candidate; least: number; most: number }> {
    const shares = Array.from({ length: PARTS - 1 }, (_, i) => least + ((most - least) * (i + 1)) / PARTS);
    const tried = this.#judge.of(shares.map((share) => this.#part(candidate.row, columns, share)));
    yield;
    const first = tried.findIndex(({ excess }) => excess <= 0);
    if (first < 0) return { candidate, least: shares[shares.length - 1] as number, most };
    return {
      candidate: tried[first] as Candidate,
      least: shares[first - 1] ?? least,
      most: shares[first] as number,
    };
  }

  /** The row with a share of its changes in some columns; whole numbers stay whole. */
  #part(row: Float64Array, columns: Unit, share: number): Float64Array {
    const { start } = this.#space;
    const { isWhole } = this.#reference;
    const part = row.slice();
    for (const j of columns) {
      const from = start[j] as number;
      const value = from + share * ((row[j] as number) - from);
      part[j] = isWhole[j] && Number.isInteger(row[j]) ? Math.round(value) : value;
    }
    return part;
  }

  #changedIn({ row }: Candidate): Unit[] {
    const { start, units } = this.#space;
    return units.filter((unit) => unit.some((j) => row[j] !== start[j]));
  }
}

function differenceOf(unit: Unit, a: Float64Array, b: Float64Array, scale: Float64Array): number {
  return unit.reduce(
    (most, j) => Math.max(most, Math.abs((a[j] as number) - (b[j] as number)) / (scale[j] as number)),
    0,
  );
}

function move(row: Float64Array, to: Float64Array, unit: Unit): void {
  for (const j of unit) row[j] = to[j] as number;
}
