// Some of the training rows, kept by detectors that need none of them to score (a forest, a machine, an envelope), so
// that a row can still be explained beside others: rows drawn at random, and those with the highest scores.

import type { RowSource } from '../core/input/matrix.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import { Random } from '../core/random/random.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { checkedSection } from './model-parts.js';

export interface TrainingSample {
  /** Which training rows they are: those drawn, ascending, then others from the highest score down. */
  readonly indices: Uint32Array;
  /** How many were drawn. */
  readonly drawn: number;
  /** Row after row, as they were given. */
  readonly rows: Float64Array;
}

/** Rows drawn, and others with the highest scores, at most. */
const DRAWN = 1024;
const HIGHEST = 256;
/** Values kept, at most, unless that were too few rows. */
const MOST_VALUES = 2 ** 16;
const FEWEST = 128;

export function* sampleOf(rows: RowSource, scores: Float64Array): Steps<TrainingSample> {
  const { columns } = rows;
  const drawn = sizesFor(rows.rows, columns);
  const all = Uint32Array.from(scores.keys());
  new Random(0).choose(all, drawn);
  yield;
  const chosen = all.slice(0, drawn).sort();
  const others = highest(all.subarray(drawn), scores, drawn);
  yield;
  const indices = new Uint32Array(chosen.length + others.length);
  indices.set(chosen);
  indices.set(others, chosen.length);
  const values = new Float64Array(indices.length * columns);
  yield* inBlocks(indices.length, columns, (from, to) => {
    for (let i = from; i < to; i++) rows.read(indices[i] as number, values, i * columns);
  });
  return { indices, drawn, rows: values };
}

/** The sections of a model file. */
export function describeSample({ indices, rows }: TrainingSample): Model['sections'] {
  return { sample: indices, sampleRows: rows };
}

/** The sample in a model file; files of earlier versions have none. */
export function restoreSample(model: Model, rows: number): TrainingSample | undefined {
  if (!Object.hasOwn(model.sections, 'sample')) return undefined;
  const indices = checkedSection(model, 'sample', 'u32');
  const values = checkedSection(model, 'sampleRows', 'f64');
  const columns = values.length / indices.length;
  if (!(Number.isInteger(columns) && columns > 0)) throw corrupt('its sample has rows that are not complete');
  if (model.fields['columns'] !== columns) throw corrupt('its sample has another number of columns');
  if (new Set(indices).size !== indices.length || indices.some((row) => row >= rows))
    throw corrupt('its sample names rows that it does not have');
  return { indices, drawn: Math.min(indices.length, sizesFor(rows, columns)), rows: values };
}

/** Rows to draw. */
function sizesFor(rows: number, columns: number): number {
  return Math.min(rows, DRAWN, Math.max(FEWEST, Math.floor(MOST_VALUES / columns)));
}

/** The rows with the highest scores, from the highest down; ties in the order of rows. */
function highest(rows: Uint32Array, scores: Float64Array, drawn: number): Uint32Array {
  const most = Math.min(rows.length, HIGHEST, drawn);
  if (most === 0) return rows;
  const cut = Float64Array.from(rows, (row) => scores[row] as number).sort()[rows.length - most] as number;
  return rows
    .filter((row) => (scores[row] as number) >= cut)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, most);
}
