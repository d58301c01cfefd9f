// npm run bench:real: every row's 10 nearest others on real data sets, z-scored, and on made rows near a manifold, on one
// thread, beside scikit-learn (the best of its k-d tree and brute force) and FAISS: its flat index, and for orientation
// its approximate HNSW with the share of true neighbours. All sides take turns, best of several, ours verified, by the time of
// the processor, which other programs disturb little. Then what storing in double precision costs, and one new row.
// --before also runs version 0.1.0 in turns, which it builds in a temporary folder. SETS=shuttle,cover measures some sets.
import { dataDirectory } from '../../test/support/data.js';
import { manifold } from './manifold.js';
import { differences, recallOf } from './neighbors.js';
import { type Peers, startPeers } from './peers.js';
import { standardized } from './standardized.js';
import { type Data, milliseconds, printTable, processorSeconds } from './support.js';
import { versionBefore } from './version-before.js';

const { NearestNeighbors } = await import('curvad');
type Search = Pick<typeof import('curvad'), 'NearestNeighbors'>;

/** Sets of the data directory, and made ones of which the name tells rows, columns and how many numbers decide them. */
const SETS = (
  process.env['SETS'] ??
  'shuttle,donors,cover,http,mammography,pendigits,satimage-2,thyroid,PageBlocks,optdigits,musk,letter,cardio,' +
    'manifold 50000 32 5,manifold 50000 128 5'
).split(',');
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const K = 10;
/** Peers, and the most values and rows that they answer for within half a minute or so. */
const PEERS = [
  ['sklearn tree', 5e6, Infinity],
  ['sklearn', 2e6, 20_000],
  ['faiss', 2e6, 60_000],
  ['hnsw', 2e6, 60_000],
] as const;
/** What takes more seconds is measured once. */
const LONG = 5;
type Side = 'now' | 'double' | 'before' | (typeof PEERS)[number][0];
/** New rows that are asked about one by one. */
const SINGLE_ROWS = 500;

function dataOf(name: string): Data {
  const [kind, ...sizes] = name.split(' ');
  if (kind !== 'manifold') return standardized(name);
  return manifold(...(sizes.map(Number) as [number, number, number]));
}

async function measure(name: string, before: Search | undefined, peers: Peers | undefined): Promise<string[]> {
  const data = dataOf(name);
  const find = (search: Search, options = {}) => new search.NearestNeighbors(data, options).ofEachRow(K);
  const { indices } = find({ NearestNeighbors });
  await peers?.load('data', data.data, data.rows, data.columns);
  const best = new Map<Side, number>();
  const note = (side: Side, time: number): void => void best.set(side, Math.min(best.get(side) ?? Infinity, time));
  const isLong = (side: Side): boolean => (best.get(side) ?? 0) > LONG;
  let wrong = '–';
  let recall = '';
  for (let round = 0; round < ROUNDS; round++) {
    note(
      'now',
      processorSeconds(() => find({ NearestNeighbors })),
    );
    if (before !== undefined && !isLong('before'))
      note(
        'before',
        processorSeconds(() => find(before)),
      );
    note(
      'double',
      processorSeconds(() => find({ NearestNeighbors }, { precision: 'double' })),
    );
    for (const [peer, values, rows] of PEERS) {
      if (data.rows * data.columns > values || data.rows > rows || isLong(peer)) continue;
      const answer = await peers?.knn(peer, 'data', K, true);
      if (answer === undefined) continue;
      note(peer, answer.seconds);
      if (round === 0 && peer === 'sklearn tree') wrong = String(differences(data, K, indices, answer.indices));
      if (peer === 'hnsw') recall = ` (${recallOf(data, K, indices, answer.indices).toFixed(3)})`;
    }
  }
  const now = best.get('now') as number;
  const ratio = (time: number | undefined): string => (time === undefined ? '–' : (time / now).toFixed(2));
  const exact = ['sklearn', 'sklearn tree'] as const;
  const sklearn = exact.flatMap((side) => best.get(side) ?? []).sort((a, b) => a - b)[0];
  return [
    name.startsWith('manifold') ? name : `${name} ${data.rows} × ${data.columns}`,
    milliseconds(now),
    ratio(best.get('before')),
    ratio(sklearn),
    ratio(best.get('faiss')),
    best.has('hnsw') ? ratio(best.get('hnsw')) + recall : '–',
    ratio(best.get('double')),
    wrong,
  ];
}

/** One new row after the other, which the rows that are searched nearly are. */
async function measureOne(name: string, before: Search | undefined, peers: Peers | undefined): Promise<string[]> {
  const data = dataOf(name);
  const { columns } = data;
  const timeOf = (search: Search): number => {
    const held = new search.NearestNeighbors(data);
    const step = Math.floor(data.rows / SINGLE_ROWS);
    const rows = Array.from({ length: SINGLE_ROWS }, (_, i) =>
      Float64Array.from(data.data.subarray(i * step * columns, (i * step + 1) * columns), (value) => value + 1e-3),
    );
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const time = processorSeconds(() => {
        for (const row of rows) held.of([row], K);
      });
      best = Math.min(best, time / SINGLE_ROWS);
    }
    held.dispose();
    return best;
  };
  const now = timeOf({ NearestNeighbors });
  await peers?.load('data', data.data, data.rows, columns);
  const peer = (await peers?.ask({ op: 'one_row', data: 'data', k: K }))?.['seconds'] as number | undefined;
  const ratio = (time: number | undefined): string => (time === undefined ? '–' : (time / now).toFixed(1));
  return [name, `${(now * 1000).toFixed(4)} ms`, ratio(before && timeOf(before)), ratio(peer)];
}

if (dataDirectory() === undefined) {
  console.log('npm run bench:real reads the data sets in the folder that CURVAD_DATA names; it is not set.');
  process.exit(0);
}
const before = process.argv.includes('--before') ? await versionBefore() : undefined;
const peers = await startPeers();
console.log(
  `Node ${process.versions.node}, k = ${K}, one thread, time of the processor, best of ${ROUNDS}; ${peers?.versions ?? 'no peers'}`,
);
console.log('Ratios are times of the other side divided by ours; "double" is ours with all rows stored in double.\n');
const sides = ['curvad', '0.1.0', 'scikit-learn', 'FAISS flat', 'HNSW (recall)', 'double', 'rows that differ'];
const table = [['set', ...sides]];
for (const name of SETS) {
  const line = await measure(name, before, peers);
  table.push(line);
  console.error(line.join(' | ')); // as it comes: all of it takes minutes
}
printTable(table);
console.log('\nThe neighbours of one new row:\n');
const ones = [['set', 'curvad', '0.1.0', 'scikit-learn']];
for (const name of SETS.filter((set) => ['cover', 'shuttle'].includes(set)))
  ones.push(await measureOne(name, before, peers));
printTable(ones);
await peers?.close();
