// The arithmetic of a dense network, two numbers at a time. Matrices lie row after row with rows padded by
// zeros to a multiple of four numbers; padding stays zero through every step, so no loop has a rest.
// All addresses and strides are in bytes.

/** C = A B for A of m × k and B of k × n; the entry (i, l) of A lies at a + i aRow + l aColumn. */
export function multiply(m: i32, n: i32, k: i32, a: usize, aRow: usize, aColumn: usize, b: usize, c: usize): void {
  const row = (<usize>n) << 3;
  let i = 0;
  for (; i + 4 <= m; i += 4) {
    for (let j: usize = 0; j < row; j += 32) {
      tile(k, a + i * aRow, aRow, aColumn, b + j, row, c + i * row + j);
    }
  }
  for (; i < m; i++) {
    for (let j: usize = 0; j < row; j += 32) strip(k, a + i * aRow, aColumn, b + j, row, c + i * row + j);
  }
}

/** Four rows and four columns of C: eight sums that stay in registers. */
@inline
function tile(k: i32, a: usize, aRow: usize, aColumn: usize, b: usize, row: usize, c: usize): void {
  let c00 = f64x2.splat(0),
    c01 = f64x2.splat(0);
  let c10 = f64x2.splat(0),
    c11 = f64x2.splat(0);
  let c20 = f64x2.splat(0),
    c21 = f64x2.splat(0);
  let c30 = f64x2.splat(0),
    c31 = f64x2.splat(0);
  const a1 = aRow,
    a2 = aRow << 1,
    a3 = a1 + a2;
  for (let l = 0; l < k; l++) {
    const b0 = v128.load(b),
      b1 = v128.load(b, 16);
    let x = v128.load64_splat(a);
    c00 = f64x2.add(c00, f64x2.mul(x, b0));
    c01 = f64x2.add(c01, f64x2.mul(x, b1));
    x = v128.load64_splat(a + a1);
    c10 = f64x2.add(c10, f64x2.mul(x, b0));
    c11 = f64x2.add(c11, f64x2.mul(x, b1));
    x = v128.load64_splat(a + a2);
    c20 = f64x2.add(c20, f64x2.mul(x, b0));
    c21 = f64x2.add(c21, f64x2.mul(x, b1));
    x = v128.load64_splat(a + a3);
    c30 = f64x2.add(c30, f64x2.mul(x, b0));
    c31 = f64x2.add(c31, f64x2.mul(x, b1));
    a += aColumn;
    b += row;
  }
  v128.store(c, c00);
  v128.store(c, c01, 16);
  v128.store(c + row, c10);
  v128.store(c + row, c11, 16);
  v128.store(c + 2 * row, c20);
  v128.store(c + 2 * row, c21, 16);
  v128.store(c + 3 * row, c30);
  v128.store(c + 3 * row, c31, 16);
}

/** One row and four columns of C. */
@inline
function strip(k: i32, a: usize, aColumn: usize, b: usize, row: usize, c: usize): void {
  let c0 = f64x2.splat(0),
    c1 = f64x2.splat(0);
  for (let l = 0; l < k; l++) {
    const x = v128.load64_splat(a);
    c0 = f64x2.add(c0, f64x2.mul(x, v128.load(b)));
    c1 = f64x2.add(c1, f64x2.mul(x, v128.load(b, 16)));
    a += aColumn;
    b += row;
  }
  v128.store(c, c0);
  v128.store(c, c1, 16);
}

/** B = Aᵀ for A of m × n; rows of A are aRow and rows of B bRow bytes long. */
export function transpose(m: i32, n: i32, a: usize, aRow: usize, b: usize, bRow: usize): void {
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      f64.store(b + j * bRow + ((<usize>i) << 3), f64.load(a + i * aRow + ((<usize>j) << 3)));
    }
  }
}

/** Adds the intercepts to every row; with `rectify`, what is negative becomes 0. */
export function addIntercepts(rows: i32, n: i32, z: usize, intercepts: usize, rectify: bool): void {
  const row = (<usize>n) << 3;
  const zero = f64x2.splat(0);
  for (let i = 0; i < rows; i++) {
    for (let j: usize = 0; j < row; j += 16) {
      const sum = f64x2.add(v128.load(z + j), v128.load(intercepts + j));
      v128.store(z + j, rectify ? f64x2.max(sum, zero) : sum);
    }
    z += row;
  }
}

/** Where h is 0, so becomes delta: the derivative of the rectifier. */
export function rectifyBack(count: i32, delta: usize, h: usize): void {
  const zero = f64x2.splat(0);
  for (let at: usize = 0, end = (<usize>count) << 3; at < end; at += 16) {
    v128.store(delta + at, v128.and(v128.load(delta + at), f64x2.gt(v128.load(h + at), zero)));
  }
}

/** x −= y */
export function subtract(count: i32, x: usize, y: usize): void {
  for (let at: usize = 0, end = (<usize>count) << 3; at < end; at += 16) {
    v128.store(x + at, f64x2.sub(v128.load(x + at), v128.load(y + at)));
  }
}

/** Σ x² */
export function squares(count: i32, x: usize): f64 {
  let sum = f64x2.splat(0);
  for (let at: usize = 0, end = (<usize>count) << 3; at < end; at += 16) {
    const value = v128.load(x + at);
    sum = f64x2.add(sum, f64x2.mul(value, value));
  }
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** The sum of each column of x. */
export function columnSums(rows: i32, n: i32, x: usize, sums: usize): void {
  const row = (<usize>n) << 3;
  for (let j: usize = 0; j < row; j += 16) {
    let sum = f64x2.splat(0);
    for (let i = 0; i < rows; i++) sum = f64x2.add(sum, v128.load(x + i * row + j));
    v128.store(sums + j, sum);
  }
}

/** gradient = (gradient + alpha · weights) / rows */
export function regularize(count: i32, gradient: usize, weights: usize, alpha: f64, rows: f64): void {
  const alphas = f64x2.splat(alpha),
    divisor = f64x2.splat(rows);
  for (let at: usize = 0, end = (<usize>count) << 3; at < end; at += 16) {
    const sum = f64x2.add(v128.load(gradient + at), f64x2.mul(alphas, v128.load(weights + at)));
    v128.store(gradient + at, f64x2.div(sum, divisor));
  }
}

/** A step of Adam: m and v are the moving means of the gradient and of its square. */
export function adam(
  count: i32,
  weights: usize,
  gradient: usize,
  m: usize,
  v: usize,
  beta1: f64,
  beta2: f64,
  rate: f64,
  epsilon: f64,
): void {
  const keep1 = f64x2.splat(beta1),
    take1 = f64x2.splat(1 - beta1);
  const keep2 = f64x2.splat(beta2),
    take2 = f64x2.splat(1 - beta2);
  const rates = f64x2.splat(rate),
    epsilons = f64x2.splat(epsilon);
  for (let at: usize = 0, end = (<usize>count) << 3; at < end; at += 16) {
    const g = v128.load(gradient + at);
    const first = f64x2.add(f64x2.mul(keep1, v128.load(m + at)), f64x2.mul(take1, g));
    const second = f64x2.add(f64x2.mul(keep2, v128.load(v + at)), f64x2.mul(take2, f64x2.mul(g, g)));
    v128.store(m + at, first);
    v128.store(v + at, second);
    const step = f64x2.div(f64x2.mul(rates, first), f64x2.add(f64x2.sqrt(second), epsilons));
    v128.store(weights + at, f64x2.sub(v128.load(weights + at), step));
  }
}
