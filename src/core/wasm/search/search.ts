// The neighbours of one block of queries after the other, in calls of a few milliseconds: there could be no
// progress otherwise, and V8 cannot switch to its optimised code inside a running call.
import { PLACES, POINTS, type Queries } from '../../backend.js';
import type { RowSource } from '../../input/matrix.js';
import { type Exports, NONE } from '../contract.js';
import type { Core } from '../core.js';
import { inCalls } from './block-order.js';
import type { SearchCall } from './search-call.js';

/** Points to search, as a call into WebAssembly sees them. */
export interface Searchable {
  readonly core: Core;
  readonly loops: Exports;
  readonly searchCall: SearchCall;
  readonly isByKernel: boolean;
  /** The places of points where these lie in an order but are compared in panels. */
  places?(): Uint32Array | undefined;
  /** Multiplications a query costs for each panel. */
  readonly perPanel: number;
}

/** What is done with a block of queries whose neighbours were found: of rows that follow each other, or in an order. */
export type Finish = (first: number, count: number, order?: Uint32Array) => void;

/** Finds the neighbours of `count` queries from `first` on. */
export function searchBlock(points: Searchable, queries: Queries, first: number, count: number): void {
  const { core, loops, searchCall } = points;
  takeIn(points, queries, first, count);
  if (searchCall.order > 0 && searchCall.panels === 0) {
    if (queries === PLACES) loops.searchPlaces(core.call);
    else loops.searchTree(core.call);
    return;
  }
  pack(points, queries);
  loops.clearCandidates(core.call);
  scanBlocks(points, loops.collect);
  loops.measureCandidates(core.call);
  if (loops.verifyCandidates(core.call) > 0) measureOpen(points);
}

/** Makes rows the queries of a call, ready for estimates. */
export function packQueries(points: Searchable, queries: Queries, first: number, count: number): void {
  takeIn(points, queries, first, count);
  pack(points, queries);
}

/** Finds how far the k-th nearest points are, where these are few and lie in panels. */
export function findKthDistances(points: Searchable, queries: Queries, first: number, count: number): void {
  packQueries(points, queries, first, count);
  points.loops.findKthDistances(points.core.call);
}

/** Makes rows the queries of a call. */
function takeIn(points: Searchable, queries: Queries, first: number, count: number): void {
  const { core, loops, searchCall } = points;
  searchCall.queries = count;
  searchCall.firstQuery = first;
  core.searchCall.write(searchCall);
  if (queries === PLACES) loops.queryPlaces(core.call);
  else if (queries === POINTS) queryPoints(points, first, count);
  else copyIn(points, queries, first);
}

function queryPoints(points: Searchable, first: number, count: number): void {
  const { core, loops, searchCall } = points;
  loops.queryPoints(core.call, first);
  const places = points.places?.();
  // Panels know points by their places.
  if (places !== undefined) core.arena.words.set(places.subarray(first, first + count), searchCall.selves / 4);
}

function pack({ core, loops, searchCall, isByKernel }: Searchable, queries: Queries): void {
  if (!isByKernel && queries === (searchCall.order > 0 ? PLACES : POINTS)) loops.packOwnQueries(core.call);
  else loops.packQueries(core.call);
}

/** Scans all blocks of the call for the queries, or the blocks at places from … to − 1 of its order. */
export function scanBlocks(
  points: Searchable,
  pass: Exports['collect'],
  from = 0,
  to = points.searchCall.blocks,
): void {
  const { searchCall, perPanel } = points;
  inCalls(from, to, searchCall.queries * searchCall.blockPanels * perPanel, (first, end) =>
    pass(points.core.call, first, end),
  );
}

/** The second pass: for queries that may have nearer neighbours than those that were collected. */
export function measureOpen(points: Searchable): void {
  scanBlocks(points, points.loops.measure);
  points.loops.listOpenNeighbors(points.core.call);
}

/** Copies the k neighbours of `count` queries that were found to the rows of lists that they have there. */
export function copyNeighbors(
  { core, searchCall }: Searchable,
  count: number,
  { indices, distances }: { indices: Uint32Array; distances: Float64Array },
  rowOf: (query: number) => number,
  k: number,
): void {
  const { words, reals } = core.arena;
  for (let query = 0; query < count; query++) {
    const at = rowOf(query) * k;
    const slot = query * searchCall.slots;
    const fromIndex = searchCall.indices / 4 + slot;
    const fromDistance = searchCall.distances / 8 + slot;
    for (let a = 0; a < k; a++) {
      indices[at + a] = words[fromIndex + a] as number;
      distances[at + a] = reals[fromDistance + a] as number;
    }
  }
}

/** Copies so many values of so many queries from memory to the rows they have in an array. */
export function copyValues(
  { core }: Searchable,
  from: number,
  [count, values]: readonly [number, number],
  to: Float64Array,
  rowOf: (query: number) => number,
): void {
  const { reals } = core.arena;
  for (let query = 0, at = from / 8; query < count; query++, at += values) {
    const result = rowOf(query) * values;
    for (let j = 0; j < values; j++) to[result + j] = reals[at + j] as number;
  }
}

function copyIn({ core, searchCall }: Searchable, queries: RowSource, first: number): void {
  const { reals, words } = core.arena;
  const rows = searchCall.rows / 8;
  const selves = searchCall.selves / 4;
  for (let query = 0; query < searchCall.queries; query++) {
    queries.read(first + query, reals, rows + query * searchCall.columns);
    words[selves + query] = NONE;
  }
}
