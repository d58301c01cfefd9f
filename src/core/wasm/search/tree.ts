// The room of a box tree, and how it is made, in calls of a few milliseconds. See assembly/tree.ts.
import type { PointSet, TreePlan } from '../../backend.js';
import { inBlocks, type Steps, type Work, within } from '../../steps.js';
import { PANEL_WIDTH } from '../contract.js';
import { layOut } from '../memory/layout.js';
import { layOutPoints } from '../memory/row-storage.js';
import { type Maker, makePanels } from './panels.js';
import type { Searchable } from './search.js';

/** Points that are put in order in one call, and what that takes for each. */
const CALL_POINTS = 2 ** 14;
const KEY_BYTES = 12;
/** Up to so many columns there are as many axes; where there are more, they are fewer. */
const MOST_AXES = 20;
const USUAL_AXES = 16;
/** The largest number of a point, in bits beside its unit: the square of a difference is far from the largest f32. */
const BITS = 48;

export function axisCount(columns: number): number {
  return columns <= MOST_AXES ? columns : USUAL_AXES;
}

/** Room for rows and their tree. */
function layOutTree(count: number, columns: number, bytes: number, axes: number) {
  return layOut(treeParts(count, columns, bytes, axes));
}

/** The same for rows that are compared in panels, which take the place of those of the tree when there are boxes. */
function layOutOrdered(count: number, columns: number, bytes: number, axes: number) {
  const { leaves, ...parts } = treeParts(count, columns, bytes, axes);
  const padded = Math.ceil(count / PANEL_WIDTH) * PANEL_WIDTH;
  const { total, at } = layOut({
    ...parts,
    panels: Math.max(leaves, padded * Math.ceil(columns / 2) * 4),
    weights: padded * 4,
    constants: padded * 4,
  });
  return {
    total,
    at: (start: number) => {
      const places = at(start);
      return { ...places, leaves: places.panels };
    },
  };
}

function treeParts(count: number, columns: number, bytes: number, axes: number) {
  const width = axes + (axes < columns ? 1 : 0);
  const panels = Math.ceil(count / PANEL_WIDTH);
  let groups = 0;
  for (let nodes = panels; ; ) {
    nodes = Math.ceil(nodes / PANEL_WIDTH);
    groups += nodes;
    if (nodes === 1) break;
  }
  return {
    points: count * columns * bytes,
    order: count * 4,
    leaves: panels * PANEL_WIDTH * width * 4,
    boxes: groups * width * 128,
    leasts: groups * PANEL_WIDTH * 4,
    axes: axes * columns * 8,
    centre: columns * 8,
    line: lineSize(columns),
  };
}

/** Room for points with what their search needs. */
export function layOutHeld(
  points: Pick<PointSet, 'count' | 'columns' | 'tree'> & { readonly isByKernel: boolean },
  bytes: number,
) {
  const { count, columns, tree, isByKernel } = points;
  if (tree === undefined) return layOutPoints(count, columns, bytes, isByKernel);
  return (tree.isJoined ? layOutOrdered : layOutTree)(count, columns, bytes, tree.axes.length / columns);
}

/** In which place of an order each point is. */
export function placesIn(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  for (const [place, index] of order.entries()) places[index] = place;
  return places;
}

/** Writes the axes and the centre of a tree, if there is one. */
export function writePlan({ tree, core, searchCall }: Pick<PointSet, 'tree'> & Searchable): void {
  if (tree === undefined) return;
  core.arena.reals.set(tree.axes, searchCall.axes / 8);
  core.arena.reals.set(tree.centre, searchCall.centre / 8);
}

/** Room that every thread needs for itself. */
export function lineSize(columns: number): number {
  return Math.max(columns * 8, PANEL_WIDTH * widthOf(columns) * 4);
}

/** Numbers of a point in the tree. */
function widthOf(columns: number): number {
  return Math.min(columns, axisCount(columns) + 1);
}

/** Makes what is planned of points that are in memory, with its axes and centre. Tells how far it is. */
export function makeTree(maker: Maker, plan: TreePlan): Steps<void> {
  return plan.isJoined ? makeOrderedPanels(maker) : growTree(maker);
}

function* growTree(maker: Maker): Steps<void> {
  const { loops, searchCall, call, step } = maker;
  const { count, columns } = searchCall;
  searchCall.unit = 0;
  yield* inBlocks(count, columns, (from, to) => step(() => loops.measureWidth(call, from, to)), [0, 0.08]);
  const bits = Math.floor(Math.log2(searchCall.unit)) - BITS;
  searchCall.unit = searchCall.unit === 0 ? 1 : 2 ** Math.max(-900, bits);
  const project = (from: number, to: number) => step(() => loops.projectPoints(call, from, to));
  yield* inBlocks(count, 4 * columns, project, [0.08, 0.35]);
  yield* halve(maker, 0, count, [0.35, 0.9]);
  const panels = Math.ceil(count / PANEL_WIDTH);
  const pack = (from: number, to: number) => step(() => loops.packLeaves(call, from, to));
  yield* inBlocks(panels, PANEL_WIDTH * columns, pack, [0.9, 0.95]);
  step(() => loops.boundNodes(call));
}

/** Puts points in order and makes panels of them, with boxes around these. */
function* makeOrderedPanels(maker: Maker): Steps<void> {
  const { loops, searchCall, call, step } = maker;
  yield* within(growTree(maker), 0, 0.7);
  const { unit } = searchCall;
  yield* within(makePanels(maker), 0.7, 1);
  step(() => loops.scaleBoxes(call, unit / searchCall.unit));
}

/** Halves a range of points, and then its halves while they are too large for one call. */
function* halve(maker: Maker, from: number, to: number, [before, after]: Work['progress']): Steps<void> {
  const { loops, searchCall, call, step, arena } = maker;
  const points = to - from;
  if (points <= CALL_POINTS) {
    const room = arena.allocate(points * KEY_BYTES);
    searchCall.keys = room.start;
    step(() => loops.orderPlaces(call, from, to));
    arena.free(room);
    yield after;
    return;
  }
  let middle = 0;
  step(() => {
    middle = loops.halve(call, from, to);
  });
  if (middle === 0) return; // all are equal, or were moved out meanwhile
  // Each halving takes about as long as the next one of both halves, down to single panels.
  const halved = before + (after - before) / Math.log2(points / PANEL_WIDTH);
  const between = halved + ((after - halved) * (middle - from)) / points;
  yield halved;
  yield* halve(maker, from, middle, [halved, between]);
  yield* halve(maker, middle, to, [between, after]);
}
