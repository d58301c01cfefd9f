// Numbers that both sides of the border must agree on. scripts/contract.js hands them to JavaScript, along with the
// fields of every exported @unmanaged class and the types of the exports.

/** Points in one panel of the search: a cache line of 32-bit words. */
export const PANEL_WIDTH: u32 = 16;
/** Panels in a block of the search, at most. */
export const MAX_BLOCK_PANELS: u32 = 32;
/** Pairs of queries that go over a block before their promising tiles are examined. */
export const PAIR_GROUP: u32 = 8;
/** Bytes of estimates of a pair of queries: 2 × 16 f32 for each panel of a block. */
export const PAIR_ESTIMATE_BYTES: usize = 4096;
/** "Not one of the points", and "not in the cache". */
export const NONE: u32 = 0xffffffff;

/** Points in one panel of the support vector machine: a cache line of f64. */
export const SVM_PANEL_WIDTH: u32 = 8;

/** Rows whose Mahalanobis distances are computed together, a lane each. */
export const MAHALANOBIS_GROUP: u32 = 8;
/** Rows gathered together for a scatter matrix, at most. */
export const SCATTER_BLOCK: u32 = 32;

/** Isolation trees that are walked together. */
export const TREE_GROUP: u32 = 8;

export namespace Kernel {
  export const LINEAR: u32 = 0;
  export const RBF: u32 = 1;
  export const LAPLACIAN: u32 = 2;
  export const POLYNOMIAL: u32 = 3;
  export const SIGMOID: u32 = 4;
  export const COSINE: u32 = 5;
}

/** What is wanted of the cells of a grid: the score of CAD, the curvature from 0 to 1, or the k-th squared distance. */
export namespace GridWant {
  export const CURVATURE: u32 = 0;
  export const SHARPNESS: u32 = 1;
  export const KTH_SQUARE: u32 = 2;
}

/** Why a call of the solver returned. */
export namespace SmoStatus {
  export const RUNNING: u32 = 0;
  export const FINISHED: u32 = 1;
  export const STALLED: u32 = 2;
}

/** Why a call of a walk returned: a pause, a list of points that it needs, or its end. */
export namespace WalkStatus {
  export const PAUSED: u32 = 0;
  export const NEEDS_POINTS: u32 = 1;
  export const NEEDS_ALL: u32 = 2;
  export const REACHED: u32 = 3;
  export const CONVERGED: u32 = 4;
  export const STALLED: u32 = 5;
  export const INCREASED: u32 = 6;
  export const DIVERGED: u32 = 7;
}

/** When a walk stops. */
export namespace WalkStop {
  export const NEVER: u32 = 0;
  export const EXTREMUM: u32 = 1;
  export const LABEL: u32 = 2;
}
