// How many cells a landscape has across: coarse at first, then as many as can be had in about a second.
import type { MethodName } from './methods.js';

export function cellsAcross(rows: number, method: MethodName): readonly number[] {
  if (rows <= 3000) return method === 'cad' ? [120, 400] : [60, 200];
  if (rows <= 30_000) return [40, 100];
  return rows <= 200_000 ? [30] : [];
}
