// Worker calls of a fit distributed over many processes: column statistics and scaling, one block searching others, and
// the threshold and model from all scores at the end.
import { uint32 } from '@uwdata/flechette';
import { wholeNumber } from '../../core/options.js';
import { finish } from '../../core/steps.js';
import { findThreshold } from '../../detectors/threshold-rule.js';
import { ColumnStatistics, CurvadError, scalingOf } from '../../index.js';
import { describeModel } from '../model.js';
import { BlockFit, type BlockRows, inBlocks, scalingOptions } from './block-fit.js';
import { type Collected, collectRows, withNames } from './collect.js';
import { columnOf, textColumn } from './columns.js';
import { detectorOf } from './detectors.js';
import type { ArrowInput } from './input.js';
import type { ArrowOutput } from './output.js';
import type { Call, Request } from './request.js';
import { placesOf, takeNumbers } from './rows.js';

/** Statistics of the columns, as JSON that `merge` takes. */
export const statistics: Call = async (input, output, { columns, id }) => {
  const places = placesOf(input.fields, { columns, others: [id] });
  let known: ColumnStatistics | undefined;
  for await (const table of input.batches()) {
    const matrix = takeNumbers(table, places);
    known ??= new ColumnStatistics(matrix.columns);
    if (matrix.rows > 0) known.add(matrix);
  }
  if (known === undefined) throw new CurvadError('EMPTY_INPUT', 'there are no rows');
  await answerText(output, 'statistics', known);
};

/** Merges statistics. */
export const merge: Call = async (input, output) => {
  let known: ColumnStatistics | undefined;
  for await (const table of input.batches()) {
    for (const text of table.getChild('statistics')) {
      const part = ColumnStatistics.from(JSON.parse(text as string));
      known = known === undefined ? part : known.merge(part);
    }
  }
  if (known === undefined) throw new CurvadError('EMPTY_INPUT', 'there are no statistics');
  await answerText(output, 'statistics', known);
};

/** The scaling of a fit on all rows, from their statistics. */
export const scaling: Call = async (input, output, request) => {
  const windowed = inBlocks(detectorOf(request.detector, request.options));
  const known = ColumnStatistics.from(request.statistics as never);
  await input.skip();
  const found = scalingOf(known, scalingOptions(windowed, known.columns));
  await answerText(output, 'scaling', found);
};

/** The indices of a detector's landmarks among all rows; none if it has no landmarks. */
export const landmarks: Call = async (input, output, { detector, options, count }) => {
  await input.skip();
  const { scoring } = inBlocks(detectorOf(detector, options));
  const rows = typeof scoring === 'object' ? scoring.landmarksOf(checkedCount(count)) : [];
  await output.batch([['row', columnOf(Float64Array.from(rows))]]);
};

/** Stores a block of rows and finds the nearest neighbours within it. */
export const block: Call = async (input, output, request, session) => {
  const windowed = inBlocks(detectorOf(request.detector, request.options));
  const rows = await rowsOfBlock(input, request);
  if (request.scaling === undefined) throw new CurvadError('SCALING_INVALID', 'a block needs a scaling');
  const fit = new BlockFit(
    windowed,
    rows,
    request.scaling,
    request.count === undefined ? rows.matrix.rows : checkedCount(request.count),
  );
  session.keepBlock(request.key ?? '', fit);
  await answerText(output, 'facts', { reach: finite(fit.search.reach) });
};

/** For each box, given as low corner then high corner: how many rows may have a neighbour in it. */
export const wanting: Call = async (input, output, { key }, session) => {
  const { search } = session.block(key);
  const places = placesOf(input.fields, { others: [] });
  await output.begin([['rows', uint32()]]);
  for await (const table of input.batches()) {
    const { data, rows, columns } = takeNumbers(table, places);
    const counts = Uint32Array.from({ length: rows }, (_, i) => {
      const box = data.subarray(i * columns, (i + 1) * columns);
      return search.wanting(box.subarray(0, columns / 2), box.subarray(columns / 2)).length;
    });
    await output.batch([['rows', columnOf(counts)]]);
  }
};

