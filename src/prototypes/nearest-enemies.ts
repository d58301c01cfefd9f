// The distance of each point to the nearest one of another class. Most points have an enemy among their
// nearest neighbours; the others are searched for among all points of other classes, class by class.

import type { Backend } from '../core/backend.js';
import { inBlocks, type Steps, within } from '../core/steps.js';
import { HeldPoints } from './held-points.js';
import { allOf, sourceOf, type Table } from './table.js';

/** Cost of scanning the neighbours of a point, in values of a row. */
const LOOK = 64;

/**
 * Squared distances, infinite if there is no other class.
 *
 * @param neighborsOf Some nearest neighbours of a point, nearest first.
 */
export function* nearestEnemies(
  table: Table,
  classOf: Uint32Array,
  neighborsOf: (point: number) => Uint32Array,
  backend: Backend,
): Steps<Float64Array> {
  const distances = new Float64Array(table.rows).fill(Infinity);
  const lonely = new Map<number, number[]>();
  yield* inBlocks(table.rows, LOOK, (from, to) => {
    for (let point = from; point < to; point++) {
      const own = classOf[point] as number;
      const enemy = neighborsOf(point).find((other) => classOf[other] !== own);
      if (enemy !== undefined) distances[point] = squaredDistance(table, point, enemy);
      else if (lonely.get(own)?.push(point) === undefined) lonely.set(own, [point]);
    }
  });
  let done = 0;
  for (const [own, members] of lonely) {
    const search = nearestOf(
      table,
      members,
      allOf(table).filter((point) => classOf[point] !== own),
      backend,
    );
    const nearest = yield* within(search, done / lonely.size, (done + 1) / lonely.size);
    done++;
    for (const [i, enemy] of nearest.entries()) {
      const point = members[i] as number;
      distances[point] = squaredDistance(table, point, enemy);
    }
  }
  return distances;
}

/** The nearest of some points to each of others; nothing if there are none. */
function* nearestOf(
  table: Table,
  members: readonly number[],
  points: Uint32Array,
  backend: Backend,
): Steps<Uint32Array> {
  if (points.length === 0) return points;
  const held = yield* HeldPoints.hold(table, points, backend);
  try {
    return yield* held.nearestTo(sourceOf(table, members), 1);
  } finally {
    held.release();
  }
}

function squaredDistance({ data, columns }: Table, a: number, b: number): number {
  let sum = 0;
  for (let j = 0; j < columns; j++) {
    const difference = (data[a * columns + j] as number) - (data[b * columns + j] as number);
    sum += difference * difference;
  }
  return sum;
}
