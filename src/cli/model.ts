// Reads model files for the command line. They are the library's own format, so load() reads them anywhere.
import { readFile, stat } from 'node:fs/promises';
import { readModel } from '../core/model-file/model-file.js';
import { type AnyDetector, load } from '../index.js';
import { Recipe } from '../tables/recipe.js';
import { DataError, quote } from './errors.js';

export interface SavedModel {
  readonly detector: AnyDetector;
  /** How columns become numbers; by position if the model has no recipe. */
  readonly recipe: Recipe;
  /** The name of the detector, and the header fields of the file. */
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly size: number;
  /** Whether it was fitted on a table and so knows column names. */
  readonly hasRecipe: boolean;
}

export async function openModel(path: string): Promise<SavedModel> {
  return (await readModelFile(path)).saved;
}

/** A model and the bytes of its file. */
export async function readModelFile(path: string): Promise<{ bytes: Uint8Array; saved: SavedModel }> {
  if ((await stat(path)).isDirectory()) throw new DataError(`${quote(path)} is a folder, not a model file`);
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

/** Reads the description of the model in a file. */
export function describeModel(bytes: Uint8Array, detector: AnyDetector): SavedModel {
  const { detector: kind, fields } = readModel(bytes);
  const columns = fields['columns'];
  if (typeof columns !== 'number') throw new DataError('the model file does not state its number of columns');
  const { table: _, ...rest } = fields;
  const { recipe = Recipe.ofNumbers(columns) } = detector;
  return { detector, recipe, kind, fields: rest, size: bytes.length, hasRecipe: detector.recipe !== undefined };
}
