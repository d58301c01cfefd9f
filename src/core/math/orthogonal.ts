// Householder reflections H = I − 2vvᵀ and plane rotations, the building blocks of matrix decompositions.

/** Turns x, from its entry j, into the v of H = I − 2vvᵀ with ‖v‖ = 1, or 0 for the identity. */
export function makeReflector(x: Float64Array, j: number, negligible: number): boolean {
  const length = norm(x, j);
  x.fill(0, 0, j);
  if (length <= negligible) {
    x.fill(0);
    return false;
  }
  x[j] = (x[j] as number) + ((x[j] as number) < 0 ? -length : length);
  const scale = norm(x, j);
  for (let i = j; i < x.length; i++) x[i] = (x[i] as number) / scale;
  return true;
}

/** x becomes Hx, as far as H changes it: from an entry on. */
export function reflect(x: Float64Array, v: Float64Array, from: number): void {
  const product = dot(x, v, from);
  for (let i = from; i < x.length; i++) x[i] = (x[i] as number) - 2 * product * (v[i] as number);
}

/** The norm of the entries from an index on; scaled, so that squares of tiny entries do not underflow. */
export function norm(x: Float64Array, from: number): number {
  let largest = 0;
  for (let i = from; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i] as number));
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = from; i < x.length; i++) sum += ((x[i] as number) / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/** (a, b) becomes (ca − sb, sa + cb). */
export function rotate(a: Float64Array, b: Float64Array, c: number, s: number): void {
  for (let j = 0; j < a.length; j++) {
    const x = a[j] as number;
    const y = b[j] as number;
    a[j] = c * x - s * y;
    b[j] = s * x + c * y;
  }
}

/** The inner product of the entries from an index on. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>, from: number): number {
  let sum = 0;
  for (let j = from; j < a.length; j++) sum += (a[j] as number) * (b[j] as number);
  return sum;
}
