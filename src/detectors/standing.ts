// Where a row stands among the training rows that a detector holds: its neighbours there, and what each column
// contributes to its distance from them, or to its curvature.
import { POINTS, type PointSet } from '../core/backend.js';
import type { RowSource } from '../core/input/matrix.js';
import type { HeldRows } from './held-rows.js';

/** What the shares of columns are shares of. */
export type ShareBasis = 'distance' | 'curvature';

export interface Standing {
  /** The training row it is, if it is one: then it is no neighbour of its own. */
  readonly trainingRow: number | undefined;
  /** The nearest training rows, nearest first, and how far they are between scaled rows. */
  readonly neighbors: ReadonlyArray<{ readonly index: number; readonly distance: number }>;
  /** What each column contributes, none of it negative; undefined where the score does not come apart by columns. */
  readonly contributions: Float64Array | undefined;
  readonly basis: ShareBasis;
}

/** A row and its k nearest training rows. */
export interface Surroundings {
  readonly trainingRow: number | undefined;
  /** The row, as rows are held. */
  readonly vertex: Float64Array;
  /** Nearest first. */
  readonly indices: Uint32Array;
  /** From the row to each neighbour, one edge after the other, in the units of the core. */
  readonly edges: Float64Array;
  /** Lengths of the edges. */
  readonly distances: Float64Array;
}

/** Looks around a row: a training row, by its index, or the only one of new ones. New rows may be training rows, too. */
export function lookAround(held: HeldRows, row: number | RowSource, k: number): Surroundings {
  const { points, queries } = held;
  const { columns } = points;
  const vertex = new Float64Array(columns);
  const indices = new Uint32Array(k);
  const compared = new Float64Array(k);
  let trainingRow = typeof row === 'number' ? row : undefined;
  if (typeof row !== 'number') {
    queries.attach(row).read(0, vertex, 0);
    points.neighbors(queries, 0, 1, k, { indices, distances: compared });
    queries.detach();
    trainingRow = sameRow(held, vertex, indices);
  }
  if (trainingRow !== undefined) {
    points.gather(Uint32Array.of(trainingRow), 0, 1, vertex, 0);
    points.neighbors(POINTS, trainingRow, trainingRow + 1, k, { indices, distances: compared });
  }
  return { trainingRow, vertex, indices, ...edgesTo(points, vertex, indices) };
}

/** The edges from a row to points. */
export function edgesTo(
  points: PointSet,
  vertex: Float64Array,
  indices: Uint32Array,
): Pick<Surroundings, 'edges' | 'distances'> {
  const { columns } = points;
  const edges = new Float64Array(indices.length * columns);
  points.gather(indices, 0, indices.length, edges, 0);
  for (let i = 0; i < edges.length; i++) edges[i] = (edges[i] as number) - (vertex[i % columns] as number);
  const isManhattan = points.kernel.name === 'laplacian';
  const distances = Float64Array.from(indices, (_, a) => {
    let sum = 0;
    for (let i = a * columns; i < (a + 1) * columns; i++)
      sum += isManhattan ? Math.abs(edges[i] as number) : (edges[i] as number) ** 2;
    return isManhattan ? sum : Math.sqrt(sum);
  });
  return { edges, distances };
}

/** The neighbours as they are told. */
export function neighborsIn({ indices, distances }: Surroundings): Standing['neighbors'] {
  return Array.from(indices, (index, a) => ({ index, distance: distances[a] as number }));
}

/** What each column contributes to the sum of the distances to neighbours from … to − 1: d = Σ (e_j²/d), or Σ |e_j|. */
export function distanceContributions(
  { edges, distances }: Pick<Surroundings, 'edges' | 'distances'>,
  isManhattan: boolean,
  from = 0,
  to = distances.length,
): Float64Array {
  const columns = edges.length / distances.length;
  const sums = new Float64Array(columns);
  for (let a = from; a < to; a++) {
    const distance = distances[a] as number;
    if (distance === 0) continue;
    for (let j = 0; j < columns; j++) {
      const edge = edges[a * columns + j] as number;
      sums[j] = (sums[j] as number) + (isManhattan ? Math.abs(edge) : (edge * edge) / distance);
    }
  }
  return sums;
}

/** What each column contributes to ‖S‖², S = Σ u_a over the unit edges: s = (‖S‖² − m)/2. */
export function curvatureContributions({ edges, distances }: Surroundings): Float64Array {
  const columns = edges.length / distances.length;
  const sum = new Float64Array(columns);
  for (let i = 0; i < edges.length; i++) {
    const distance = distances[Math.floor(i / columns)] as number;
    if (distance > 0) sum[i % columns] = (sum[i % columns] as number) + (edges[i] as number) / distance;
  }
  return sum.map((value) => value * value);
}

/** The first training row that is equal to a row, as rows are stored, of those nearest to it. */
function sameRow({ points }: HeldRows, vertex: Float64Array, nearest: Uint32Array): number | undefined {
  const first = new Float64Array(points.columns);
  points.gather(nearest, 0, 1, first, 0);
  return first.every((value, j) => value === vertex[j]) ? nearest[0] : undefined;
}
