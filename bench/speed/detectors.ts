// Whole detectors beside their peers: fit (which scores the training rows) and scoring new rows, one
// thread, alternating, best of several. All sides get the same float64 rows, and must agree on the scores
// before anything is timed.

import type { AnyDetector } from 'curvad';
import { type DetectorRun, startPeers } from './peers.js';
import { against, gaussianData, milliseconds, printTable, realData, seconds } from './support.js';

const { defaultBackend, KNN, LOF, NearestNeighbors } = await import('curvad');

const K = 10;
const ROUNDS = Number(process.env['ROUNDS'] ?? 4);

interface Rows {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

interface Shape {
  readonly name: string;
  readonly train: Rows;
  readonly fresh: Rows;
}

/** Something that can be timed on training and new rows. */
interface Contender {
  readonly name: string;
  run(shape: Shape): Promise<DetectorRun>;
}

interface Case {
  readonly name: string;
  make(): AnyDetector;
  readonly peers: readonly Contender[];
  /** What fit and score together must reach beside every peer. */
  readonly target?: number;
  /** Rows on which the peer may differ: [of the training rows, of the new rows]. */
  readonly mayDiffer?: (shape: Shape) => readonly [Set<number>, Set<number>];
}

const python = await startPeers();
const sklearn = (name: string, detector: string): Contender[] =>
  python ? [{ name: `scikit-learn ${name}`, run: () => python.detector(detector, { k: K }, 'train', 'fresh') }] : [];

const CASES: readonly Case[] = [
  { name: 'KNN', make: () => new KNN({ neighbors: K }), peers: sklearn('NearestNeighbors', 'KNN') },
  {
    name: 'LOF',
    make: () => new LOF({ neighbors: K }),
    peers: sklearn("LocalOutlierFactor(algorithm='auto')", 'LOF'),
    target: 2,
    mayDiffer: tiedRows,
  },
];

console.log(
  `Node ${process.versions.node}, ${defaultBackend()}, k = ${K}, one thread, best of ${ROUNDS}${python ? `; ${python.versions}` : ''}`,
);
console.log('All sides get float64 rows. Ratios are times of the peer divided by ours, for fit and score together.\n');
const table = [['detector', 'rows + new rows × columns', 'fit', 'score', 'peer', 'fit', 'score', 'ratio', 'scores']];
for (const shape of shapes()) {
  await python?.load('train', shape.train.data, shape.train.rows, shape.train.columns);
  await python?.load('fresh', shape.fresh.data, shape.fresh.rows, shape.fresh.columns);
  for (const detector of CASES) table.push(...(await measure(detector, shape)));
}
printTable(table);
await python?.close();

/** One row of the table for each peer, or one without. */
async function measure(detector: Case, shape: Shape): Promise<string[][]> {
  const contenders = [ourselves(detector), ...detector.peers];
  const first: DetectorRun[] = [];
  for (const contender of contenders) first.push(await contender.run(shape));
  const [ours, ...theirs] = first as [DetectorRun, ...DetectorRun[]];
  const agreement = theirs.map((run) => agreementOf(ours, run, detector, shape));
  const best = contenders.map(() => ({ fit: Infinity, score: Infinity }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, contender] of contenders.entries()) {
      const { fit, score } = await contender.run(shape);
      const so = best[i] as { fit: number; score: number };
      best[i] = { fit: Math.min(so.fit, fit), score: Math.min(so.score, score) };
    }
  }
  const [mine, ...others] = best as [(typeof best)[0], ...typeof best];
  const start = [
    detector.name,
    `${shape.name} ${shape.train.rows} + ${shape.fresh.rows} × ${shape.train.columns}`,
    milliseconds(mine.fit),
    milliseconds(mine.score),
  ];
  if (others.length === 0) return [[...start, '–', '–', '–', '–', '–']];
  return others.map(({ fit, score }, i) => {
    const ratio = (fit + score) / (mine.fit + mine.score);
    return [
      ...start,
      detector.peers[i]?.name ?? '',
      milliseconds(fit),
      milliseconds(score),
      detector.target === undefined ? ratio.toFixed(2) : against(ratio, detector.target),
      agreement[i] ?? '',
    ];
  });
}

function ourselves({ name, make }: Case): Contender {
  return {
    name,
    async run({ train, fresh }) {
      using detector = make();
      let newScores = new Float64Array(0);
      const fit = seconds(() => detector.fit(train));
      const score = seconds(() => {
        newScores = detector.score(fresh) as typeof newScores;
      });
      return { fit, score, trainScores: detector.scores, newScores };
    },
  };
}

/** Scores that are equal to 10⁻⁶; where they are not, the benchmark ends: times of wrong results mean nothing. */
function agreementOf(ours: DetectorRun, theirs: DetectorRun, { name, mayDiffer }: Case, shape: Shape): string {
  const [tied, newTied] = mayDiffer?.(shape) ?? [new Set<number>(), new Set<number>()];
  const differing = (a: Float64Array, b: Float64Array, skipped: Set<number>): number =>
    a.filter((x, i) => !skipped.has(i) && !(Math.abs(x - (b[i] as number)) <= 1e-6 * Math.abs(b[i] as number))).length;
  const rows =
    differing(ours.trainScores, theirs.trainScores, tied) + differing(ours.newScores, theirs.newScores, newTied);
  if (rows > 0) throw new Error(`${name} on ${shape.name}: ${rows} scores differ from the peer's`);
  const all = shape.train.rows + shape.fresh.rows;
  return `agree on all ${all - tied.size - newTied.size}${tied.size > 0 ? ` of ${all} without ties` : ''}`;
}

/** Rows whose LOF hangs on how ties are broken: the k-th distance, theirs or a neighbour's, is shared. */
function tiedRows({ train, fresh }: Shape): readonly [Set<number>, Set<number>] {
  using search = new NearestNeighbors(train, { precision: 'double' });
  const own = search.ofEachRow(K + 1);
  const other = search.of(fresh, K + 1);
  const isTied = ({ distances }: typeof own, row: number): boolean => {
    const [last, next] = distances.subarray(row * (K + 1) + K - 1, (row + 1) * (K + 1)) as unknown as [number, number];
    return next - last <= 1e-12 * next;
  };
  const training = new Set(Array.from({ length: train.rows }, (_, i) => i).filter((i) => isTied(own, i)));
  const reached = (lists: typeof own, count: number): Set<number> =>
    new Set(
      Array.from({ length: count }, (_, i) => i).filter(
        (i) =>
          isTied(lists, i) || lists.indices.subarray(i * (K + 1), i * (K + 1) + K).some((index) => training.has(index)),
      ),
    );
  return [reached(own, train.rows), reached(other, fresh.rows)];
}

function shapes(): Shape[] {
  const made = {
    name: 'Gaussian',
    train: float64(gaussianData(20_000, 32)),
    fresh: float64(gaussianData(4000, 32, 2)),
  };
  const digits = realData('optdigits');
  if (digits === undefined) return [made];
  // All rows to train on; every fifth, moved a little, as new ones.
  const all = float64(digits);
  const every = Array.from({ length: Math.floor(all.rows / 5) }, (_, i) =>
    all.data.slice(5 * i * all.columns, (5 * i + 1) * all.columns).map((value, j) => value + Math.sin(i * 64 + j)),
  );
  const data = Float64Array.from(every.flatMap((row) => [...row]));
  return [{ name: 'optdigits', train: all, fresh: { data, rows: every.length, columns: all.columns } }, made];
}

function float64({ data, rows, columns }: { data: Float32Array; rows: number; columns: number }): Rows {
  return { data: Float64Array.from(data), rows, columns };
}
