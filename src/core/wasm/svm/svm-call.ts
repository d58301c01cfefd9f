// The record of calls for the one-class support vector machine, and the panels of its points: eight points per panel, a
// line of eight f64 per column.
import { type SvmKernel, squaresOf } from '../../svm/problem.js';
import { SVM_PANEL_WIDTH, type SvmCall as SvmCallLayout } from '../contract.js';
import type { Arena } from '../memory/arena.js';
import type { Fields } from '../memory/record.js';
import { kernelNumber } from '../search/search-call.js';

export type SvmCall = Fields<typeof SvmCallLayout>;

/** Lines of panels that fit the first-level cache beside the queries. */
const CACHED_LINES = 256;

export function padded(count: number): number {
  return Math.ceil(count / SVM_PANEL_WIDTH) * SVM_PANEL_WIDTH;
}

/** The fields for rows and a kernel, without addresses. */
export function callFor(kernel: SvmKernel, count: number, columns: number): SvmCall {
  return {
    gamma: kernel.gamma,
    coef0: kernel.coef0,
    degree: kernel.degree,
    kernel: kernelNumber(kernel.name),
    isByDifferences: kernel.isByDifferences ? 1 : 0,
    unit: kernel.unit,
    count,
    columns,
    chunk: Math.max(1, Math.floor(CACHED_LINES / columns)),
    ...{ tolerance: 0, gap: 0, bestGap: 0, iterations: 0, gainedAt: 0, patience: 0, growing: 0, shrinking: 0 },
    ...{ panels: 0, squares: 0, coefficients: 0, gradients: 0, diagonal: 0 },
    ...{ queries: 0, pairs: 0, querySquares: 0, sums: 0, tile: 0 },
    ...{ rows: 0, slots: 0, slotsUsed: 0, slotOf: 0, pointOf: 0, lastUses: 0, clock: 0 },
    ...{ support: 0, supportCount: 0, evenSums: 0, oddSums: 0 },
  };
}

/** Copies rows to panels, with zeros at the end of the last one, and computes x·x of each. */
export function fillPanels(arena: Arena, call: SvmCall, rows: Float64Array): void {
  const { count, columns } = call;
  const { reals } = arena;
  const panels = call.panels / 8;
  reals.fill(0, panels, panels + padded(count) * columns);
  for (let i = 0; i < count; i++) {
    const to = panels + Math.floor(i / SVM_PANEL_WIDTH) * SVM_PANEL_WIDTH * columns + (i % SVM_PANEL_WIDTH);
    for (let j = 0; j < columns; j++) reals[to + j * SVM_PANEL_WIDTH] = rows[i * columns + j] as number;
  }
  reals.fill(0, call.squares / 8, call.squares / 8 + padded(count));
  reals.set(squaresOf(rows, columns), call.squares / 8);
}

/** The rows read back from panels. */
export function readPanels(arena: Arena, call: SvmCall): Float64Array {
  const { count, columns } = call;
  const rows = new Float64Array(count * columns);
  const panels = call.panels / 8;
  for (let i = 0; i < count; i++) {
    const from = panels + Math.floor(i / SVM_PANEL_WIDTH) * SVM_PANEL_WIDTH * columns + (i % SVM_PANEL_WIDTH);
    for (let j = 0; j < columns; j++) rows[i * columns + j] = arena.reals[from + j * SVM_PANEL_WIDTH] as number;
  }
  return rows;
}
