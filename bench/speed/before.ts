// npm run bench:before: today beside version 0.1.0 in one process, in turns, each as it comes, by the time of the
// processor, which other programs disturb little. The best of several rounds counts. CASES=musk,SVM leaves out all
// cases whose names have none of these.
import { dataDirectory } from '../../test/support/data.js';
import { manifold } from './manifold.js';
import { standardized } from './standardized.js';
import { type Data, gaussianData, milliseconds, processorSeconds } from './support.js';
import { versionBefore } from './version-before.js';

type Version = Pick<
  typeof import('curvad'),
  | 'CAD'
  | 'landscape'
  | 'anomalyPath'
  | 'KNN'
  | 'LOF'
  | 'OneClassSVM'
  | 'IsolationForest'
  | 'EllipticEnvelope'
  | 'NearestNeighbors'
> &
  Pick<typeof import('curvad'), 'InverseCAD' | 'DROP3' | 'ENN'>;

interface Case {
  readonly name: string;
  /** What it takes at least as much of before as now. */
  readonly target: number;
  /** Prepares what is measured. */
  prepare(version: Version): () => void;
}

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const ONLY = process.env['CASES']?.split(',') ?? [''];
/** Milliseconds that are measured at a time, about. */
const LEAST = 100;
const ALIKE = 0.97;
const K = 10;

/** Data sets are made when they are first used, and only those of the cases that run. */
function once(make: () => Data): () => Data {
  let data: Data | undefined;
  return () => {
    data ??= make();
    return data;
  };
}

function search(name: string, data: () => Data, target: number): Case {
  return { name: `neighbors, ${name}`, target, prepare: (v) => () => new v.NearestNeighbors(data()).ofEachRow(K) };
}

function detectors(name: string, data: () => Data): Case[] {
  const fits: Record<string, (version: Version) => { fit(rows: Data): { dispose(): void } }> = {
    CAD: (v) => new v.CAD(),
    'kernel CAD': (v) => new v.CAD({ kernel: 'rbf' }),
    KNN: (v) => new v.KNN(),
    LOF: (v) => new v.LOF(),
    OneClassSVM: (v) => new v.OneClassSVM(),
    IsolationForest: (v) => new v.IsolationForest(),
  };
  return Object.entries(fits).map(([detector, make]) => ({
    name: `${detector}, ${name}`,
    target: ALIKE,
    prepare: (version) => () => make(version).fit(data()).dispose(),
  }));
}

/** One new row, against a fitted model. */
function oneRow(name: string, data: () => Data, target: number): Case[] {
  const row = () => ({ data: data().data.slice(0, data().columns), rows: 1, columns: data().columns });
  const found = (version: Version) => {
    const neighbors = new version.NearestNeighbors(data());
    const asked = row();
    return () => neighbors.of(asked, K);
  };
  const scored = (version: Version) => {
    const detector = new version.CAD().fit(data());
    const asked = row();
    const scores = new Float64Array(1);
    return () => detector.scoreInto(asked, scores);
  };
  return [
    { name: `one row's neighbors, ${name}`, target, prepare: found },
    { name: `one row's curvature, ${name}`, target, prepare: scored },
  ];
}

/** What is drawn and walked on a fitted model. */
function drawn(name: string, data: () => Data): Case[] {
  const of = (what: string, work: (version: Version, cad: InstanceType<Version['CAD']>) => unknown): Case => ({
    name: `${what}, ${name}`,
    target: ALIKE,
    prepare: (version) => {
      const cad = new version.CAD().fit(data());
      return () => work(version, cad);
    },
  });
  const start = (): number[] => Array.from(data().data.subarray(0, data().columns), (value) => value + 1);
  const walk = { step: 1e-3, stop: 'never', maxIterations: 1000, every: 1000 } as const;
  return [
    of('landscape', (v, cad) => v.landscape(cad, { resolution: 100 })),
    of('path', (v, cad) => v.anomalyPath(cad, start(), walk)),
  ];
}

