// Means, scatter matrices and squared Mahalanobis distances of rows of f64, and the Cholesky factorization between them.
// Every sum runs in the plain order of rows or columns, and lanes are independent sums, never parts of one, so that
// src/core/js/mahalanobis.ts gives the same bits.
import { MAHALANOBIS_GROUP, SCATTER_BLOCK } from './contract';
import { lanes } from './vector';

/** Rows of which some are selected, and the memory for results. */
@unmanaged
export class MahalanobisCall {
  rows: usize;
  columns: u32;
  /** Indices of the selected rows. */
  indices: usize;
  /** What rows are measured from. */
  location: usize;
  /** The whitening W: `rank` rows and, if that is odd, one more of zeros. */
  whitening: usize;
  rank: u32;
  /** 1 if W is lower triangular: its zeros are skipped. */
  isTriangular: u32;
  /** Scratch memory for a few rows. */
  block: usize;
  sums: usize;
  matrix: usize;
  distances: usize;
}

/** The stride of a scatter matrix: columns in whole tiles, as in src/core/wasm/mahalanobis.ts. */
function paddedTo8(columns: u32): u32 {
  return (columns + 7) & ~7;
}

/** The i-th selected row. */
function rowAt(call: MahalanobisCall, i: u32): usize {
  return call.rows + <usize>load<u32>(call.indices + ((<usize>i) << 2)) * call.columns * 8;
}

/** Adds `count` selected rows from `first` on, less the location, to `sums`. */
export function sumRows(call: MahalanobisCall, first: u32, count: u32): void {
  const columns = call.columns;
  const origin = call.location,
    sums = call.sums;
  const whole = columns - (columns % lanes<f64>());
  for (let i = first; i < first + count; i++) {
    const row = rowAt(call, i);
    let j: u32 = 0;
    for (; j < whole; j += lanes<f64>()) {
      const at = <usize>j * 8;
      const moved = f64x2.sub(v128.load(row + at), v128.load(origin + at));
      v128.store(sums + at, f64x2.add(v128.load(sums + at), moved));
    }
    for (; j < columns; j++) {
      const at = <usize>j * 8;
      store<f64>(sums + at, load<f64>(sums + at) + (load<f64>(row + at) - load<f64>(origin + at)));
    }
  }
}

/** Adds (x − location)(x − location)ᵀ of `count` selected rows from `first` on to the upper triangle of the matrix. */
export function addScatter(call: MahalanobisCall, first: u32, count: u32): void {
  const columns = call.columns;
  const stride = paddedTo8(columns);
  const end = first + count;
  for (; first < end; first += SCATTER_BLOCK) {
    const size = min<u32>(SCATTER_BLOCK, end - first);
    gather(call, first, size);
    for (let j: u32 = 0; j < columns; j += 2) {
      const step = 4 * lanes<f64>();
      for (let k = j - (j % step); k < stride; k += step) scatterTile(call, size, j, k);
    }
  }
}

/** Copies rows less the location to the block, padded with zeros. */
function gather(call: MahalanobisCall, first: u32, size: u32): void {
  const columns = call.columns;
  const stride = paddedTo8(columns);
  const location = call.location;
  for (let i: u32 = 0; i < size; i++) {
    const row = rowAt(call, first + i);
    const to = call.block + <usize>i * stride * 8;
    for (let j: u32 = 0; j < columns; j++) {
      const at = <usize>j * 8;
      store<f64>(to + at, load<f64>(row + at) - load<f64>(location + at));
    }
    for (let j = columns; j < stride; j++) store<f64>(to + <usize>j * 8, 0);
  }
}

