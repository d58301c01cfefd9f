// Neighbours of many rows of few columns, where a tree finds them: beside scikit-learn's k-d tree, alternating,
// best of several, verified, and how the time grows when the rows are doubled.

import { differences } from './neighbors.js';
import { startPeers } from './peers.js';
import { gaussianData, milliseconds, printTable, seconds } from './support.js';

const { defaultBackend, NearestNeighbors } = await import('curvad');

const K = 10;
const ROUNDS = 3;
const SIZES = [50_000, 100_000, 200_000];

const peers = await startPeers();
console.log(
  `Node ${process.versions.node}, ${defaultBackend()}, k = ${K}, one thread, best of ${ROUNDS}${peers ? `; ${peers.versions}` : ''}\n`,
);
const table = [['rows × columns', 'curvad', '× the half', 'scikit-learn', 'sklearn/curvad', 'rows that differ']];
for (const columns of [1, 2, 3, 4, 5]) {
  let before: number | undefined;
  for (const rows of SIZES) {
    const data = gaussianData(rows, columns);
    const find = () => new NearestNeighbors(data).ofEachRow(K);
    const { indices } = find();
    await peers?.load('data', data.data, rows, columns);
    let [ours, theirs, wrong] = [Infinity, Infinity, '–'];
    for (let round = 0; round < ROUNDS; round++) {
      ours = Math.min(ours, seconds(find));
      const answer = await peers?.knn('sklearn tree', 'data', K);
      if (answer === undefined) continue;
      theirs = Math.min(theirs, answer.seconds);
      wrong = String(differences(data, K, indices, answer.indices));
    }
    const growth = before === undefined ? '' : (ours / before).toFixed(2);
    const peer = peers ? [milliseconds(theirs), (theirs / ours).toFixed(2), wrong] : ['–', '–', '–'];
    table.push([`${rows} × ${columns}`, milliseconds(ours), growth, ...peer]);
    before = ours;
  }
}
printTable(table);
await peers?.close();
