// DROP3 as the released program has it, a variant with results of its own. A row that goes votes on, so that
// the lists of neighbours never change; it is no associate any more. A row is an associate of its own: and as
// its own vote is taken off the friends even where it is gone, it has one friend too few without itself.
import { ENN, NearestNeighbors } from 'curvad';
import { selectRows, type Table } from '../models/model.js';

/** The rows that stay, ascending. */
export function releasedDrop3(X: Table, labels: ArrayLike<number>, k: number): number[] {
  const edited = [...new ENN({ neighbors: k }).retain(X, labels)];
  const points = selectRows(X, edited);
  const classes = edited.map((row) => labels[row] as number);
  const lists = listsOf(points, k);
  const associates = lists.map((): number[] => []);
  for (const [i, list] of lists.entries()) for (const point of list) associates[point]?.push(i);
  const isGone = new Uint8Array(edited.length);
  /** Whether a point has more friends than enemies in its list, where another may be missing. */
  const isRight = (point: number, missing?: number): boolean => {
    const voters = (lists[point] as number[]).filter((voter) => voter !== missing);
    const same = voters.filter((voter) => classes[voter] === classes[point]).length;
    return same - 1 > voters.length - same; // less one for itself, whether it is there or not
  };
  for (const point of farFromEnemiesFirst(points, classes)) {
    const own = (associates[point] as number[]).filter((associate) => isGone[associate] === 0);
    const having = own.filter((associate) => isRight(associate)).length;
    const lacking = own.filter((associate) => isRight(associate, point)).length;
    if (lacking >= having) isGone[point] = 1;
  }
  return edited.filter((_, point) => isGone[point] === 0);
}

/** Each point itself, and the k nearest others. */
function listsOf(points: Table, k: number): number[][] {
  using search = new NearestNeighbors(points, { precision: 'double' });
  const { indices } = search.ofEachRow(k);
  return Array.from({ length: points.rows }, (_, point) => [point, ...indices.subarray(point * k, (point + 1) * k)]);
}

function farFromEnemiesFirst(points: Table, classes: readonly number[]): number[] {
  const distances = classes.map(() => Infinity);
  for (const own of new Set(classes)) {
    const [members, enemies] = [indicesOf(classes, own, true), indicesOf(classes, own, false)];
    if (enemies.length === 0) continue;
    using search = new NearestNeighbors(selectRows(points, enemies), { precision: 'double' });
    const found = search.of(selectRows(points, members), 1).distances;
    for (const [i, point] of members.entries()) distances[point] = found[i] as number;
  }
  const order = [...classes.keys()];
  return order.sort((a, b) => compareDescending(distances[a] as number, distances[b] as number) || a - b);
}

function indicesOf(classes: readonly number[], own: number, isSame: boolean): number[] {
  return [...classes.keys()].filter((point) => (classes[point] === own) === isSame);
}

function compareDescending(a: number, b: number): number {
  return a === b ? 0 : b - a;
}
