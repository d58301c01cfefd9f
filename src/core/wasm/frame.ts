// The record a call into WebAssembly works on: the fields of assembly/frame.ts, in the same order.
import type { Arena } from './arena.js';

const REALS = ['gamma', 'coef0', 'unit'] as const;

// biome-ignore format: one line a group, as in assembly/frame.ts
const INTEGERS = [
  'points', 'bytes', 'panels', 'weights', 'constants', 'diagonal', 'order', 'borders', 'count', 'columns',
  'blockPanels', 'firstBlock', 'blocks', 'blockStep', 'visitPanels',
  'queries', 'rows', 'pairs', 'norms', 'scales', 'selves', 'reaches', 'firstQuery', 'firstPoint',
  'neighbors', 'candidates', 'slots',
  'bounds', 'counts', 'found',
  'sizes', 'distances', 'indices',
  'partials', 'estimates', 'promising',
  'scores', 'gradients', 'edges', 'edgeWeights',
  'kernel', 'degree',
] as const;

export type Frame = Record<(typeof REALS)[number] | (typeof INTEGERS)[number], number>;

/** Where the frame lies: the first kilobyte is never allocated. */
export const FRAME = 64;

export const EMPTY_FRAME = Object.fromEntries([...REALS, ...INTEGERS].map((name) => [name, 0])) as Readonly<Frame>;

export function writeFrame(arena: Arena, frame: Frame): void {
  const { reals, words } = arena;
  for (let i = 0; i < REALS.length; i++) reals[FRAME / 8 + i] = frame[REALS[i] as (typeof REALS)[number]];
  const first = FRAME / 4 + 2 * REALS.length;
  for (let i = 0; i < INTEGERS.length; i++) words[first + i] = frame[INTEGERS[i] as (typeof INTEGERS)[number]];
}

/** `unit` is the one field the module itself sets. */
export function readUnit(arena: Arena): number {
  return arena.reals[FRAME / 8 + REALS.indexOf('unit')] as number;
}
