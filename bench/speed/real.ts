// npm run bench:real: every row's 10 nearest others on real data sets, z-scored, on one thread, beside scikit-learn (the
// best of its k-d tree and brute force) and FAISS's flat index; both sides take turns, best of several, neighbours verified.
// --before also runs version 0.1.0 in turns, which it builds in a temporary folder.
import { dataDirectory } from '../../test/support/data.js';
import { differences } from './neighbors.js';
import { type Peers, startPeers } from './peers.js';
import { standardized } from './standardized.js';
import { milliseconds, printTable, seconds } from './support.js';
import { versionBefore } from './version-before.js';

const { NearestNeighbors } = await import('curvad');
type Search = Pick<typeof import('curvad'), 'NearestNeighbors'>;

const SETS = (
  process.env['SETS'] ??
  'shuttle,donors,cover,http,mammography,pendigits,satimage-2,thyroid,PageBlocks,optdigits,musk,letter,cardio'
).split(',');
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const K = 10;
/** Brute force takes minutes beyond so many rows. */
const MOST_FOR_BRUTE_FORCE = 60_000;

async function measure(name: string, before: Search | undefined, peers: Peers | undefined): Promise<string[]> {
  const data = standardized(name);
  const find = (search: Search) => new search.NearestNeighbors(data).ofEachRow(K);
  const { indices } = find({ NearestNeighbors });
  await peers?.load('data', data.data, data.rows, data.columns);
  const asked = (['sklearn tree', 'sklearn', 'faiss'] as const).filter(
    (peer) => peer === 'sklearn tree' || data.rows <= MOST_FOR_BRUTE_FORCE,
  );
  const best = { now: Infinity, before: Infinity, 'sklearn tree': Infinity, sklearn: Infinity, faiss: Infinity };
  let wrong = '–';
  for (let round = 0; round < ROUNDS; round++) {
    best.now = Math.min(
      best.now,
      seconds(() => find({ NearestNeighbors })),
    );
    if (before !== undefined)
      best.before = Math.min(
        best.before,
        seconds(() => find(before)),
      );
    for (const peer of asked) {
      const answer = await peers?.knn(peer, 'data', K);
      if (answer === undefined) continue;
      best[peer] = Math.min(best[peer], answer.seconds);
      if (round === 0 && peer === 'sklearn tree') wrong = String(differences(data, K, indices, answer.indices));
    }
  }
  const time = (value: number): string => (value === Infinity ? '–' : milliseconds(value));
  const ratio = (value: number): string => (value === Infinity ? '–' : (value / best.now).toFixed(2));
  const sklearn = Math.min(best.sklearn, best['sklearn tree']);
  return [
    `${name} ${data.rows} × ${data.columns}`,
    time(best.now),
    time(best.before),
    time(sklearn),
    time(best.faiss),
    ratio(best.before),
    ratio(sklearn),
    ratio(best.faiss),
    wrong,
  ];
}

if (dataDirectory() === undefined) {
  console.log('npm run bench:real reads the data sets in the folder that CURVAD_DATA names; it is not set.');
  process.exit(0);
}
const before = process.argv.includes('--before') ? await versionBefore() : undefined;
const peers = await startPeers();
console.log(`Node ${process.versions.node}, k = ${K}, one thread, best of ${ROUNDS}; ${peers?.versions ?? 'no peers'}`);
console.log('Ratios are times of the other side divided by ours.\n');
const header = [
  'set',
  'curvad',
  '0.1.0',
  'scikit-learn',
  'FAISS',
  '0.1.0/curvad',
  'scikit-learn/curvad',
  'FAISS/curvad',
];
const table = [[...header, 'rows that differ']];
for (const name of SETS) table.push(await measure(name, before, peers));
printTable(table);
await peers?.close();
