// What is made of the neighbours of a block of queries, and where it goes: the row of a query, or the one its order says.
import type { FoundNeighbors, PointSet } from '../../backend.js';
import { copyNeighbors, copyValues, type Finish, type Searchable } from './search.js';

/** What the core makes of neighbours. */
type Loop = 'curvature' | 'kernelCurvature' | 'sharpness' | 'gradient';

/** Takes neighbours over into lists that begin with query `from`. */
export function toNeighbors(points: Searchable, from: number, k: number, into: FoundNeighbors): Finish {
  return (first, count, order) =>
    copyNeighbors(points, count, into, (query) => order?.[query] ?? first - from + query, k);
}

/** Makes a score of the neighbours of each query, in the feature space of the kernel of the points. */
export function toCurvature(points: Searchable & Pick<PointSet, 'kernel'>, from: number, scores: Float64Array): Finish {
  return toValues(points, points.kernel.name === 'linear' ? 'curvature' : 'kernelCurvature', from, scores);
}

/** Makes a value, or a row of them, of the neighbours of each query. */
export function toValues(points: Searchable, loop: Loop, from: number, values: Float64Array): Finish {
  return (first, count, order) => {
    points.loops[loop](points.core.call);
    const { scores, gradients, columns } = points.searchCall;
    const [at, width] = loop === 'gradient' ? [gradients, columns] : [scores, 1];
    copyValues(points, at, [count, width], values, (query) => order?.[query] ?? first - from + query);
  };
}

/** Answers in places as those of the points that are there. */
export function inOrder({ core, searchCall }: Searchable, finish: Finish): Finish {
  return (first, count) => {
    const at = searchCall.order / 4 + first;
    finish(first, count, core.arena.words.subarray(at, at + count));
  };
}
