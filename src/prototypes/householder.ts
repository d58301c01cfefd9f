// Householder reflections H = I − 2vvᵀ: what QR decompositions are made of.

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
  let product = 0;
  for (let i = from; i < x.length; i++) product += (x[i] as number) * (v[i] as number);
  for (let i = from; i < x.length; i++) x[i] = (x[i] as number) - 2 * product * (v[i] as number);
}

/** Of the entries from a place on; scaled, so that squares of tiny entries do not vanish. */
export function norm(x: Float64Array, from: number): number {
  let largest = 0;
  for (let i = from; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i] as number));
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = from; i < x.length; i++) sum += ((x[i] as number) / largest) ** 2;
  return largest * Math.sqrt(sum);
}
