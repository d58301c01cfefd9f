// The starting points of paths: the parts of a fitted CAD that they use, and the detector's labels of the rows.

import type { PointSet } from '../core/backend.js';
import { CurvadError, describe } from '../core/errors.js';
import { RowReader } from '../core/input/matrix.js';
import { finish } from '../core/steps.js';
import { CAD, type CADParts } from '../detectors/cad.js';
import type { Constraints } from './constraints.js';

/** The parts of a CAD with a linear kernel and enough normal rows. */
export interface LinearParts extends CADParts {
  readonly normal: { readonly points: PointSet; readonly indices: Uint32Array };
}

export function checkedCAD(cad: unknown, what: string): CAD {
  if (cad instanceof CAD) return cad;
  throw new CurvadError('DETECTOR_UNSUPPORTED', `${what} is made from a fitted CAD, got ${describe(cad)}`);
}

/** The normal rows of a CAD, of which there must be k. */
export function enoughNormalRows({ normalRows, neighbors }: CADParts, what: string): LinearParts['normal'] {
  const { points, indices } = finish(normalRows());
  if (points !== undefined && indices.length >= neighbors) return { points, indices };
  throw new CurvadError(
    'TOO_FEW_NORMAL_ROWS',
    `${what} needs ${neighbors} neighbors among the training rows labelled normal, of which there are ${indices.length}`,
  );
}

export function linearParts(given: CAD, what: string): LinearParts {
  const { parts } = checkedCAD(given, what);
  const { name } = parts.held.points.kernel;
  if (name !== 'linear') {
    throw new CurvadError(
      'KERNEL_UNSUPPORTED',
      `${what} follows the gradient of the score, which there is for the linear kernel only, not for ${name}`,
    );
  }
  return { ...parts, normal: enoughNormalRows(parts, what) };
}

/** The start of a path and its limits. */
export interface Start {
  readonly point: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly label: 0 | 1;
}

/** Brings rows within their constraints and labels them. */
export function startsOf(cad: CAD, parts: LinearParts, rows: RowReader, constraints: Constraints): Start[] {
  const { columns } = parts.held.points;
  if (rows.columns !== columns) {
    throw new CurvadError('WRONG_WIDTH', `rows have ${rows.columns} columns, the detector was fitted on ${columns}`);
  }
  const starts = Array.from({ length: rows.rows }, (_, i) => {
    const row = new Float64Array(columns);
    rows.read(i, row, 0);
    return constraints.startFrom(row);
  });
  const { labels } = verdictsOn(
    cad,
    parts,
    starts.map(({ point }) => point),
  );
  return starts.map((start, i) => ({ ...start, label: labels[i] as 0 | 1 }));
}

/** Scores and labels of rows, and whether they are training rows. */
export interface Verdicts {
  readonly scores: Float64Array;
  readonly labels: Uint8Array;
  /** The training row each of them is, or −1. */
  readonly trainingRows: Int32Array;
  /** Neighbours among all training rows, k a row, nearest first: the row itself is not one. */
  readonly indices: Uint32Array;
  readonly distances: Float64Array;
}

/** Training rows get the score and label of training, where they are not their own neighbours. */
export function verdictsOn(cad: CAD, { held, neighbors: k }: CADParts, rows: readonly Float64Array[]): Verdicts {
  const { points, queries } = held;
  const indices = new Uint32Array(rows.length * k);
  const squares = new Float64Array(rows.length * k);
  points.neighbors(queries.attach(new RowReader().attach(rows)), 0, rows.length, k, { indices, distances: squares });
  queries.detach();
  const scores = cad.score(rows);
  const { scores: trainingScores, threshold } = cad;
  const trainingRows = new Int32Array(rows.length).fill(-1);
  for (let i = 0; i < rows.length; i++) {
    if (squares[i * k] !== 0) continue;
    const row = indices[i * k] as number;
    trainingRows[i] = row;
    scores[i] = trainingScores[row] as number;
    points.neighbors('points', row, row + 1, k, {
      indices: indices.subarray(i * k),
      distances: squares.subarray(i * k),
    });
  }
  const labels = Uint8Array.from(scores, (score) => (score > threshold ? 1 : 0));
  return { scores, labels, trainingRows, indices, distances: squares.map(Math.sqrt) };
}
