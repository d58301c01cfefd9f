// DROP3 as one would write it from its description: lists of neighbours by measuring and sorting all points,
// and again for every associate of a point that goes. The measure of what the library gains.
import type { Data } from './support.js';

function squaredDistance({ data, columns }: Data, a: number, b: number): number {
  let sum = 0;
  for (let j = 0; j < columns; j++) {
    const difference = (data[a * columns + j] as number) - (data[b * columns + j] as number);
    sum += difference * difference;
  }
  return sum;
}

function nearest(data: Data, point: number, among: Iterable<number>, count: number): number[] {
  const others = Array.from(among, (index) => ({ index, distance: squaredDistance(data, point, index) }));
  return others
    .filter(({ index }) => index !== point)
    .sort((a, b) => a.distance - b.distance || a.index - b.index)
    .slice(0, count)
    .map(({ index }) => index);
}

/** The rows that stay, ascending. */
export function straightforwardDrop3(data: Data, labels: readonly number[], k: number): number[] {
  const isRight = (point: number, voters: readonly number[]): boolean => {
    const friends = voters.filter((voter) => labels[voter] === labels[point]).length;
    return friends > voters.length - friends;
  };
  const rows = Array.from({ length: data.rows }, (_, row) => row);
  const edited = rows.filter((row) => isRight(row, nearest(data, row, rows, k)));
  const lists = new Map(edited.map((row) => [row, nearest(data, row, edited, k + 1)]));
  const toEnemy = new Map(
    edited.map((row) => {
      const enemies = edited.filter((other) => labels[other] !== labels[row]);
      return [row, enemies.reduce((least, enemy) => Math.min(least, squaredDistance(data, row, enemy)), Infinity)];
    }),
  );
  const order = [...edited].sort((a, b) => {
    const [left, right] = [toEnemy.get(a) as number, toEnemy.get(b) as number];
    return left === right ? a - b : right - left;
  });
  const staying = new Set(edited);
  for (const point of order) {
    const associates = edited.filter((row) => lists.get(row)?.includes(point));
    let gain = 0;
    for (const associate of associates) {
      const list = lists.get(associate) as number[];
      if (isRight(associate, list.slice(0, k))) gain--;
      if (isRight(associate, list.filter((neighbor) => neighbor !== point).slice(0, k))) gain++;
    }
    if (gain < 0) continue;
    staying.delete(point);
    for (const associate of associates) lists.set(associate, nearest(data, associate, staying, k + 1));
  }
  return [...staying].sort((a, b) => a - b);
}
