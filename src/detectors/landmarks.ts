// Landmarks: some of the training rows, held a second time as points of their own, and LM, the distance from a row to
// the k-th nearest of them. A row is normal by it if it is close to what many rows are close to.

import type { RowSource } from '../core/input/matrix.js';
import { MersenneTwister } from '../core/random/mersenne-twister.js';
import { type BackendChoice, selectBackend } from '../core/select.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { costOf, type PointsWork } from '../parallel/work.js';
import type { HeldRows } from './held-rows.js';
import { NeighborSearch } from './neighbor-search.js';
import { distanceContributions, edgesTo, type Surroundings } from './standing.js';

/** Share of the landmarks, and the least number of them, that must be near for a row to be normal. */
const SHARE = 0.04;
const FEWEST_NEAR = 10;

/** The search for the k nearest of some of the held rows. */
export function* holdLandmarks(
  { points, scaling, queries }: HeldRows,
  landmarks: Uint32Array,
  backend: BackendChoice,
): Steps<NeighborSearch> {
  const { columns, precision, kernel } = points;
  const data = new Float64Array(landmarks.length * columns);
  yield* inBlocks(landmarks.length, columns, (from, to) => points.gather(landmarks, from, to, data, from * columns));
  const read = (row: number, into: Float64Array, at: number): void =>
    into.set(data.subarray(row * columns, (row + 1) * columns), at);
  const rows = { rows: landmarks.length, columns, read };
  const held = yield* selectBackend(backend).hold(rows, precision, kernel);
  return new NeighborSearch({ points: held, scaling, queries }, nearLandmarks(landmarks.length));
}

/** Which of so many training rows are landmarks, ascending: all of them, or `most` drawn at random. */
export function chooseLandmarks(most: number, rows: number, seed: number): Uint32Array {
  return new MersenneTwister(seed).choose(Math.min(most, rows), rows);
}

/** Landmarks that must be near for a row to be normal. */
export function nearLandmarks(landmarks: number): number {
  return Math.min(landmarks - 1, Math.max(FEWEST_NEAR, Math.ceil(SHARE * landmarks)));
}

/** What each column contributes to LM of a row. */
export function landmarkContributions(
  { held: { points }, k }: NeighborSearch,
  landmarks: Uint32Array,
  { vertex, trainingRow }: Surroundings,
): Float64Array {
  const isLandmark = trainingRow !== undefined && landmarks.includes(trainingRow);
  const count = isLandmark ? k + 1 : k; // it finds itself
  const indices = new Uint32Array(count);
  const row = {
    rows: 1,
    columns: points.columns,
    read: (_: number, into: Float64Array, at: number) => into.set(vertex, at),
  };
  points.neighbors(row, 0, 1, count, indices, new Float64Array(count));
  return distanceContributions(edgesTo(points, vertex, indices.subarray(count - 1)), false);
}

/** LM of the training rows. One more landmark is asked for: a landmark finds itself, and must not count. */
export function landmarkWork(
  { held, k }: NeighborSearch,
  landmarks: Uint32Array,
  rows: RowSource,
  distances: Float64Array,
  progress: readonly [number, number],
): PointsWork {
  const search = new NeighborSearch(held, k + 1);
  const isLandmark = new Uint8Array(rows.rows);
  for (const row of landmarks) isLandmark[row] = 1;
  const { points } = held;
  return {
    rows: rows.rows,
    cost: costOf(points),
    progress,
    run(from, to) {
      for (let first = from; first < to; first += search.block) {
        const end = Math.min(first + search.block, to);
        const lists = search.find(rows, first, end);
        for (let i = first; i < end; i++) {
          const last = (i - first) * (k + 1) + k - 1;
          distances[i] = lists.distances[last + (isLandmark[i] as number)] as number;
        }
      }
    },
    elsewhere: {
      points,
      queries: rows,
      question: 'neighbors',
      k: k + 1,
      take(from, answers) {
        const squares = answers.distances as Float64Array;
        for (let i = 0; i < squares.length / (k + 1); i++) {
          const last = i * (k + 1) + k - 1;
          distances[from + i] = Math.sqrt(squares[last + (isLandmark[from + i] as number)] as number);
        }
      },
    },
  };
}
