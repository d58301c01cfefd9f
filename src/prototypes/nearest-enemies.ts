// The distance of each point to the nearest one of another class. Most points have an enemy among their
// nearest neighbours; the others are searched for among all points of other classes, class by class.
import type { Backend } from '../core/backend.js';
import { HeldPoints } from './shrinking-set.js';
import { rowsOf, sourceOf, type Table } from './table.js';

/**
 * Squared distances, infinite where there is no other class.
 *
 * @param neighborsOf Some nearest neighbours of a point, nearest first.
 */
export function nearestEnemies(
  table: Table,
  classOf: Uint32Array,
  neighborsOf: (point: number) => Uint32Array,
  backend: Backend,
): Float64Array {
  const distances = new Float64Array(table.rows).fill(Infinity);
  const lonely = new Map<number, number[]>();
  for (let point = 0; point < table.rows; point++) {
    const own = classOf[point] as number;
    const enemy = neighborsOf(point).find((other) => classOf[other] !== own);
    if (enemy !== undefined) distances[point] = squaredDistance(table, point, enemy);
    else if (lonely.get(own)?.push(point) === undefined) lonely.set(own, [point]);
  }
  for (const [own, members] of lonely) {
    const enemies = new Uint32Array(table.rows).map((_, point) => point).filter((point) => classOf[point] !== own);
    if (enemies.length === 0) continue;
    const held = new HeldPoints(table, enemies, backend);
    const nearest = held.nearest(sourceOf(rowsOf(table, members)), 0, members.length, 1);
    held.release();
    for (const [i, point] of members.entries()) distances[point] = squaredDistance(table, point, nearest[i] as number);
  }
  return distances;
}

function squaredDistance({ data, columns }: Table, a: number, b: number): number {
  let sum = 0;
  for (let j = 0; j < columns; j++) {
    const difference = (data[a * columns + j] as number) - (data[b * columns + j] as number);
    sum += difference * difference;
  }
  return sum;
}
