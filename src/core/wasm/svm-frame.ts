// The record that calls of the one-class support vector machine work on, written as assembly/svm-frame.ts
// declares it, and the panels in which its points lie: eight points a panel, a line of eight f64 a column.
import { KERNEL_NAMES } from '../kernel.js';
import { type SvmKernel, squaresOf } from '../svm-problem.js';
import type { Arena } from './arena.js';

const REALS = ['gamma', 'coef0', 'unit', 'tolerance', 'gap', 'bestGap'] as const;

// biome-ignore format: one line a group, as in assembly/svm-frame.ts
const INTEGERS = [
  'kernel', 'degree', 'isByDifferences',
  'panels', 'squares', 'count', 'columns', 'chunk',
  'coefficients',
  'queries', 'pairs', 'querySquares', 'sums', 'tile',
  'gradients', 'diagonal',
  'rows', 'slots', 'slotsUsed', 'slotOf', 'pointOf', 'lastUses', 'clock',
  'growing', 'shrinking', 'iterations', 'gainedAt', 'patience',
  'support', 'supportCount', 'evenSums', 'oddSums',
] as const;

export type SvmFrame = Record<(typeof REALS)[number] | (typeof INTEGERS)[number], number>;

/** Bytes of the record. */
export const FRAME_SIZE = 8 * REALS.length + 4 * INTEGERS.length;
export const PANEL = 8;
/** Lines of panels that fit the nearest cache beside the queries. */
const CACHED_LINES = 256;

/** The loops of assembly/kernel-panels.ts and assembly/smo.ts; a frame is its address. */
export interface SvmLoops {
  readonly sumKernels: (frame: number, from: number, to: number) => void;
  readonly prepareDiagonal: (frame: number) => void;
  readonly keepSupport: (frame: number, from: number, to: number) => void;
  readonly touchSupport: (frame: number) => void;
  readonly sumKernelRows: (frame: number, from: number, to: number) => void;
  readonly startSmo: (frame: number) => void;
  readonly iterateSmo: (frame: number, limit: number, budget: number) => number;
}

export function padded(count: number): number {
  return Math.ceil(count / PANEL) * PANEL;
}

/** A frame for rows and a kernel; addresses are still to come. */
export function frameFor(kernel: SvmKernel, count: number, columns: number): SvmFrame {
  const frame = Object.fromEntries([...REALS, ...INTEGERS].map((name) => [name, 0])) as SvmFrame;
  return Object.assign(frame, {
    gamma: kernel.gamma,
    coef0: kernel.coef0,
    degree: kernel.degree,
    kernel: KERNEL_NAMES.indexOf(kernel.name),
    isByDifferences: kernel.isByDifferences ? 1 : 0,
    unit: kernel.unit,
    count,
    columns,
    chunk: Math.max(1, Math.floor(CACHED_LINES / columns)),
  });
}

export function writeSvmFrame(arena: Arena, at: number, frame: SvmFrame): void {
  const { reals, words } = arena;
  for (let i = 0; i < REALS.length; i++) reals[at / 8 + i] = frame[REALS[i] as (typeof REALS)[number]];
  const first = at / 4 + 2 * REALS.length;
  for (let i = 0; i < INTEGERS.length; i++) words[first + i] = frame[INTEGERS[i] as (typeof INTEGERS)[number]];
}

/** A field of a frame in memory that the module itself changes. */
export function readField(arena: Arena, at: number, name: (typeof INTEGERS)[number]): number {
  return arena.words[at / 4 + 2 * REALS.length + INTEGERS.indexOf(name)] as number;
}

/** Copies rows into panels, the rest of the last one zero, and x·x of each beside them. */
export function fillPanels(arena: Arena, frame: SvmFrame, rows: Float64Array): void {
  const { count, columns } = frame;
  const { reals } = arena;
  const panels = frame.panels / 8;
  reals.fill(0, panels, panels + padded(count) * columns);
  for (let i = 0; i < count; i++) {
    const to = panels + Math.floor(i / PANEL) * PANEL * columns + (i % PANEL);
    for (let j = 0; j < columns; j++) reals[to + j * PANEL] = rows[i * columns + j] as number;
  }
  reals.fill(0, frame.squares / 8, frame.squares / 8 + padded(count));
  reals.set(squaresOf(rows, columns), frame.squares / 8);
}

/** The rows in panels. */
export function readPanels(arena: Arena, frame: SvmFrame): Float64Array {
  const { count, columns } = frame;
  const rows = new Float64Array(count * columns);
  const panels = frame.panels / 8;
  for (let i = 0; i < count; i++) {
    const from = panels + Math.floor(i / PANEL) * PANEL * columns + (i % PANEL);
    for (let j = 0; j < columns; j++) rows[i * columns + j] = arena.reals[from + j * PANEL] as number;
  }
  return rows;
}
