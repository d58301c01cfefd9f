// Changed rows as the search for a counterfactual judges them, many at once: what the detector says of each, how far
// it is from normal rows, and how much was changed.

import type { FlatMatrix } from '../core/input/matrix.js';
import { RowReader } from '../core/input/matrix.js';
import { finish } from '../core/steps.js';
import { CAD } from '../detectors/cad.js';
import type { AnyDetector } from '../detectors/detector.js';
import type { Reference, Unit } from './reference.js';

export interface Candidate {
  readonly row: Float64Array;
  readonly score: number;
  readonly isNormal: boolean;
  readonly isPlausible: boolean;
  /** How far it is from being normal and plausible: above 0 it is not, and the less the better. */
  readonly excess: number;
  /** Units (columns, or groups of columns) that differ from the row explained. */
  readonly changed: number;
  /** How much they differ: the sum over columns, in deviations. */
  readonly size: number;
}

/** Beyond any excess of a normal row. */
const FAR = 1e9;

export class Judge {
  readonly #detector: AnyDetector;
  readonly #reference: Reference;
  readonly #row: Float64Array;
  readonly #units: readonly Unit[];
  /** How far the row explained is above the threshold. */
  readonly #excess: number;

  constructor(
    detector: AnyDetector,
    reference: Reference,
    { row, score }: { readonly row: Float64Array; readonly score: number },
    units: readonly Unit[],
  ) {
    this.#detector = detector;
    this.#reference = reference;
    this.#row = row;
    this.#units = units;
    const excess = score - detector.threshold;
    this.#excess = excess > 0 && excess < Infinity ? excess : 1;
  }

  /** Judges rows. */
  of(rows: readonly Float64Array[]): Candidate[] {
    if (rows.length === 0) return [];
    const { columns } = this.#reference;
    const data = new Float64Array(rows.length * columns);
    for (const [i, row] of rows.entries()) data.set(row, i * columns);
    const matrix = { data, rows: rows.length, columns };
    const scores = this.#detector.score(matrix);
    const others = scoresAmongNormal(this.#detector, matrix);
    const distances = this.#reference.distances(data);
    return rows.map((row, i) => this.#candidate(row, scores[i] as number, distances[i] as number, others?.[i]));
  }

  #candidate(row: Float64Array, score: number, distance: number, other: number = score): Candidate {
    const { scale } = this.#reference;
    const { threshold } = this.#detector;
    const above = (Math.max(score, other) - threshold) / this.#excess;
    const beyond = distance - 1;
    const changed = this.#units.filter((unit) => unit.some((j) => row[j] !== this.#row[j]));
    const size = changed
      .flat()
      .reduce((sum, j) => sum + Math.abs(((row[j] as number) - (this.#row[j] as number)) / (scale[j] as number)), 0);
    const [isNormal, isPlausible] = [score <= threshold, above <= 0 && beyond <= 0];
    // What is not normal comes after everything that is. A training row may be normal as a new one, which has itself
    // for a neighbour: to stay there is no way out.
    const excess = Math.max(above, beyond) + (isNormal && changed.length > 0 ? 0 : FAR);
    return { row, score, isNormal, isPlausible, excess, changed: changed.length, size };
  }
}

/** The better one first: what is normal and plausible, with fewer changes, with smaller ones. */
export function compare(a: Candidate, b: Candidate): number {
  const [isGood, isOtherGood] = [a.excess <= 0, b.excess <= 0];
  if (isGood !== isOtherGood) return isGood ? -1 : 1;
  return isGood ? a.changed - b.changed || a.size - b.size : a.excess - b.excess;
}

/**
 * The scores of CAD with neighbours among the normal training rows alone. To CAD, a row that was hardly changed has what
 * it was for a neighbour, at its back, and is normal by that: it must be so without it.
 */
function scoresAmongNormal(detector: AnyDetector, rows: FlatMatrix): Float64Array | undefined {
  if (!(detector instanceof CAD)) return undefined;
  const { held, neighbors, orientation, normalRows } = detector.parts;
  const { points, indices } = finish(normalRows());
  if (points === undefined || indices.length < neighbors) return undefined;
  const scores = new Float64Array(rows.rows);
  points.curvature(held.queries.attach(new RowReader().attach(rows)), 0, rows.rows, neighbors, scores);
  held.queries.detach();
  return scores.map((score) => orientation * score);
}
