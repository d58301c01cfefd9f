// How many cells a landscape has across: coarse at first, then as many as can be had in about a second.
import type { MethodName } from './methods.js';

/** Landscapes of these cost little more for more rows. */
const QUICK: readonly MethodName[] = ['landmark', 'cad', 'knn'];

export function cellsAcross(rows: number, method: MethodName): readonly number[] {
  if (QUICK.includes(method) && rows <= 100_000) return rows <= 30_000 ? [120, 400] : [60, 200];
  if (rows <= 3000) return [60, 200];
  if (rows <= 30_000) return [40, 100];
  return rows <= 200_000 ? [30] : [];
}
