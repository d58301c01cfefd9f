// The anomaly landscape: the score at every cell of a grid over two features. With more features it is a slice
// through a given row. Type 1 finds neighbours among all training rows, type 2 among the normal ones only.

import { CurvadError } from '../core/errors.js';
import type { FlatMatrix } from '../core/input/matrix.js';
import { jsGridValues } from '../core/js/grid.js';
import type { Grid } from '../core/landscape/grid.js';
import { implementationFor } from '../core/select.js';
import { finish, inBlocks, type Steps, within } from '../core/steps.js';
import { wasmGridValues } from '../core/wasm/landscape/grid.js';
import type { CADParts } from '../detectors/cad.js';
import type { AnyDetector } from '../detectors/detector.js';
import type { GridScoring } from '../detectors/grid-scoring.js';
import { type AsyncOptions, checkAsyncOptions, type Execution } from '../parallel/options.js';
import { Run } from '../parallel/run.js';
import { scoreWork } from '../parallel/work.js';
import { type Canvas, checkDetector, type Landscape, type LandscapeOptions, layOut } from './canvas.js';
import { enoughNormalRows } from './starts.js';

/** Values scored at a time by detectors other than CAD: 8 MB. */
const BATCH = 2 ** 20;
/** Progress of an asynchronous call when the grid is laid out. */
const LAID_OUT = 0.02;

/** The score of any fitted detector on a grid: bit for bit what `score` gives for its cells. */
export function landscape(detector: AnyDetector, options?: LandscapeOptions): Landscape {
  checkDetector(detector);
  const canvas = finish(layOut(detector, options, 'landscape'));
  const { grid, empty } = canvas;
  const { gridScoring } = detector;
  if (gridScoring !== undefined) finish(scoreCells(gridScoring, canvas));
  else
    for (const [from, to] of batchesOf(grid)) {
      detector.scoreInto(finish(cellsOf(grid, from, to)), empty.values.subarray(from, to));
    }
  return empty;
}

/**
 * Like `landscape`, with the same result, without blocking this thread: cells that have to be searched for one
 * by one are shared among other threads where the runtime has them, the others are scored in slices of a few
 * milliseconds. The detector must not be fitted again until it is done.
 */
export async function landscapeAsync(
  detector: AnyDetector,
  options?: LandscapeOptions,
  asyncOptions?: AsyncOptions,
): Promise<Landscape & { readonly execution: Execution }> {
  checkDetector(detector);
  const checked = checkAsyncOptions(asyncOptions, 'landscapeAsync');
  const run = new Run(checked, detector.backend, () => import('curvad-thread:cad'));
  const canvas = await run.finish(layOut(detector, options, 'landscapeAsync'));
  const { empty } = canvas;
  const { scores, gridScoring } = detector;
  if (gridScoring === undefined) await scoreInBatches(run, detector, canvas);
  else await run.finish(within(scoreCells(gridScoring, canvas), LAID_OUT, 1));
  if (detector.scores !== scores) {
    throw new CurvadError('DISPOSED', 'the detector was fitted again while its landscape was drawn');
  }
  run.report(1);
  return { ...empty, execution: run.execution };
}

/** Scores the cells together. */
function* scoreCells(scoring: GridScoring, canvas: Canvas): Steps<void> {
  const { grid, parts, neighbors, empty } = canvas;
  const { backend, queries, combine } = scoring;
  const asked = neighbors === 'normal' ? yield* ofNormalRows(scoring, parts as CADParts) : scoring.asked;
  const gridValues = implementationFor(backend, { js: jsGridValues, wasm: wasmGridValues });
  const scaled = grid.scaledBy(queries);
  const answers = asked.map((_, i) => (i === 0 ? empty.values : new Float64Array(grid.rows)));
  for (const [i, { about, points, k }] of asked.entries()) {
    const place = (done: number): number => (i + done) / asked.length;
    const values = answers[i] as Float64Array;
    for (const step of gridValues({ about, points, queries: scaled, k, values })) {
      yield typeof step === 'number' ? place(step) : scoreWork(about, { ...step }, step.values, [place(0), place(1)]);
    }
  }
  combine(empty.values, answers.slice(1));
}

/** The same, asked of the rows that are labelled normal. */
function* ofNormalRows({ asked }: GridScoring, parts: CADParts): Steps<GridScoring['asked']> {
  yield* parts.normalRows();
  const { points } = enoughNormalRows(parts, "a landscape with neighbors 'normal'");
  return asked.map((question) => ({ ...question, points }));
}

/** Scores the cells with any detector. */
async function scoreInBatches(run: Run, detector: AnyDetector, { grid, empty: { values } }: Canvas): Promise<void> {
  const place = (cell: number): number => LAID_OUT + (1 - LAID_OUT) * (cell / grid.rows);
  for (const [from, to] of batchesOf(grid)) {
    const rows = await run.finish(cellsOf(grid, from, to));
    values.set(await detector.scoreAsync(rows, run.optionsOfPart(place(from), place(to))), from);
  }
}

/** Cells from … to − 1 that are scored together: never all of a large grid of wide rows. */
function batchesOf({ rows, columns }: Grid): Array<[from: number, to: number]> {
  const batch = Math.max(1, Math.floor(BATCH / columns));
  return Array.from({ length: Math.ceil(rows / batch) }, (_, i) => [i * batch, Math.min(rows, (i + 1) * batch)]);
}

/** Cells written out. */
function* cellsOf(grid: Grid, from: number, to: number): Steps<FlatMatrix> {
  const { columns } = grid;
  const data = new Float64Array((to - from) * columns);
  yield* inBlocks(to - from, columns, (first, last) => {
    for (let i = first; i < last; i++) grid.read(from + i, data, i * columns);
  });
  return { data, rows: to - from, columns };
}
