// The interface of a backend: it stores sets of points and answers queries for nearest neighbours, scores and gradients.
// All backends give the same results; only speed differs.

import type { RowSource } from './input/matrix.js';
import type { Kernel } from './kernel.js';
import type { Steps } from './steps.js';
import type { CompiledModule, WasmMemory } from './wasm/build.js';

/** Precision in which training rows are stored. All arithmetic is f64. */
export type Precision = 'single' | 'double';

/** The implementation: plain TypeScript, or WebAssembly with SIMD. */
export type BackendName = 'js' | 'wasm-simd';

/** `POINTS` as queries: every point against all others, itself excluded by index. */
export const POINTS = 'points';

/** The same in tree order: `PointSet.order` gives the point at each position. */
export const PLACES = 'places';

/** Query rows: new ones, or the points themselves. */
export type Queries = RowSource | typeof POINTS | typeof PLACES;

/** Whether queries are the points themselves. */
export function isAboutPoints(queries: Queries): queries is typeof POINTS | typeof PLACES {
  return queries === POINTS || queries === PLACES;
}

/** The geometry of a tree: a centre and orthogonal axes, stored row by row. */
export interface TreePlan {
  readonly centre: Float64Array;
  readonly axes: Float64Array;
  /** Expected cost of a query, roughly in nanoseconds. */
  readonly effort: number;
  /** Boxes farther away than this share of the limit are skipped: 1 for an exact search. */
  readonly share: number;
  /** Points are only put in order by it, and those of near boxes are compared: too many are near for a search of the tree. */
  readonly isJoined?: boolean;
}

/** How the neighbours of all points are searched. */
export type PointSearch = 'tree' | 'join' | 'plain';

/** Whether a search skips most points by a tree, or scans all of them. */
export type SearchKind = 'tree' | 'ordered' | 'exhaustive';

/** How points are searched. */
export interface SearchPlan {
  /** Chosen from the rows if not given. */
  readonly kind?: SearchKind | undefined;
  /** Largest relative error of a reported distance. Default 0: exact. */
  readonly epsilon?: number | undefined;
  /** Given the costs of a job, returns the progress it has when the points are stored. Default: 0. */
  readonly begun?: ((costs: HoldingCosts) => number) | undefined;
}

/** Costs for one thread to store points, and to find the neighbours of all of them, roughly in nanoseconds. */
export interface HoldingCosts {
  readonly holding: number;
  readonly searching: number;
}

export interface Backend {
  readonly name: BackendName;
  /** Stores a copy of the rows for queries in the feature space of a kernel. */
  hold(rows: RowSource, precision: Precision, kernel: Kernel, plan?: SearchPlan): Steps<PointSet>;
  /** Stores points from an image made by the same backend elsewhere. */
  holdImage(image: PointsImage): PointSet;
}

/** Points as laid out in memory, with everything prepared for the search: a copy, or where they are. */
export interface PointsImage extends Pick<PointSet, 'count' | 'columns' | 'precision' | 'kernel' | 'unit' | 'tree'> {
  readonly bytes: Uint8Array | LentBytes;
}

/** Bytes of memory that several threads work on, with the code for it, and room there for what a thread writes. */
export interface LentBytes extends SharedMemory {
  readonly place: Room;
  readonly room: Room;
}

/** Memory that other threads can work on, and the code for it. */
export interface SharedMemory {
  readonly memory: WasmMemory;
  readonly module: CompiledModule;
}

/** A part of a memory. */
export interface Room {
  readonly start: number;
  readonly size: number;
}

/** Points that another thread works on where they are. They stay there until the loan is over. */
export interface Loan {
  readonly image: PointsImage;
  /** To be called when the thread no longer works on them, with what it leaves; nothing if it has died. */
  end(leftovers?: Leftovers): void;
}

/** What a thread leaves in memory that was lent to it: what it added to that, and how much it took at most. */
export interface Leftovers {
  readonly added: readonly Room[];
  readonly taken: number;
}

/** Points from … to − 1 of a self-join, with the candidates collected for them by another thread. */
export interface JoinPart {
  readonly from: number;
  readonly to: number;
  /** Undefined if there are no candidates yet. */
  readonly candidates: Uint32Array | undefined;
}

