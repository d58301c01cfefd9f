// Where the columns of a recipe are in a table that is to be scored: by name, or by place where there are no names.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import type { Recipe } from './recipe.js';
import { listOf } from './wording.js';

/** The place of each column of the recipe. `where` is what the table is called. */
export function locate(recipe: Recipe, names: readonly string[], hasNames: boolean, where: string): number[] {
  const { columns, width, isNamed } = recipe;
  if (isNamed && hasNames) return byName(recipe, names, where);
  if (names.length === width) return columns.map(({ index }) => index);
  if (names.length === columns.length) return columns.map((_, place) => place);
  const needs = width === columns.length ? `${width}` : `${columns.length} or ${width}`;
  throw new CurvadError('WRONG_WIDTH', `${where} has ${names.length} columns, the model needs ${needs}`);
}

function byName({ columns }: Recipe, names: readonly string[], where: string): number[] {
  const places = new Map<string, number>();
  for (const [place, name] of names.entries()) if (!places.has(name)) places.set(name, place);
  // Readers of files trim names, programs need not.
  const trimmed = new Map<string, number>();
  for (const [place, name] of names.entries()) if (!trimmed.has(name.trim())) trimmed.set(name.trim(), place);
  const found = columns.map(({ name }) => places.get(name) ?? trimmed.get(name.trim()));
  const lacking = columns.filter((_, i) => found[i] === undefined).map(({ name }) => quote(name));
  if (lacking.length === 0) return found as number[];
  const has =
    names.length === 0
      ? 'none'
      : listOf(
          names.map((name) => quote(name, 30)),
          12,
        );
  throw new CurvadError(
    'COLUMNS_MISSING',
    `${where} has no column ${listOf(lacking, 5)}, which the model needs; it has ${has}`,
  );
}

/** The columns that the recipe knows nothing of, as a note; undefined where there are none. */
export function noteOnUnknown(recipe: Recipe, names: readonly string[], used: readonly number[]): string | undefined {
  if (!recipe.isNamed) return undefined;
  const known = new Set(recipe.left.map(({ name }) => name));
  const taken = new Set(used);
  const unknown = names.filter((name, place) => !taken.has(place) && !known.has(name)).map((name) => quote(name, 30));
  if (unknown.length === 0) return undefined;
  return `ignored ${unknown.length === 1 ? 'the column' : 'the columns'} ${listOf(unknown)}, which the model does not use`;
}
