// The calls of a worker: each reads one stream and answers with one.
import { type Column, columnFromArray, float64, int8, largeBinary } from '@uwdata/flechette';
import { type AnyDetector, CurvadError, type FlatMatrix } from '../../index.js';
import { describeModel, readSaved, type SavedModel } from '../model.js';
import { collectTraining } from './collect.js';
import { sparseColumnOf, textColumn } from './columns.js';
import { detectorOf } from './detectors.js';
import type { Call } from './request.js';
import { placesOf, spread, takeForModel } from './rows.js';

/** Scores batch by batch: `id`, `score`, and `label`, 1 above the threshold of the model. */
export const score: Call = async (input, output, { columns, id, key, threads = 0 }, session) => {
  const model = session.model(key);
  const wanted = { columns, others: [id] };
  if (input.fields.length === 0) throw new CurvadError('NO_COLUMNS', 'the stream has no columns');
  placesOf(input.fields, wanted);
  const begun = scoreColumns(new Float64Array(0), 0, Infinity, undefined);
  const idType = input.fields.find(({ name }) => name === id)?.type;
  await output.begin([
    ...(idType ? [['id', idType] as const] : []),
    ...begun.map(([name, { type }]) => [name, type] as const),
  ]);
  for await (const table of input.batches()) {
    const { matrix, kept } = takeForModel(table, model, wanted);
    const scores = matrix.rows === 0 ? new Float64Array(0) : await scoresOf(model.detector, matrix, threads);
    const ids = id === undefined ? [] : [['id', table.getChild(id) as Column<unknown>] as const];
    await output.batch([...ids, ...scoreColumns(scores, table.numRows, model.detector.threshold, kept)]);
  }
};

async function scoresOf(detector: AnyDetector, matrix: FlatMatrix, threads: number): Promise<Float64Array> {
  return threads === 0 ? detector.score(matrix) : detector.scoreAsync(matrix, { threads });
}

/** Scores and labels of a batch; null for omitted rows. */
function scoreColumns(scores: Float64Array, rows: number, threshold: number, kept: Uint32Array | undefined) {
  const labels = new Int8Array(scores.length);
  for (let i = 0; i < scores.length; i++) labels[i] = (scores[i] as number) > threshold ? 1 : 0;
  return [
    ['score', sparseColumnOf(spread(scores, rows, kept), float64())],
    ['label', sparseColumnOf(spread(labels, rows, kept), int8())],
  ] as const;
}

/** Fits a detector on all rows of the stream and answers as `score` does; the model is kept under `key`. */
export const fit: Call = async (input, output, request, session) => {
  const { id, key = '', threads = 0 } = request;
  const detector = detectorOf(request.detector, request.options);
  const { rows, total, ids, lengths } = await collectTraining(input, request);
  if (threads === 0) detector.fit(rows);
  else await detector.fitAsync(rows, { threads });
  const bytes = detector.toBytes();
  session.keep(key, { bytes, saved: describeModel(bytes, detector) });
  await session.saveFitted(key);
  const { threshold, isDegenerate, width, keptRows } = detector;
  const idType = input.fields.find(({ name }) => name === id)?.type;
  const types = scoreColumns(new Float64Array(0), 0, threshold, undefined).map(
    ([name, { type }]) => [name, type] as const,
  );
  const columns = { columns: width, ...(request.table && { notes: detector.notes }) };
  const facts = { rows: total, ...columns, threshold: isDegenerate ? null : threshold };
  await output.begin([...(idType ? [['id', idType] as const] : []), ...types], facts);
  let from = 0;
  for (const [batch, length] of lengths.entries()) {
    const part = keptRows === undefined ? detector.scores.subarray(from, from + length) : detector.scores;
    const idColumn = ids[batch] === undefined ? [] : [['id', ids[batch] as Column<unknown>] as const];
    await output.batch([...idColumn, ...scoreColumns(part, length, threshold, keptRows)]);
    from += length;
  }
};

/** The bytes of a model file, in one row of the column `model`. */
export const model: Call = async (input, output, { key }, session) => {
  await input.skip();
  await output.batch([['model', columnFromArray([session.bytes(key)], largeBinary()) as Column<unknown>]]);
};

/** Keeps a model, whose file is the only cell of the column `model`; describes it in `info`. */
export const load: Call = async (input, output, { key = '' }, session) => {
  let saved: SavedModel | undefined;
  for await (const table of input.batches()) {
    const bytes = table.getChild('model')?.at(0) as Uint8Array | undefined;
    if (!(bytes instanceof Uint8Array)) throw new CurvadError('MODEL_TYPE', 'the column model must hold a model file');
    saved = readSaved(bytes.slice());
    session.keep(key, { bytes: bytes.slice(), saved });
  }
  if (saved === undefined) throw new CurvadError('MODEL_TYPE', 'there is no model in the stream');
  const { kind, fields, detector, recipe, hasRecipe } = saved;
  const names = hasRecipe && recipe.isNamed ? recipe.columns.map(({ name }) => name) : null;
  const info = { detector: kind, columns: fields['columns'], rows: detector.scores.length, names };
  const facts = { ...info, threshold: detector.isDegenerate ? null : detector.threshold };
  await output.batch([['info', textColumn(JSON.stringify(facts))]]);
};

/** Frees what is kept under `key`. */
export const drop: Call = async (input, output, { key = '' }, session) => {
  await input.skip();
  session.drop(key);
  await output.begin([]);
};