/**
 * Finds the neighbours of all points among themselves, in parts. First, candidates are collected from pairs of
 * blocks: all of them here, or some here and others by threads that hold the same points. Then the candidates are
 * resolved: measured exactly, and the k nearest kept.
 */
export interface SelfJoin {
  /** Whether the memory for all candidates is within what a fit may use, so that one thread can do all of it. */
  readonly hasRoom: boolean;
  /** Number of block pairs to collect candidates from. */
  readonly blockPairs: number;
  /** Number of points resolved together: calls start at multiples of this. */
  readonly block: number;
  /** Parts start at multiples of this. */
  readonly unit: number;
  collect(from: number, to: number): void;
  /** Collects candidates within one part, or between two parts; returns the candidates of each part. */
  exchange(part: JoinPart, other?: JoinPart): Uint32Array[];
  /** Results of points from … to − 1, once all their block pairs were scanned, here or elsewhere; `candidates` are from elsewhere. */
  neighbors(from: number, to: number, indices: Uint32Array, distances: Float64Array, candidates?: Uint32Array): void;
  curvature(from: number, to: number, scores: Float64Array, candidates?: Uint32Array): void;
  sharpness(from: number, to: number, values: Float64Array, candidates?: Uint32Array): void;
  /** Frees the memory. */
  release(): void;
}

/** Neighbours and their distances, k for each query. */
export interface FoundNeighbors {
  readonly indices: Uint32Array;
  readonly distances: Float64Array;
}

/** Points stored by a backend. Answers queries from … to − 1; results start at index 0 of the outputs. */
export interface PointSet {
  readonly count: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
  /** What the prepared values are relative to. */
  readonly unit: number;
  /** Undefined if searches scan all points. */
  readonly tree: TreePlan | undefined;
  /** The points in tree order, if there is a tree. */
  readonly order: Uint32Array | undefined;
  /** Lends the points to another thread; undefined where it must be sent a copy. */
  lend(): Loan | undefined;
  /** What is left in memory that was lent to this thread. */
  readonly leftovers: Leftovers | undefined;
  /** Bytes of an image of the points. */
  readonly imageSize: number;
  copyImage(into: Uint8Array): Steps<void>;
  /** A copy of the rows, row after row. */
  rows(): Float32Array | Float64Array;
  /** Writes the rows of the points `indices` names from … to − 1, row after row, into `into` from position `at`. */
  gather(indices: Uint32Array, from: number, to: number, into: Float64Array, at: number): void;
  /** Copies rows from … to − 1 to their positions in `into`, which holds all rows. */
  copyRows(from: number, to: number, into: Float32Array | Float64Array): void;
  /** The k nearest points, nearest first, equal distances by index: squared L2, L1 or kernel distance. */
  neighbors(queries: Queries, from: number, to: number, k: number, into: FoundNeighbors): void;
  /** The same, exact even if the search is approximate. */
  exactNeighbors: PointSet['neighbors'];
  /** How the neighbours of all points are searched: by a tree, by comparing all pairs once, or one point after the other. */
  searchOfPoints(k: number): PointSearch;
  /** The distance to the k-th nearest point, as `neighbors` gives it. */
  kthDistances(queries: Queries, from: number, to: number, k: number, distances: Float64Array): void;
  /** The (kernel) CAD score exactly as its equation gives it. */
  curvature(queries: Queries, from: number, to: number, k: number, scores: Float64Array): void;
  /**
   * The curvature relative to its largest value (linear kernel): the length of the sum of the unit edges divided by
   * their number, from 0 to 1; 0 if all k neighbours are duplicates.
   */
  sharpness(queries: Queries, from: number, to: number, k: number, values: Float64Array): void;
  /** A search of all points among themselves; undefined if it would be no faster than searching for each point. */
  selfJoin(k: number): SelfJoin | undefined;
  /** The gradient of the CAD score (linear kernel), `columns` values a query. */
  gradient(queries: Queries, from: number, to: number, k: number, gradients: Float64Array): void;
  /** Frees the memory. The points cannot be used after that. */
  release(): void;
}
