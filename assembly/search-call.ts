// The record that a search call reads. JavaScript lays out the memory and fills the record; the module itself keeps no
// state, allocates nothing and imports only the memory, so that instances can share it.

@unmanaged
export class SearchCall {
  /** Kernel parameters. */
  gamma: f64;
  coef0: f64;
  /** What a panel's numbers are relative to: the largest norm (L2), the value of one step (L1), or see tree.ts. */
  unit: f64;
  /** Of a tree: boxes are left out beyond this share of the limit (1 where all is exact), and what queries cost. */
  share: f64;
  effort: f64;

  /**
   * The points: rows of numbers of 4 or 8 bytes, and panels, and for each point a weight and a constant (f32) or a
   * kernel value (f64).
   */
  points: usize;
  bytes: u32;
  panels: usize;
  weights: usize;
  constants: usize;
  diagonal: usize;
  /** For a tree, instead of panels: see tree.ts. Axes and the centre are rows of f64, and so is a line for scratch. */
  order: usize;
  keys: usize;
  leaves: usize;
  boxes: usize;
  leasts: usize;
  axes: usize;
  axisCount: u32;
  centre: usize;
  line: usize;
  count: u32;
  columns: u32;

  /**
   * The blocks of panels to scan: panels in a block, the first block and the number of blocks, the step between two of
   * them, and the panels (at most 16) that are scanned for all queries before the next.
   */
  blockPanels: u32;
  firstBlock: u32;
  blocks: u32;
  blockStep: u32;
  stepPanels: u32;
  /** The part that is being scanned, kept by the module: a first panel, bits of those from it on, and of each row `depth` words from `word` on. */
  firstPanel: u32;
  panelBits: u32;
  word: u32;
  depth: u32;

  /**
   * The queries: rows of f64, packed pairs, norm or k(q,q) (f64), scale (f32), own index or NONE (u32), the
   * largest sum an estimate can be, which is also what a product must exceed for a point (f32); of queries that
   * are points the index of the first, and of points that look for neighbours, too, that from which their bounds
   * and candidates count as those of the queries do.
   */
  queries: u32;
  rows: usize;
  pairs: usize;
  norms: usize;
  scales: usize;
  selves: usize;
  reaches: usize;
  firstQuery: u32;
  firstPoint: u32;

  /** Neighbours wanted, candidates measured to find them, and slots kept while looking: k ≤ c < slots − 4. */
  neighbors: u32;
  candidates: u32;
  slots: u32;
  /** For each query: bound (f32), number of candidates (u32), and these (i32: see reservoir.ts). */
  bounds: usize;
  counts: usize;
  found: usize;
  /** Of a join, where panels lie in the order of a tree: how far from each neighbours may be, see near-panels.ts. */
  limits: usize;
  /** And number of neighbours (u32), and of each its distance (f64) and index (u32). */
  sizes: usize;
  distances: usize;
  indices: usize;

  /** Scratch of the search: sums over part of the columns, estimates of a block, tiles worth a look. */
  partials: usize;
  estimates: usize;
  promising: usize;
  /** Scratch of single steps: the stack of a tree search, distances of a few points, a pinned value. */
  scratch: usize;

  /** A score and a gradient for each query; scratch for S or k difference vectors, and for k weights. */
  scores: usize;
  gradients: usize;
  edges: usize;
  edgeWeights: usize;

  kernel: u32;
  degree: u32;
}
