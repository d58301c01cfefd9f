// EllipticEnvelope beside scikit-learn's: a fit with the scores of its rows, one thread, alternating, best of
// several. The largest scores stand beside each other, as a sign that both did the same.
import { pathToFileURL } from 'node:url';
import { startPeers } from './peers.js';
import { against, type Data, gaussianData, milliseconds, printTable, realData, seconds } from './support.js';

export interface EnvelopeCase {
  readonly name: string;
  readonly data: () => Data | undefined;
  /** What the time of scikit-learn divided by ours must reach. */
  readonly target: number;
}

export const ENVELOPE_CASES: readonly EnvelopeCase[] = [
  { name: 'optdigits 5216 × 64', data: () => realData('optdigits'), target: 1 },
  { name: 'letter 1600 × 32', data: () => realData('letter'), target: 1 },
  { name: 'Gaussian 20000 × 32', data: () => gaussianData(20_000, 32), target: 1 },
];

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);

async function run(): Promise<void> {
  const { EllipticEnvelope, defaultBackend } = await import('curvad');
  const peers = await startPeers();
  console.log(
    `EllipticEnvelope, fit and scores, Node ${process.versions.node}, ${defaultBackend()}, best of ${ROUNDS}${peers ? `; ${peers.versions}` : ''}\n`,
  );
  const table = [['data', 'curvad', 'scikit-learn', 'ratio', 'rank', 'largest score, ours / theirs']];
  for (const { name, data, target } of ENVELOPE_CASES) {
    const rows = data();
    if (rows === undefined) continue;
    await peers?.load('data', rows.data, rows.rows, rows.columns);
    const best = { ours: Infinity, theirs: Infinity, largest: Number.NaN };
    using envelope = new EllipticEnvelope().fit(rows);
    for (let round = 0; round < ROUNDS; round++) {
      const time = seconds(() => new EllipticEnvelope({ seed: round }).fit(rows).dispose());
      best.ours = Math.min(best.ours, time);
      const answer = await peers?.ask({ op: 'envelope', data: 'data', seed: round });
      if (answer === undefined) continue;
      best.theirs = Math.min(best.theirs, answer['seconds'] as number);
      best.largest = answer['largest'] as number;
    }
    const largest = envelope.scores.reduce((most, score) => Math.max(most, score), 0);
    table.push([
      name,
      milliseconds(best.ours),
      peers ? milliseconds(best.theirs) : '–',
      peers ? against(best.theirs / best.ours, target) : '–',
      String(envelope.rank),
      `${largest.toPrecision(4)} / ${best.largest.toPrecision(4)}`,
    ]);
  }
  printTable(table);
  await peers?.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run();
