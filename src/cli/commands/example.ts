// curvad without arguments: the detector at work on an embedded example.
import { stdout } from 'node:process';
import { CAD } from '../../index.js';
import { COLUMNS, makeExample } from '../example.js';

const TOP = 12;

export function runExample(): void {
  const { planted, ...rows } = makeExample();
  stdout.write(
    `Example: ${rows.rows} readings of a machine, ${rows.columns} columns, ${planted.size} made wrong on purpose.\n`,
  );
  stdout.write('Each reading is the corner of a polyhedron spanned by its 10 nearest readings;\n');
  stdout.write('the sharper the corner, the higher the score.\n\n');

  const options = { standardize: true, contamination: 0.02 };
  new CAD(options).fit(rows); // compiles, so that the time below is that of the work
  const start = performance.now();
  const cad = new CAD(options).fit(rows);
  const milliseconds = performance.now() - start;

  const order = Array.from(cad.scores.keys()).sort((a, b) => (cad.scores[b] as number) - (cad.scores[a] as number));
  stdout.write(`${['row', 'score', ...COLUMNS].map((name) => name.padStart(16)).join('')}\n`);
  for (const row of order.slice(0, TOP)) {
    const values = Array.from(rows.data.subarray(row * rows.columns, (row + 1) * rows.columns), (value) =>
      value.toFixed(1),
    );
    const cells = [String(row), (cad.scores[row] as number).toFixed(3), ...values].map((cell) => cell.padStart(16));
    stdout.write(`${cells.join('')}${planted.has(row) ? '   planted' : ''}\n`);
  }
  const flagged = cad.labels.reduce((sum, label) => sum + label, 0);
  const found = order.slice(0, flagged).filter((row) => planted.has(row)).length;
  stdout.write(`
Threshold   ${cad.threshold.toFixed(3)}: ${flagged} rows above it, ${found} of the ${planted.size} planted ones among them
What ran    CAD, k = 10, standardized, ${cad.precision} precision on ${cad.backend}
Time        ${milliseconds.toFixed(1)} ms to fit, ${Math.round((rows.rows / milliseconds) * 1000).toLocaleString('en')} rows per second

Try next
  curvad detect FILE   the same on a file of yours: CSV, NDJSON, Parquet, Arrow or .npy
  curvad --help        all commands (in a clone of the repository: npm start -- --help)
  README.md            five lines of code to run it in a program
`);
}
