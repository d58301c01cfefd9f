// Means, scatter matrices and squared Mahalanobis distances of many rows: the arithmetic of robust
// covariance, in plain TypeScript or WebAssembly, to the same bits. A distance is ‖W (x − location)‖² with a
// whitening matrix W, WᵀW being the inverse of the covariance.
import type { RowSource } from '../input/matrix.js';

/**
 * A covariance counts as singular if a column keeps at most this share of its variance given the other columns: that is
 * what rounding leaves of a linear combination of others.
 */
export const SINGULAR = 1e-12;

/** A location and the whitening matrix around it, `rank` rows of `columns` numbers. */
export interface Whitening {
  readonly location: Float64Array;
  readonly matrix: Float64Array;
  readonly rank: number;
  /** Whether the matrix is square and lower triangular. */
  readonly isTriangular: boolean;
}

/** Rows stored during a fit. Results for selected rows come in the order of the selection. */
export interface HeldMatrix {
  readonly count: number;
  readonly columns: number;
  /** The mean of selected rows. The mean of a column that is constant among them is exactly that constant. */
  mean(selected: Uint32Array): Float64Array;
  /** Σ (x − location)(x − location)ᵀ over selected rows, a full symmetric matrix. */
  scatter(selected: Uint32Array, location: Float64Array): Float64Array;
  /** Squared Mahalanobis distances of selected rows. */
  distances(selected: Uint32Array, whitening: Whitening, distances: Float64Array): void;
  /** Frees the memory. */
  release(): void;
}

/** A whitening stored for new rows. */
export interface Measure {
  /** Squared Mahalanobis distances of all rows of a source. */
  distances(rows: RowSource, distances: Float64Array): void;
  release(): void;
}

export interface Mahalanobis {
  hold(rows: RowSource): HeldMatrix;
  /**
   * The lower triangular W with WᵀW = S⁻¹ of a symmetric matrix S (Cholesky), or undefined if S is
   * singular in the sense of SINGULAR.
   */
  whiten(matrix: Float64Array, columns: number): Float64Array | undefined;
  measure(whitening: Whitening): Measure;
}
