// What the calls of the one-class support vector machine work on. Points lie in panels of eight: a cache line of f64
// for each column.

@unmanaged
export class SvmCall {
  /** Kernel parameters, and the power of two by which kernel values are multiplied. */
  gamma: f64;
  coef0: f64;
  unit: f64;
  /** The solver ends where the gap, kept here, is below this. */
  tolerance: f64;
  gap: f64;
  /** The smallest gap that was a clear gain over the one before it. */
  bestGap: f64;

  kernel: u32;
  degree: u32;
  /** 1 where squared distances are summed from differences, 0 where they come from inner products. */
  isByDifferences: u32;

  /** The points: panels, x·x of each (f64), how many there are, and panels that fit the nearest cache. */
  panels: usize;
  squares: usize;
  count: u32;
  columns: u32;
  chunk: u32;

  /** A coefficient for each point (f64): those of the support vectors, or α of the solver. */
  coefficients: usize;

  /** The queries: packed pairs, q·q of each, two partial sums of each (f64); scratch for one tile. */
  queries: u32;
  pairs: usize;
  querySquares: usize;
  sums: usize;
  tile: usize;

  /** The solver: Σ_j α_j k(x_i, x_j) and k(x_i, x_i) of each point (f64). */
  gradients: usize;
  diagonal: usize;
  /** Kernel rows kept (f32): their memory, how many fit and are in use, the slot of each point, and of each
   *  slot its point and when it was last used (u32). */
  rows: usize;
  slots: u32;
  slotsUsed: u32;
  slotOf: usize;
  pointOf: usize;
  lastUses: usize;
  clock: u32;
  /** The most violating points among those that can grow and those that can shrink. */
  growing: u32;
  shrinking: u32;
  iterations: u32;
  /** The step that reached the best gap, and how many without such a gain are too many. */
  gainedAt: u32;
  patience: u32;

  /** The rows with α > 0, how many, and sums over them (f64) apart by even and odd places. */
  support: usize;
  supportCount: u32;
  evenSums: usize;
  oddSums: usize;
}
