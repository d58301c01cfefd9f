// Model files with the preparation of their columns. The file is the library's own, with one more field in its
// header that the library passes over: what was saved here can be loaded anywhere.
import { readFile, stat } from 'node:fs/promises';
import { readModel, writeModel } from '../core/model-file/model-file.js';
import { type AnyDetector, load } from '../index.js';
import { DataError, quote } from './errors.js';
import { Preparation } from './preparation.js';

const FIELD = 'table';

export interface SavedModel {
  readonly detector: AnyDetector;
  readonly preparation: Preparation;
  /** The name of the detector, and what the header of the file tells. */
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly size: number;
  /** Whether it was saved by this command, and so knows about columns. */
  readonly hasTable: boolean;
}

/** A fitted detector and how its columns came about, as a file. */
export function modelBytes(detector: AnyDetector, preparation: Preparation): Uint8Array {
  const { detector: kind, fields, sections } = readModel(detector.toBytes());
  return writeModel({ detector: kind, fields: { ...fields, [FIELD]: preparation.toJSON() }, sections });
}

export async function openModel(path: string): Promise<SavedModel> {
  return (await readModelFile(path)).saved;
}

/** A model and the bytes of its file. */
export async function readModelFile(path: string): Promise<{ bytes: Uint8Array; saved: SavedModel }> {
  if ((await stat(path)).isDirectory()) throw new DataError(`${quote(path)} is a folder: give a model file`);
  const bytes = await readFile(path);
  try {
    return { bytes, saved: readSaved(bytes) };
  } catch (error) {
    if (error instanceof Error && (error.name === 'CurvadError' || error instanceof DataError))
      throw new DataError(`${quote(path)}: ${error.message}`);
    throw error;
  }
}

/** The model in a file. */
export function readSaved(bytes: Uint8Array): SavedModel {
  return describeModel(bytes, load(bytes));
}

/** What a file says about the model in it. */
export function describeModel(bytes: Uint8Array, detector: AnyDetector): SavedModel {
  const { detector: kind, fields } = readModel(bytes);
  const columns = fields['columns'];
  if (typeof columns !== 'number') throw new DataError('the model file does not tell its columns');
  const { [FIELD]: table, ...rest } = fields;
  const hasTable = table !== undefined;
  const preparation = hasTable ? Preparation.fromJSON(table, columns) : Preparation.ofNumbers(columns);
  return { detector, preparation, kind, fields: rest, size: bytes.length, hasTable };
}
