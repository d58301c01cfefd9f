// In which order a search takes the points: in blocks of panels that stay in the cache, one after the other
// by a step of about the golden ratio, so that all parts of the data are met early.
import type { Frame } from './frame.js';

/** Panels that all queries go over together after the first time: what fits the first-level cache. */
const USUAL_VISIT = 16;
/** Lines of a panel that fit the first-level cache. */
const CACHED_LINES = 256;
/** Query × point × column products in one call: a few milliseconds. */
const CALL = 5e7;

/** Which blocks are visited, as a frame has it. */
export type Visits = Pick<Frame, 'firstBlock' | 'blocks' | 'blockStep'>;

/** Panels of so many lines that fit the cache together. */
export function cachedPanels(lines: number): number {
  return Math.max(1, Math.min(USUAL_VISIT, Math.floor(CACHED_LINES / lines)));
}

/** Visits to some blocks. */
export function planVisits(firstBlock: number, blocks: number): Visits {
  let blockStep = Math.max(1, Math.round(blocks * 0.618));
  while (greatestCommonDivisor(blockStep, blocks) > 1) blockStep++;
  return { firstBlock, blocks, blockStep };
}

/** The block of a visit. */
export function blockOf({ firstBlock, blocks, blockStep }: Visits, visit: number): number {
  return firstBlock + ((visit * blockStep) % blocks);
}

/** Visits from … to − 1 in calls of a few milliseconds. `products` is what one visit costs. */
export function inCalls(from: number, to: number, products: number, call: (from: number, to: number) => void): void {
  const visits = Math.max(1, Math.floor(CALL / products));
  for (let visit = from; visit < to; visit += visits) call(visit, Math.min(visit + visits, to));
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
