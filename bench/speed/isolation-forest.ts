// Isolation forests of 100 trees beside scikit-learn and the npm packages: growing, scoring many rows and
// scoring one, on one thread, alternating, best of several. Ours fits by growing the trees, scoring the
// training rows and finding the threshold; scikit-learn's fit only grows the trees.
import { fileURLToPath } from 'node:url';
import { type Peers, startPeers } from './peers.js';
import { against, type Data, gaussianData, milliseconds, printTable, realData, seconds } from './support.js';

const { IsolationForest, defaultBackend } = await import('curvad');

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);

export interface ForestCase {
  readonly name: string;
  readonly data: () => Data | undefined;
  /** What the ratios to scikit-learn must reach. */
  readonly targets: { readonly fit: number; readonly score: number };
}

export const FOREST_CASES: readonly ForestCase[] = [
  { name: 'optdigits', data: () => realData('optdigits'), targets: { fit: 2, score: 5 } },
  { name: 'gaussian', data: () => gaussianData(20_000, 32), targets: { fit: 2, score: 5 } },
];

/** Best seconds of each part. */
export interface ForestTimes {
  fit: number;
  score: number;
  one: number;
}

export interface ForestMeasurement {
  readonly ours: ForestTimes;
  readonly sklearn: ForestTimes | undefined;
}

const never = (): ForestTimes => ({ fit: Infinity, score: Infinity, one: Infinity });

/** Measures both sides in turns. */
export async function measureForest(data: Data, peers: Peers | undefined): Promise<ForestMeasurement> {
  const ours = never();
  const sklearn = never();
  await peers?.load('forest', data.data, data.rows, data.columns);
  for (let round = 0; round < ROUNDS; round++) {
    keepBest(ours, oursOnce(data));
    if (peers !== undefined) keepBest(sklearn, await sklearnOnce(peers));
  }
  return { ours, sklearn: peers && sklearn };
}

function oursOnce(data: Data): ForestTimes {
  using forest = new IsolationForest();
  const row = { data: data.data.slice(0, data.columns), rows: 1, columns: data.columns };
  const score = new Float64Array(1);
  return {
    fit: seconds(() => forest.fit(data)),
    score: seconds(() => forest.score(data)),
    one: Math.min(...Array.from({ length: 200 }, () => seconds(() => forest.scoreInto(row, score)))),
  };
}

async function sklearnOnce(peers: Peers): Promise<ForestTimes> {
  const ask = async (request: Record<string, unknown>) => (await peers.ask(request))['seconds'] as number;
  const fit = await ask({ op: 'forest_fit', data: 'forest' });
  const score = await ask({ op: 'forest_score', rows: 'forest' });
  let one = Infinity;
  for (let i = 0; i < 5; i++) one = Math.min(one, await ask({ op: 'forest_score', rows: 'forest', one: true }));
  return { fit, score, one };
}

function keepBest(best: ForestTimes, next: ForestTimes): void {
  for (const part of ['fit', 'score', 'one'] as const) best[part] = Math.min(best[part], next[part]);
}

/** A package of npm: how to grow its forest and to score with it. */
interface Package {
  readonly name: string;
  /** What it does other than the published algorithm, so that its time and scores can be read rightly. */
  readonly departure: string;
  readonly grow: (rows: number[][]) => { predict(rows: number[][]): number[] };
}

async function packages(): Promise<Package[]> {
  const { IsolationForest: Plain } = await import('isolation-forest');
  const { IsolationForest: Ml } = await import('ml-isolation-forest');
  return [
    {
      name: 'isolation-forest 0.0.9',
      departure: 'draws a sample of 256 but grows each tree on all rows, and splits on constant columns',
      grow: (rows) => {
        const forest = new Plain(100, 256);
        forest.fit(rows as unknown as Record<string, number>[]);
        return { predict: (queries) => forest.predict(queries as unknown as Record<string, number>[]) };
      },
    },
    {
      name: 'ml-isolation-forest 0.1.0',
      departure: 'has no sample: every tree on all rows; adds γ once in c(n), not twice; splits on constant columns',
      grow: (rows) => {
        const forest = new Ml({ nEstimators: 100 });
        forest.train(rows);
        return forest;
      },
    },
  ];
}

async function printPackages(): Promise<void> {
  const data = gaussianData(2000, 16);
  const rows = Array.from({ length: data.rows }, (_, i) => [...data.data.slice(i * 16, i * 16 + 16)]);
  const { ours } = await measureForest(data, undefined);
  console.log('\nBeside npm packages, 2,000 × 16 (ours / theirs)\n');
  const table = [['package', 'fit', 'ratio', 'score', 'ratio']];
  for (const { name, departure, grow } of await packages()) {
    const times = never();
    for (let round = 0; round < 2; round++) {
      let forest: ReturnType<typeof grow> | undefined;
      times.fit = Math.min(
        times.fit,
        seconds(() => {
          forest = grow(rows);
        }),
      );
      times.score = Math.min(
        times.score,
        seconds(() => forest?.predict(rows)),
      );
    }
    table.push([
      name,
      `${milliseconds(ours.fit)} / ${milliseconds(times.fit)}`,
      (times.fit / ours.fit).toFixed(1),
      `${milliseconds(ours.score)} / ${milliseconds(times.score)}`,
      (times.score / ours.score).toFixed(1),
    ]);
    console.log(`${name} ${departure}`);
  }
  console.log();
  printTable(table);
}

async function main(): Promise<void> {
  const peers = await startPeers();
  console.log(
    `100 trees, one thread, Node ${process.versions.node}, ${defaultBackend()}, best of ${ROUNDS}${peers ? `; ${peers.versions}` : ''}`,
  );
  console.log('Ratios are times of scikit-learn divided by ours (before them: ours / theirs).\n');
  const table = [['data', 'fit', '', 'score', '', 'one row', '']];
  for (const { name, data, targets } of FOREST_CASES) {
    const rows = data();
    if (rows === undefined) continue;
    const { ours, sklearn } = await measureForest(rows, peers);
    const cells = (['fit', 'score', 'one'] as const).flatMap((part) => [
      `${milliseconds(ours[part])} / ${sklearn ? milliseconds(sklearn[part]) : '?'}`,
      sklearn ? against(sklearn[part] / ours[part], part === 'fit' ? targets.fit : targets.score) : '',
    ]);
    table.push([`${name} ${rows.rows} × ${rows.columns}`, ...cells]);
  }
  printTable(table);
  await peers?.close();
  await printPackages();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
