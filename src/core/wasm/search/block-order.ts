// The order in which a search scans blocks of panels. Blocks stay in the cache, and the step from one block to the
// next is about the golden ratio of their number, so that all parts of the data are seen early.
import type { SearchCall } from './search-call.js';

/** Panels that all queries scan together after the first step: what fits the first-level cache. */
const STEP_PANELS = 16;
/** Lines of a panel that fit the first-level cache. */
const CACHED_LINES = 256;
/** Query × point × column products in one call: a few milliseconds. */
const CALL_PRODUCTS = 5e7;

/** Which blocks are scanned, and in which order. */
export type BlockOrder = Pick<SearchCall, 'firstBlock' | 'blocks' | 'blockStep'>;

/** Panels of so many lines that fit the cache together. */
export function cachedPanels(lines: number): number {
  return Math.max(1, Math.min(STEP_PANELS, Math.floor(CACHED_LINES / lines)));
}

/** An order of some blocks. */
export function orderBlocks(firstBlock: number, blocks: number): BlockOrder {
  let blockStep = Math.max(1, Math.round(blocks * 0.618));
  while (greatestCommonDivisor(blockStep, blocks) > 1) blockStep++;
  return { firstBlock, blocks, blockStep };
}

/** The block at a place of the order. */
export function blockAt({ firstBlock, blocks, blockStep }: BlockOrder, place: number): number {
  return firstBlock + ((place * blockStep) % blocks);
}

/** Scans blocks from … to − 1 in calls of a few milliseconds. `products` is the cost of one block. */
export function inCalls(from: number, to: number, products: number, call: (from: number, to: number) => void): void {
  const blocks = Math.max(1, Math.floor(CALL_PRODUCTS / products));
  for (let first = from; first < to; first += blocks) call(first, Math.min(first + blocks, to));
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