function selectors(name: string, data: () => Data): Case[] {
  const labels = () => Array.from({ length: data().rows }, (_, i) => i % 4);
  const of = (selector: string, select: (version: Version, labels: number[]) => unknown): Case => ({
    name: `${selector}, ${name}`,
    target: ALIKE,
    prepare: (version) => {
      const own = labels();
      return () => select(version, own);
    },
  });
  return [
    of('InverseCAD', (v, own) => new v.InverseCAD().rank(data(), own)),
    of('ENN', (v, own) => new v.ENN().retain(data(), own)),
    of('DROP3', (v, own) => new v.DROP3().retain(data(), own)),
  ];
}

function cases(): Case[] {
  const gaussian = (rows: number, columns: number) => once(() => gaussianData(rows, columns));
  const noise = gaussian(3000, 200);
  const all = [
    ...[8, 16, 32, 64, 166].map((d) => search(`Gaussian 16384 × ${d}`, gaussian(16_384, d), ALIKE)),
    search('Gaussian 8192 × 784', gaussian(8192, 784), ALIKE),
    ...[32, 128].map((d) =>
      search(
        `manifold 50000 × ${d}`,
        once(() => manifold(50_000, d, 5)),
        5,
      ),
    ),
    ...detectors('Gaussian 3000 × 200', noise),
    ...detectors('Gaussian 500 × 8', gaussian(500, 8)),
    ...oneRow('Gaussian 300 × 5', gaussian(300, 5), ALIKE),
    ...oneRow('Gaussian 3000 × 32', gaussian(3000, 32), ALIKE),
    ...drawn('Gaussian 20000 × 2', gaussian(20_000, 2)),
    ...selectors('Gaussian 2000 × 16', gaussian(2000, 16)),
  ];
  if (dataDirectory() === undefined) {
    console.log('The data sets are left out: CURVAD_DATA does not name their folder.');
    return all;
  }
  const real = (name: string) => once(() => standardized(name));
  const few = ['mammography', 'pendigits', 'satimage-2', 'thyroid', 'PageBlocks'];
  return [
    ...all,
    ...['shuttle', 'donors', 'cover', 'http'].map((name) => search(name, real(name), 10)),
    ...few.map((name) => search(name, real(name), 1.5)),
    ...['optdigits', 'musk', 'letter', 'cardio'].map((name) => search(name, real(name), ALIKE)),
    ...['optdigits', 'musk'].flatMap((name) => detectors(name, real(name))),
    ...oneRow('cover', real('cover'), 20),
  ];
}

/** Milliseconds of the processor for one run. */
function cost(work: () => void, runs: number): number {
  const all = processorSeconds(() => {
    for (let run = 0; run < runs; run++) work();
  });
  return (1000 * all) / runs;
}

function measure({ name, target, prepare }: Case, versions: readonly [Version, Version]): string[] {
  const works = versions.map(prepare);
  const best = works.map(() => Infinity);
  for (const work of works) work();
  const runs = works.map((work) => Math.max(1, Math.round(LEAST / Math.max(cost(work, 1), 0.001))));
  for (let round = 0; round < ROUNDS; round++) {
    for (const turn of round % 2 ? [1, 0] : [0, 1])
      best[turn] = Math.min(best[turn] as number, cost(works[turn] as () => void, runs[turn] as number));
  }
  const [now, before] = best as [number, number];
  const ratio = before / now;
  const verdict = ratio >= target ? '✓' : '✗';
  return [name, milliseconds(now / 1000), milliseconds(before / 1000), ratio.toFixed(2), `${target} ${verdict}`];
}

const chosen = cases().filter(({ name }) => ONLY.some((part) => name.includes(part)));
const today = await import('curvad');
const before = await versionBefore();
console.log(`Node ${process.versions.node}, ${today.defaultBackend()} and ${before.defaultBackend()}, k = ${K}`);
console.log(`Time of the processor, best of ${ROUNDS} rounds in turns; the ratio is 0.1.0 divided by today.\n`);
const print = (cells: readonly string[]) =>
  console.log(cells.map((cell, i) => cell.padStart(i === 0 ? 46 : 10)).join('  '));
print(['case', 'today', '0.1.0', 'ratio', 'at least']);
for (const one of chosen) print(measure(one, [today, before]));
