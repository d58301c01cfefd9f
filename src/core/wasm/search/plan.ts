// Which search is used: a tree, where most points can be left out unseen, or a look at all of them. That depends on the
// shape of the rows, so it is tried: a few queries in trees of samples tell how the effort grows with the rows. What is
// counted are steps, not time, so that the same rows are always searched in the same way.
import type { HoldingCosts, SearchKind, TreePlan } from '../../backend.js';
import type { RowSource } from '../../input/matrix.js';
import { distanceOf, type Kernel } from '../../kernel.js';
import { inBlocks, type Steps } from '../../steps.js';
import { axesOf, type Sample } from './axes.js';
import { axisCount } from './tree.js';

/** Fewer rows, in all or for each column, are looked at sooner than a tree is made. */
const FEWEST = 1024;
const FEWEST_PER_COLUMN = 128;
/** Queries that try a tree. */
export const PROBES = 32;
/** Rows of the larger sample, and how many times as many they are as those of the smaller. */
const SAMPLE = 2048;
const GROWTH = 4;
/** With what power of the rows effort usually grows, where it is little. */
const USUAL_EXPONENT = 0.25;
/** Rows that axes are found from, where rows are few, and where they are many. */
const FEW_FOR_AXES = 256;
const MANY_FOR_AXES = 1024;
const MANY = 2 ** 15;
/** Where less of the rows lies along the axes, the rest is too long for a tree. */
const LEAST_ALONG = 0.7;
/**
 * Where no tree helps points may still be put in order, so that most pairs of panels are too far apart to be compared. Few
 * axes are enough for that if nearly all lies along them. More points than so many would not be joined at once.
 */
const ORDERING_AXES = 4;
const LEAST_ALONG_FEW = 0.8;
const MOST_ORDERED = 2 ** 14;
const PER_ORDERED_QUERY = 1200;
const PER_ORDERED_VALUE = 0.012;
/** What a look at all points costs a query that is a point, in nanoseconds: once, and for each value of a point. */
const PER_QUERY = 1000;
const PER_VALUE = 0.033;
/** What it costs to hold a value: to scale and pack it, and in a tree. */
const PER_HELD_VALUE = 25;
const PER_TREE_VALUE = 90;
/** What counts as a value where the sum over columns is compared. */
const COMPARISON = 8;

/** What a query costs in a tree of some rows. */
export type Effort = (rows: RowSource, tree: TreePlan) => number;

/** A tree or an order, or undefined where all points are to be looked at. */
export function* chooseSearch(
  rows: RowSource,
  kernel: Kernel,
  share: number,
  effortOf: Effort,
): Steps<TreePlan | undefined> {
  const { rows: count, columns } = rows;
  if (distanceOf(kernel.name) === 'kernel' || count < Math.max(FEWEST, FEWEST_PER_COLUMN * columns)) return undefined;
  const forAxes = yield* sampleOf(rows, count < MANY ? FEW_FOR_AXES : MANY_FOR_AXES);
  const { along, ...axes } = axesOf(forAxes, kernel.name === 'laplacian');
  if (along(axisCount(columns)) < LEAST_ALONG) return undefined;
  yield;
  const most = lookCost(count, columns);
  const isOrderly = count <= MOST_ORDERED && along(ORDERING_AXES) >= LEAST_ALONG_FEW;
  const otherwise = isOrderly ? orderedPlan(axes, columns, orderedCost(count, columns)) : undefined;
  const plan = { ...axes, share, effort: most };
  // A tree takes longer to make than panels do, and has to save more than that.
  const allowed = most - (PER_TREE_VALUE - PER_HELD_VALUE) * columns;
  const sample = yield* sampleOf(rows, Math.min(SAMPLE, count / GROWTH));
  yield;
  const effort = effortOf(sourceOf(sample), plan);
  const growth = count / sample.rows;
  if (effort > allowed) return otherwise;
  // Effort grows at most as rows do: a second try is needed only where that is not little enough.
  if (effort * growth <= allowed) return { ...plan, effort: effort * growth ** USUAL_EXPONENT };
  const fewer = effortOf(sourceOf(thinned(sample)), plan);
  const exponent = Math.max(0, Math.log(effort / fewer) / Math.log(GROWTH));
  const expected = effort * growth ** exponent;
  return expected < allowed ? { ...plan, effort: expected } : otherwise;
}

/** Only an order, by the leading axes. */
function orderedPlan({ centre, axes }: Pick<TreePlan, 'centre' | 'axes'>, columns: number, effort: number): TreePlan {
  return { centre, axes: axes.slice(0, ORDERING_AXES * columns), share: 1, effort, isJoined: true };
}

/** What a look at all points costs a query that is a point. */
function lookCost(count: number, columns: number): number {
  return PER_QUERY + PER_VALUE * count * (columns + COMPARISON);
}

/** What a query costs among points in order, which are compared with about half of the others. */
function orderedCost(count: number, columns: number): number {
  return PER_ORDERED_QUERY + PER_ORDERED_VALUE * count * (columns + COMPARISON);
}

/** What it costs to hold points and to search them. */
export function costsOf(plan: TreePlan | undefined, count: number, columns: number): HoldingCosts {
  const holding = count * columns * (plan === undefined ? PER_HELD_VALUE : PER_TREE_VALUE);
  return { holding, searching: count * (plan?.effort ?? lookCost(count, columns)) };
}

/** The same where it is known which search is used. */
export function* planSearch(
  rows: RowSource,
  kernel: Kernel,
  kind: SearchKind,
  share: number,
): Steps<TreePlan | undefined> {
  if (kind === 'exhaustive' || distanceOf(kernel.name) === 'kernel') return undefined;
  const { centre, axes } = axesOf(yield* sampleOf(rows, FEW_FOR_AXES), kernel.name === 'laplacian');
  return kind === 'ordered' ? orderedPlan({ centre, axes }, rows.columns, 0) : { centre, axes, share, effort: 0 };
}

/**
 * The share of the limit beyond which boxes are left out, where distances may be too large by a share ε: the limit is
 * that of a distance r or its square, and what is left out is farther than r/(1 + ε). So if the j-th distance that is
 * reported were more than 1 + ε times the true one, one of the true j nearest was left out while the k-th distance was
 * at least the reported j-th one; it would be farther than that over 1 + ε, which is more than the true j-th: it is not.
 */
export function shareOf(epsilon: number, kernel: Kernel): number {
  return (1 + epsilon) ** (kernel.name === 'laplacian' ? -1 : -2);
}

/** Rows in even distances. */
function* sampleOf(source: RowSource, most: number): Steps<Sample> {
  const { columns } = source;
  const rows = Math.floor(Math.min(source.rows, most));
  const flat = new Float64Array(rows * columns);
  yield* inBlocks(rows, columns, (from, to) => {
    for (let i = from; i < to; i++) source.read(Math.floor((i * source.rows) / rows), flat, i * columns);
  });
  return { flat, rows, columns };
}

/** One of so many rows. */
function thinned({ flat, rows, columns }: Sample): Sample {
  const few = new Float64Array(Math.ceil(rows / GROWTH) * columns);
  for (let at = 0; at < few.length; at += columns) few.set(flat.subarray(at * GROWTH, at * GROWTH + columns), at);
  return { flat: few, rows: few.length / columns, columns };
}

function sourceOf({ flat, rows, columns }: Sample): RowSource {
  const read = (row: number, into: Float64Array, at: number): void =>
    into.set(flat.subarray(row * columns, (row + 1) * columns), at);
  return { rows, columns, read };
}