/** Two rows and four registers of columns of the matrix: eight sums that stay in registers over a block. */
function scatterTile(call: MahalanobisCall, size: u32, j: u32, k: u32): void {
  const stride = paddedTo8(call.columns);
  const block = call.block;
  const wide = lanes<f64>() * 8;
  const upper = call.matrix + (<usize>j * stride + k) * 8;
  const lower = upper + <usize>stride * 8;
  let a0 = v128.load(upper),
    a1 = v128.load(upper + wide);
  let a2 = v128.load(upper + 2 * wide),
    a3 = v128.load(upper + 3 * wide);
  let b0 = v128.load(lower),
    b1 = v128.load(lower + wide);
  let b2 = v128.load(lower + 2 * wide),
    b3 = v128.load(lower + 3 * wide);
  let left = block + <usize>j * 8;
  let right = block + <usize>k * 8;
  const end = left + <usize>size * stride * 8;
  for (; left < end; left += <usize>stride * 8, right += <usize>stride * 8) {
    const x = v128.load64_splat(left),
      y = v128.load64_splat(left + 8);
    const z0 = v128.load(right),
      z1 = v128.load(right + wide);
    const z2 = v128.load(right + 2 * wide),
      z3 = v128.load(right + 3 * wide);
    a0 = f64x2.add(a0, f64x2.mul(x, z0));
    a1 = f64x2.add(a1, f64x2.mul(x, z1));
    a2 = f64x2.add(a2, f64x2.mul(x, z2));
    a3 = f64x2.add(a3, f64x2.mul(x, z3));
    b0 = f64x2.add(b0, f64x2.mul(y, z0));
    b1 = f64x2.add(b1, f64x2.mul(y, z1));
    b2 = f64x2.add(b2, f64x2.mul(y, z2));
    b3 = f64x2.add(b3, f64x2.mul(y, z3));
  }
  v128.store(upper, a0);
  v128.store(upper + wide, a1);
  v128.store(upper + 2 * wide, a2);
  v128.store(upper + 3 * wide, a3);
  v128.store(lower, b0);
  v128.store(lower + wide, b1);
  v128.store(lower + 2 * wide, b2);
  v128.store(lower + 3 * wide, b3);
}

/** ‖W (x − location)‖² of `count` selected rows from `first` on. */
export function measureRows(call: MahalanobisCall, first: u32, count: u32): void {
  const columns = call.columns,
    rank = call.rank;
  const isTriangular = call.isTriangular;
  const group = call.block,
    whitening = call.whitening;
  const end = first + count;
  for (; first < end; first += MAHALANOBIS_GROUP) {
    const size = min<u32>(MAHALANOBIS_GROUP, end - first);
    transpose(call, first, size);
    // The sums of squares follow the rows.
    const sums = group + <usize>columns * MAHALANOBIS_GROUP * 8;
    for (let lane: u32 = 0; lane < MAHALANOBIS_GROUP; lane++) store<f64>(sums + <usize>lane * 8, 0);
    for (let i: u32 = 0; i < rank; i += 2) {
      const width = isTriangular ? min<u32>(i + 2, columns) : columns;
      const weights = whitening + <usize>i * columns * 8;
      whitenTile(weights, weights + <usize>columns * 8, group, width, sums);
    }
    for (let lane: u32 = 0; lane < size; lane++) {
      store<f64>(call.distances + <usize>(first + lane) * 8, load<f64>(sums + <usize>lane * 8));
    }
  }
}

/** Copies rows less the location to the block, column by column, a lane a row; lanes without a row are zero. */
function transpose(call: MahalanobisCall, first: u32, size: u32): void {
  const columns = call.columns;
  const location = call.location,
    group = call.block;
  for (let lane: u32 = 0; lane < MAHALANOBIS_GROUP; lane++) {
    const row = lane < size ? rowAt(call, first + lane) : 0;
    for (let j: u32 = 0; j < columns; j++) {
      const at = <usize>j * 8;
      const value = lane < size ? load<f64>(row + at) - load<f64>(location + at) : 0;
      store<f64>(group + (<usize>j * MAHALANOBIS_GROUP + lane) * 8, value);
    }
  }
}

