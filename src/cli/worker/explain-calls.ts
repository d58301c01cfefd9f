// Calls about rows beyond their scores: how unusual they are, and why.
import { type Column, columnFromArray, float64, utf8 } from '@uwdata/flechette';
import { type Explanation, explainRows } from '../../index.js';
import type { SavedModel } from '../model.js';
import { sparseColumnOf, textColumn } from './columns.js';
import { optionsOfDetectors } from './detectors.js';
import type { ArrowInput } from './input.js';
import type { ArrowOutput } from './output.js';
import type { Call, Request } from './request.js';
import { spread, type TakenRows, takeForModel } from './rows.js';

/** How unusual rows are, from 0 to 1; without columns, the training rows. Null for rows that the model omits. */
export const probability: Call = async (input, output, request, session) => {
  const model = session.model(request.key);
  const of = (values: ArrayLike<number | null>) => sparseColumnOf(values, float64());
  if (input.fields.length === 0) {
    await input.skip();
    return output.batch([['probability', of(model.detector.probabilities)]]);
  }
  await eachBatch(input, request, model, (rows) => {
    const { detector } = model;
    return output.batch([['probability', of(spread(detector.probability(rows.matrix), rows.total, rows.kept))]]);
  });
};

/** Why rows are anomalous: an explanation of each as JSON, or of the training rows listed in `rows`. */
export const explain: Call = async (input, output, request, session) => {
  const model = session.model(request.key);
  if (request.rows !== undefined) {
    await input.skip();
    return told(output, explainRows(model.detector, request.rows).map(inJson));
  }
  await eachBatch(input, request, model, (taken) => {
    const { data, columns, rows } = taken.matrix;
    const each = Array.from({ length: rows }, (_, i) => data.subarray(i * columns, (i + 1) * columns));
    return told(output, spread(explainRows(model.detector, each).map(inJson), taken.total, taken.kept));
  });
};

/** The detectors and their options, as JSON in the column `options`. */
export const detectors: Call = async (input, output) => {
  await input.skip();
  const text = JSON.stringify(optionsOfDetectors());
  await output.batch([['options', textColumn(text)]]);
};

async function eachBatch(
  input: ArrowInput,
  { columns, id }: Request,
  model: SavedModel,
  answer: (rows: TakenRows & { total: number }) => Promise<void>,
): Promise<void> {
  for await (const table of input.batches()) {
    if (table.numRows > 0)
      await answer({ ...takeForModel(table, model, { columns, others: [id] }), total: table.numRows });
  }
}

function told(output: ArrowOutput, texts: ArrayLike<string | null>): Promise<void> {
  return output.batch([['explanation', columnFromArray(texts as string[], utf8()) as Column<unknown>]]);
}

function inJson(explanation: Explanation): string {
  return JSON.stringify({ ...(explanation.toJSON() as object), inWords: String(explanation) });
}
