// curvad without arguments: runs the default detector on the embedded example and explains the top row.
import { stdout } from 'node:process';
import { explain, LandmarkCAD } from '../../index.js';
import { COLUMNS, makeExample } from '../example.js';

const TOP = 12;

export function runExample(): void {
  const { planted, ...rows } = makeExample();
  const table = Object.fromEntries(
    COLUMNS.map((name, j) => [
      name,
      Float64Array.from({ length: rows.rows }, (_, i) => rows.data[i * rows.columns + j] as number),
    ]),
  );
  new LandmarkCAD().fit(table); // warms up, so that the time below excludes compilation
  const start = performance.now();
  const detector = new LandmarkCAD().fit(table);
  const milliseconds = performance.now() - start;
  const flagged = detector.top(rows.rows).filter((row) => detector.labels[row] === 1);
  const found = flagged.filter((row) => planted.has(row)).length;

  stdout.write(
    `Example: ${rows.rows} readings of a machine, ${rows.columns} columns, ${planted.size} made wrong on purpose.\n`,
  );
  stdout.write('A reading far from the others, with all its neighbours on one side, scores high.\n\n');
  stdout.write(`${['row', 'score', ...COLUMNS].map((name) => name.padStart(16)).join('')}\n`);
  for (const row of detector.top(TOP)) {
    const values = Array.from(rows.data.subarray(row * rows.columns, (row + 1) * rows.columns), (value) =>
      value.toFixed(1),
    );
    const cells = [String(row), (detector.scores[row] as number).toFixed(3), ...values];
    stdout.write(`${cells.map((cell) => cell.padStart(16)).join('')}${planted.has(row) ? '   planted' : ''}\n`);
  }
  stdout.write(`
${explain(detector, detector.top(1)[0] as number)}

Threshold   ${detector.threshold.toFixed(3)}: ${flagged.length} rows above it, ${found} of the ${planted.size} planted ones among them
What ran    LandmarkCAD, ${detector.precision} precision on ${detector.backend}
Time        ${milliseconds.toFixed(1)} ms to fit, ${Math.round((rows.rows / milliseconds) * 1000).toLocaleString('en')} rows per second

Try next
  curvad detect FILE   the same on your file: CSV, NDJSON, Parquet, Arrow or .npy
  curvad --help        all commands (in a clone of the repository: npm start -- --help)
  README.md            how to use it in a program
`);
}
