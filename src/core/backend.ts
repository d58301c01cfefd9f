// Where the work is done. A Backend holds sets of points and answers for queries: nearest neighbours,
// scores, gradients. Swapping it changes speed, not results.

import type { RowSource } from './input/matrix.js';
import type { Kernel } from './kernel.js';
import type { Steps } from './steps.js';

/** How training rows are stored. All arithmetic on them is f64. */
export type Precision = 'single' | 'double';

/** What runs: plain TypeScript, or WebAssembly with SIMD. */
export type BackendName = 'js' | 'wasm-simd';

/** `POINTS` as queries: every point against all others, itself excluded by index. */
export const POINTS = 'points';

/** The same, one after the other as they lie in a tree: `PointSet.order` says which point is in which place. */
export const PLACES = 'places';

/** Rows to ask about: new ones, or the points themselves. */
export type Queries = RowSource | typeof POINTS | typeof PLACES;

/** Whether queries are the points themselves. */
export function isAboutPoints(queries: Queries): queries is typeof POINTS | typeof PLACES {
  return queries === POINTS || queries === PLACES;
}

/** Along what a tree of points is made: orthogonal axes, one row after the other, from a centre. */
export interface TreePlan {
  readonly centre: Float64Array;
  readonly axes: Float64Array;
  /** What a query is expected to cost, in about nanoseconds. */
  readonly effort: number;
  /** What is farther than this share of the limit is left out: 1 where the search is exact. */
  readonly share: number;
}

/** How the neighbours of all points are found. */
export type PointSearch = 'tree' | 'join' | 'plain';

/** Whether a search leaves most points out unseen, by a tree, or looks at all of them. */
export type SearchKind = 'tree' | 'exhaustive';

/** How points are searched. */
export interface SearchPlan {
  /** Follows from the rows if it is not given. */
  readonly kind?: SearchKind | undefined;
  /** By how much a reported distance may exceed the true one, as a share of it. Default 0: exact. */
  readonly epsilon?: number | undefined;
  /** Given what a job costs, says how far it is once the points are held. Default: not at all. */
  readonly begun?: ((costs: HoldingCosts) => number) | undefined;
}

/** What it costs one thread to hold points, and to find the neighbours of all of them, in about nanoseconds. */
export interface HoldingCosts {
  readonly holding: number;
  readonly searching: number;
}

export interface Backend {
  readonly name: BackendName;
  /** Takes a copy of the rows, to be asked about in the feature space of a kernel. */
  hold(rows: RowSource, precision: Precision, kernel: Kernel, plan?: SearchPlan): Steps<PointSet>;
  /** Holds points that the same backend holds elsewhere. */
  holdImage(image: PointsImage): PointSet;
}

/** Points as they lie in memory, with all that was prepared for the search. */
export interface PointsImage extends Pick<PointSet, 'count' | 'columns' | 'precision' | 'kernel' | 'unit' | 'tree'> {
  readonly bytes: Uint8Array;
}

/** Points from … to − 1 of a self-join, with the candidates that another thread collected for them. */
export interface JoinPart {
  readonly from: number;
  readonly to: number;
  /** Undefined if there are none yet. */
  readonly candidates: Uint32Array | undefined;
}

/**
 * Finds the neighbours of all points among themselves, in parts. First candidates are collected from pairs of
 * blocks: all of them here, or some here and others by threads that hold the same points. Then the candidates are
 * resolved: measured exactly, and the k nearest kept.
 */
export interface SelfJoin {
  /** Whether one thread may do all of it: the memory it takes is within what a fit may use. */
  readonly hasRoom: boolean;
  /** Pairs of blocks to collect candidates from. */
  readonly blockPairs: number;
  /** Points that are resolved together: calls begin at multiples of this. */
  readonly block: number;
  /** Parts begin at multiples of this. */
  readonly unit: number;
  collect(from: number, to: number): void;
  /** Collects candidates of one part among itself, or of two parts among each other; returns those of each part. */
  exchange(part: JoinPart, other?: JoinPart): Uint32Array[];
  /** Results of points from … to − 1, when all blockPairs to them were made: here, or elsewhere if that is candidates. */
  neighbors(from: number, to: number, indices: Uint32Array, distances: Float64Array, candidates?: Uint32Array): void;
  curvature(from: number, to: number, scores: Float64Array, candidates?: Uint32Array): void;
  sharpness(from: number, to: number, values: Float64Array, candidates?: Uint32Array): void;
  /** Frees the memory. */
  release(): void;
}

/** Neighbours and their distances, as many for each query as were asked for. */
export interface FoundNeighbors {
  readonly indices: Uint32Array;
  readonly distances: Float64Array;
}

/** Points held by a backend. Queries from … to − 1 are answered; results start at index 0 of the outputs. */
export interface PointSet {
  readonly count: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
  /** What the prepared numbers are relative to. */
  readonly unit: number;
  /** Undefined where every search looks at all points. */
  readonly tree: TreePlan | undefined;
  /** The points in the order of their places, where there is a tree. */
  readonly order: Uint32Array | undefined;
  /** Bytes of an image of the points. */
  readonly imageSize: number;
  copyImage(into: Uint8Array): Steps<void>;
  /** A copy of the rows, row after row. */
  rows(): Float32Array | Float64Array;
  /** Writes the rows of the points `indices` names from … to − 1, row after row, into `into` from position `at`. */
  gather(indices: Uint32Array, from: number, to: number, into: Float64Array, at: number): void;
  /** Copies rows from … to − 1 to their places among all rows in `into`. */
  copyRows(from: number, to: number, into: Float32Array | Float64Array): void;
  /** The k nearest points, nearest first, equal distances by index: squared L2, L1 or kernel distance. */
  neighbors(queries: Queries, from: number, to: number, k: number, into: FoundNeighbors): void;
  /** The same without what an approximate search leaves out. */
  exactNeighbors: PointSet['neighbors'];
  /** How the neighbours of all points are found: by a tree, by comparing all pairs once, or for one after the other. */
  searchOfPoints(k: number): PointSearch;
  /** The distance to the k-th nearest point, as `neighbors` tells it. */
  kthDistances(queries: Queries, from: number, to: number, k: number, distances: Float64Array): void;
  /** The (kernel) CAD score exactly as its equation gives it. */
  curvature(queries: Queries, from: number, to: number, k: number, scores: Float64Array): void;
  /**
   * The curvature as a share of its largest value (linear kernel): the length of the sum of the unit edges over
   * their number, from 0 to 1; 0 where all k are duplicates.
   */
  sharpness(queries: Queries, from: number, to: number, k: number, values: Float64Array): void;
  /** A search of all points among themselves; undefined if it would be no faster than searching for each point. */
  selfJoin(k: number): SelfJoin | undefined;
  /** The gradient of the CAD score (linear kernel), `columns` values a query. */
  gradient(queries: Queries, from: number, to: number, k: number, gradients: Float64Array): void;
  /** Frees the memory. The points cannot be used after that. */
  release(): void;
}
