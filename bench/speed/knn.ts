// k-nearest-neighbour search beside scikit-learn and FAISS: whole self-join, one thread, alternating,
// best of several. Neighbours are verified against both peers.

import { ceilingMeter } from './ceiling.js';
import { differences } from './neighbors.js';
import { type Peers, startPeers } from './peers.js';
import { against, gaussianData, milliseconds, printTable, seconds } from './support.js';

const { NearestNeighbors } = await import('curvad');

const K = 10;
const ROUNDS = Number(process.env['ROUNDS'] ?? 4);

interface Shape {
  readonly rows: number;
  readonly columns: number;
  /** What must be reached beside scikit-learn and FAISS. */
  readonly sklearn: number;
  readonly faiss?: number;
  /** Share of the register ceiling. */
  readonly ceiling?: number;
}

const SHAPES: readonly Shape[] = [
  { rows: 16384, columns: 8, sklearn: 1.5, faiss: 1.3 },
  { rows: 16384, columns: 32, sklearn: 1.5, faiss: 1.3 },
  { rows: 16384, columns: 64, sklearn: 1.5, faiss: 1 },
  { rows: 16384, columns: 166, sklearn: 1, ceiling: 0.75 },
  { rows: 8192, columns: 784, sklearn: 1, ceiling: 0.75 },
];

const peers = await startPeers();
console.log(
  `Node ${process.versions.node}, k = ${K}, one thread, best of ${ROUNDS}${peers ? `; ${peers.versions}` : ''}`,
);
console.log('Ratios are times of the peer divided by ours. G/s = 10⁹ (pair × column) a second.\n');
const ceilingNow = ceilingMeter();
const table = [
  [
    'rows × columns',
    'curvad',
    'G/s',
    'scikit-learn',
    'FAISS',
    'scikit-learn/curvad',
    'FAISS/curvad',
    'of the ceiling',
    'neighbours',
  ],
];
for (const shape of SHAPES) table.push(await measure(shape, peers));
printTable(table);
await peers?.close();

async function measure(shape: Shape, peers: Peers | undefined): Promise<string[]> {
  const data = gaussianData(shape.rows, shape.columns);
  const join = () => new NearestNeighbors(data, { backend: 'wasm-simd' }).ofEachRow(K);
  const found = join();
  await peers?.load('data', data.data, data.rows, data.columns);
  const best = { curvad: Infinity, sklearn: Infinity, faiss: Infinity, ceiling: 0 };
  const wrong: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    best.curvad = Math.min(best.curvad, seconds(join));
    best.ceiling = Math.max(best.ceiling, ceilingNow());
    for (const peer of ['sklearn', 'faiss'] as const) {
      const answer = await peers?.knn(peer, 'data', K);
      if (answer === undefined) continue;
      best[peer] = Math.min(best[peer], answer.seconds);
      if (round === 0) wrong.push(`${peer} ${differences(data, K, found.indices, answer.indices)}`);
    }
  }
  const speed = (shape.rows ** 2 * shape.columns) / best.curvad / 1e9;
  return [
    `${shape.rows} × ${shape.columns}`,
    milliseconds(best.curvad),
    speed.toFixed(1),
    peers ? milliseconds(best.sklearn) : '–',
    peers ? milliseconds(best.faiss) : '–',
    peers ? against(best.sklearn / best.curvad, shape.sklearn) : '–',
    peers
      ? shape.faiss
        ? against(best.faiss / best.curvad, shape.faiss)
        : (best.faiss / best.curvad).toFixed(2)
      : '–',
    shape.ceiling ? against(speed / best.ceiling, shape.ceiling) : (speed / best.ceiling).toFixed(2),
    `rows that differ: ${wrong.join(', ')}`,
  ];
}
