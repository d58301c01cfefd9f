// npm run bench:real: every row's 10 nearest others on real data sets, z-scored, on one thread, beside scikit-learn (the
// best of its k-d tree and brute force) and FAISS's flat index; both sides take turns, best of several, neighbours verified.
// --before also builds version 0.1.0 in a temporary folder (from the history of this repository) and runs it in turns.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dataDirectory, loadData } from '../../test/support/data.js';
import { differences } from './neighbors.js';
import { type Peers, startPeers } from './peers.js';
import { type Data, milliseconds, printTable, seconds } from './support.js';

const { NearestNeighbors } = await import('curvad');
type Search = Pick<typeof import('curvad'), 'NearestNeighbors'>;

const SETS = (
  process.env['SETS'] ??
  'shuttle,donors,cover,http,mammography,pendigits,satimage-2,thyroid,PageBlocks,optdigits,musk,letter,cardio'
).split(',');
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const K = 10;
/** Version 0.1.0. */
const BEFORE = '7a2c403';
/** Brute force takes minutes beyond so many rows. */
const MOST_FOR_BRUTE_FORCE = 60_000;

/** The version before, built in a folder of its own. */
async function versionBefore(): Promise<{ search: Search; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'curvad-before-'));
  const archive = execFileSync('git', ['archive', BEFORE], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return { search: (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as Search, folder };
}

/** z-scores, as everybody is given the same rows. */
function standardized(name: string): Data {
  const { X, rows, columns } = loadData(name);
  const data = new Float32Array(X.length);
  for (let j = 0; j < columns; j++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < rows; i++) sum += X[i * columns + j] as number;
    const mean = sum / rows;
    for (let i = 0; i < rows; i++) squares += ((X[i * columns + j] as number) - mean) ** 2;
    const deviation = Math.sqrt(squares / rows) || 1;
    for (let i = 0; i < rows; i++)
      X[i * columns + j] = Math.fround(((X[i * columns + j] as number) - mean) / deviation);
  }
  return { data, rows, columns };
}

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
for (const name of SETS) table.push(await measure(name, before?.search, peers));
printTable(table);
await peers?.close();
if (before !== undefined) rmSync(before.folder, { recursive: true, force: true });