/** The search radius of each row of a block. */
export const limits: Call = async (input, output, { key }, session) => {
  await input.skip();
  await output.batch([['limit', columnOf(session.block(key).search.limits)]]);
};

/** Searches another block, or a part of one, for nearer rows. */
export const visit: Call = async (input, output, request, session) => {
  const { search } = session.block(request.key);
  const { matrix, ids } = await rowsOfBlock(input, request);
  const { asking } = request;
  search.visit(matrix, ids, asking ? Uint32Array.from(asking) : search.wanting(...cornersOf(matrix)));
  await answerText(output, 'facts', { reach: finite(search.reach) });
};

/** The scores of a block's rows, once all relevant blocks were searched; LandmarkCAD needs its landmarks here. */
export const blockScores: Call = async (input, output, request, session) => {
  const fit = session.block(request.key);
  const landmarks = request.id === undefined ? undefined : await rowsOfBlock(input, request);
  await input.skip();
  await output.batch([
    ['id', columnOf(fit.ids)],
    ['score', columnOf(fit.scores(landmarks))],
  ]);
};

/** Ids and distances of the k neighbours of each row of a block, nearest first. */
export const lists: Call = async (input, output, { key }, session) => {
  await input.skip();
  const { ids, distances } = session.block(key).lists;
  await output.batch([
    ['id', columnOf(ids)],
    ['distance', columnOf(distances)],
  ]);
};

/** The threshold of a detector with these training scores: the column `score`. */
export const threshold: Call = async (input, output, request) => {
  const { thresholdRule } = detectorOf(request.detector, request.options);
  const { matrix } = await collectRows(input, request);
  const { value } = finish(findThreshold(Float64Array.from(matrix.data), thresholdRule));
  await answerText(output, 'facts', { threshold: finite(value) });
};

/** The model file of a fit on all rows, given their scores. */
export const assemble: Call = async (input, output, request, session) => {
  const detector = detectorOf(request.detector, request.options);
  inBlocks(detector);
  const collected = await collectRows(input, { ...request, classes: request.scores ?? 'score' });
  const rows = withNames(collected, request.names);
  detector.fitScored(rows, collected.labels as Float64Array, collected.besides);
  const bytes = detector.toBytes();
  session.keep(request.key ?? '', { bytes, saved: describeModel(bytes, detector) });
  await answerText(output, 'facts', { threshold: finite(detector.threshold) });
};

/** How many rows there are in all blocks. */
function checkedCount(count: unknown): number {
  return wholeNumber(count ?? null, 'count', 1, 1, 'COUNT_INVALID');
}

/** JSON in the one cell of a column. */
async function answerText(output: ArrowOutput, name: string, value: unknown): Promise<void> {
  await output.batch([[name, textColumn(JSON.stringify(value))]]);
}

/** JSON cannot represent infinity. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

async function rowsOfBlock(input: ArrowInput, request: Request): Promise<BlockRows> {
  const { matrix, ids }: Collected = await collectRows(input, request);
  const all = ids.flatMap((column) => Array.from(column, Number));
  if (request.id === undefined) throw new CurvadError('IDS_INVALID', 'name the id column with id');
  return { matrix, ids: Float64Array.from(all) };
}

/** The low and the high corner of the bounding box of rows. */
function cornersOf({ data, rows, columns }: BlockRows['matrix']): [Float64Array, Float64Array] {
  const low = new Float64Array(columns).fill(Infinity);
  const high = new Float64Array(columns).fill(-Infinity);
  for (let i = 0; i < rows * columns; i++) {
    const j = i % columns;
    low[j] = Math.min(low[j] as number, data[i] as number);
    high[j] = Math.max(high[j] as number, data[i] as number);
  }
  return [low, high];
}
