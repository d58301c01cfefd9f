// The neighbours of one block of queries after the other, in calls of a few milliseconds: there could be no
// progress otherwise, and V8 cannot switch to its optimised code inside a running call.
import { POINTS, type Queries } from '../backend.js';
import type { RowSource } from '../matrix.js';
import { type Exports, NONE } from './contract.js';
import type { Core } from './core.js';
import { FRAME, type Frame } from './frame.js';
import { inCalls } from './visits.js';

/** Points to search, as a call into WebAssembly sees them. */
export interface Searchable {
  readonly core: Core;
  readonly loops: Exports;
  readonly frame: Frame;
  readonly isByKernel: boolean;
  /** Multiplications a query costs for each panel. */
  readonly perPanel: number;
}

/** What is done with a block of queries whose neighbours were found. */
export type Finish = (first: number, count: number) => void;

/** Finds the neighbours of `count` queries from `first` on. */
export function searchBlock(points: Searchable, queries: Queries, first: number, count: number): void {
  const { core, loops, frame } = points;
  frame.queries = count;
  frame.firstQuery = first;
  core.frame.write(frame);
  if (queries === POINTS) loops.queryPoints(FRAME, first);
  else copyIn(points, queries, first);
  if (frame.order > 0) {
    loops.searchTree(FRAME);
    return;
  }
  if (queries === POINTS && !points.isByKernel) loops.packOwnQueries(FRAME);
  else loops.packQueries(FRAME);
  loops.clearCandidates(FRAME);
  sweep(points, loops.collect);
  loops.measureCandidates(FRAME);
  if (loops.settle(FRAME) > 0) measureOpen(points);
}

/** Takes the queries over all blocks of the frame, or those of visits from … to − 1. */
export function sweep(points: Searchable, pass: Exports['collect'], from = 0, to = points.frame.blocks): void {
  const { frame, perPanel } = points;
  inCalls(from, to, frame.queries * frame.blockPanels * perPanel, (visit, end) => pass(FRAME, visit, end));
}

/** The second pass: for queries that may have nearer neighbours than those that were collected. */
export function measureOpen(points: Searchable): void {
  sweep(points, points.loops.measure);
  points.loops.settleOpen(FRAME);
}

/** Copies the k neighbours of `count` queries that were found to lists, from position `at`. */
export function copyNeighbors(
  { core, frame }: Searchable,
  count: number,
  { indices, distances }: { indices: Uint32Array; distances: Float64Array },
  at: number,
  k: number,
): void {
  const { words, reals } = core.arena;
  for (let query = 0; query < count; query++) {
    const slot = query * frame.slots;
    const fromIndex = frame.indices / 4 + slot;
    const fromDistance = frame.distances / 8 + slot;
    for (let a = 0; a < k; a++, at++) {
      indices[at] = words[fromIndex + a] as number;
      distances[at] = reals[fromDistance + a] as number;
    }
  }
}

function copyIn({ core, frame }: Searchable, queries: RowSource, first: number): void {
  const { reals, words } = core.arena;
  const rows = frame.rows / 8;
  const selves = frame.selves / 4;
  for (let query = 0; query < frame.queries; query++) {
    queries.read(first + query, reals, rows + query * frame.columns);
    words[selves + query] = NONE;
  }
}
