// A whole fit of CAD (neighbours, scores, threshold), k = 10, on one thread, beside a straightforward
// TypeScript version and the time the paper gives.

import { straightforwardScores } from './straightforward.js';
import { against, milliseconds, printTable, realData, seconds } from './support.js';

const { CAD, defaultBackend } = await import('curvad');

const K = 10;
const PAPER = { optdigits: 13.27, musk: 11.15 };
const TARGETS = { single: 15, double: 8 };

console.log(
  `Whole fit of CAD, k = ${K}, Node ${process.versions.node}, ${defaultBackend()}, best of 5 beside the best of 2\n`,
);
const table = [
  ['data', 'precision', 'curvad', 'straightforward', 'ratio', 'the paper', 'largest difference of a score'],
];
for (const [name, published] of Object.entries(PAPER)) {
  const data = realData(name);
  if (data === undefined) continue;
  const truth = straightforwardScores(data, K);
  const plain = Math.min(...[1, 2].map(() => seconds(() => straightforwardScores(data, K))));
  for (const precision of ['single', 'double'] as const) {
    const train = () => new CAD({ neighbors: K, precision }).fit(data);
    const { rawScores } = train();
    const time = Math.min(...[1, 2, 3, 4, 5].map(() => seconds(train)));
    const difference = rawScores.reduce((most, score, i) => Math.max(most, Math.abs(score - (truth[i] as number))), 0);
    table.push([
      `${name} ${data.rows} × ${data.columns}`,
      precision,
      milliseconds(time),
      milliseconds(plain),
      against(plain / time, TARGETS[precision]),
      `${published} s`,
      difference.toExponential(1),
    ]);
  }
}
printTable(table);
