// One row against a fitted model of 10,000 × 32, beside scikit-learn's LOF on one row.

import { startPeers } from './peers.js';
import { against, gaussianData, milliseconds } from './support.js';

const { CAD, defaultBackend } = await import('curvad');

const model = gaussianData(10_000, 32);
const rows = gaussianData(200, 32, 2);
const cad = new CAD().fit(model);
const one = { data: new Float32Array(32), rows: 1, columns: 32 };
const score = new Float64Array(1);

/** Median and best seconds of scoring one row. */
function measure(): { median: number; best: number } {
  const times: number[] = [];
  for (let i = 0; i < 1000; i++) {
    one.data.set(rows.data.subarray((i % rows.rows) * 32, ((i % rows.rows) + 1) * 32));
    const start = performance.now();
    cad.scoreInto(one, score);
    times.push((performance.now() - start) / 1000);
  }
  times.sort((a, b) => a - b);
  return { median: times[500] as number, best: times[0] as number };
}

const peers = await startPeers();
console.log(
  `One row against 10,000 × 32, k = 10, Node ${process.versions.node}, ${defaultBackend()}${peers ? `; ${peers.versions}` : ''}`,
);
await peers?.load('model', model.data, model.rows, model.columns);
await peers?.load('rows', rows.data, rows.rows, rows.columns);
await peers?.ask({ op: 'lof_fit', data: 'model', k: 10 });
measure();
const ours = { median: Infinity, best: Infinity };
const lof = { median: Infinity, best: Infinity };
for (let round = 0; round < 5; round++) {
  keepBest(ours, measure());
  if (peers) keepBest(lof, (await peers.ask({ op: 'lof_one', rows: 'rows', repeat: 200 })) as typeof lof);
}
console.log(`curvad CAD         median ${milliseconds(ours.median)}, best ${milliseconds(ours.best)}`);
if (peers) {
  console.log(`scikit-learn LOF   median ${milliseconds(lof.median)}, best ${milliseconds(lof.best)}`);
  console.log(`ratio of medians   ${against(lof.median / ours.median, 15)}`);
}
await peers?.close();

function keepBest(best: { median: number; best: number }, next: { median: number; best: number }): void {
  best.median = Math.min(best.median, next.median);
  best.best = Math.min(best.best, next.best);
}