/** Two rows of W times four registers of rows; their squares are added to the sums. */
function whitenTile(first: usize, second: usize, rows: usize, end: u32, sums: usize): void {
  const wide = lanes<f64>() * 8;
  let a0 = f64x2.splat(0),
    a1 = f64x2.splat(0),
    a2 = f64x2.splat(0),
    a3 = f64x2.splat(0);
  let b0 = f64x2.splat(0),
    b1 = f64x2.splat(0),
    b2 = f64x2.splat(0),
    b3 = f64x2.splat(0);
  const last = first + <usize>end * 8;
  for (; first < last; first += 8, second += 8, rows += MAHALANOBIS_GROUP * 8) {
    const x = v128.load64_splat(first),
      y = v128.load64_splat(second);
    const z0 = v128.load(rows),
      z1 = v128.load(rows + wide);
    const z2 = v128.load(rows + 2 * wide),
      z3 = v128.load(rows + 3 * wide);
    a0 = f64x2.add(a0, f64x2.mul(x, z0));
    a1 = f64x2.add(a1, f64x2.mul(x, z1));
    a2 = f64x2.add(a2, f64x2.mul(x, z2));
    a3 = f64x2.add(a3, f64x2.mul(x, z3));
    b0 = f64x2.add(b0, f64x2.mul(y, z0));
    b1 = f64x2.add(b1, f64x2.mul(y, z1));
    b2 = f64x2.add(b2, f64x2.mul(y, z2));
    b3 = f64x2.add(b3, f64x2.mul(y, z3));
  }
  addSquares(sums, a0, b0);
  addSquares(sums + wide, a1, b1);
  addSquares(sums + 2 * wide, a2, b2);
  addSquares(sums + 3 * wide, a3, b3);
}

function addSquares(sums: usize, a: v128, b: v128): void {
  const withFirst = f64x2.add(v128.load(sums), f64x2.mul(a, a));
  v128.store(sums, f64x2.add(withFirst, f64x2.mul(b, b)));
}

/**
 * Factors a matrix S = UᵀU in place in its upper triangle. Returns 0 where it is singular: where a column
 * keeps no more than `tolerance` of its diagonal element once the columns before it are accounted for.
 */
export function factorMatrix(matrix: usize, columns: u32, tolerance: f64, diagonal: usize): u32 {
  const stride = paddedTo8(columns);
  const line = <usize>stride * 8;
  for (let k: u32 = 0; k < columns; k++) {
    store<f64>(diagonal + <usize>k * 8, load<f64>(matrix + <usize>k * line + <usize>k * 8));
  }
  for (let k: u32 = 0; k < columns; k++) {
    const row = matrix + <usize>k * line;
    const pivot = load<f64>(row + <usize>k * 8);
    if (!(pivot > tolerance * load<f64>(diagonal + <usize>k * 8))) return 0;
    const root = sqrt(pivot);
    for (let j = k; j < columns; j++) {
      const at = row + <usize>j * 8;
      store<f64>(at, load<f64>(at) / root);
    }
    for (let i = k + 1; i < columns; i++) {
      subtractMultiple(matrix + <usize>i * line, row, row + <usize>i * 8, i - (i % lanes<f64>()), stride);
    }
  }
  return 1;
}

/** The inverse W of L = Uᵀ, lower triangular, so that ‖W x‖² = xᵀ S⁻¹ x. */
export function invertFactor(matrix: usize, columns: u32, whitening: usize): void {
  const stride = paddedTo8(columns);
  const line = <usize>columns * 8;
  for (let i: u32 = 0; i < columns; i++) {
    const row = whitening + <usize>i * line;
    for (let j: u32 = 0; j < columns; j++) store<f64>(row + <usize>j * 8, i == j ? 1 : 0);
    for (let k: u32 = 0; k < i; k++) {
      const factor = matrix + (<usize>k * stride + i) * 8;
      const wide = lanes<f64>();
      // Whole registers: what lies beyond element k of row k is zero.
      subtractMultiple(row, whitening + <usize>k * line, factor, 0, ((k + wide) / wide) * wide);
    }
    const root = load<f64>(matrix + (<usize>i * stride + i) * 8);
    for (let j: u32 = 0; j <= i; j++) {
      const at = row + <usize>j * 8;
      store<f64>(at, load<f64>(at) / root);
    }
  }
}

/** row −= factor · other, elements from … to − 1, in whole registers. */
function subtractMultiple(row: usize, other: usize, factor: usize, from: u32, to: u32): void {
  const f = v128.load64_splat(factor);
  for (let j = from; j < to; j += lanes<f64>()) {
    const at = <usize>j * 8;
    const product = f64x2.mul(f, v128.load(other + at));
    v128.store(row + at, f64x2.sub(v128.load(row + at), product));
  }
}
