// Objects that are to be scored, as numbers: cell by cell, without a table in between.

import { CurvadError } from '../core/errors.js';
import { allocate } from '../core/input/matrix.js';
import { count, quote } from '../core/messages.js';
import { inBlocks, type Steps } from '../core/steps.js';
import type { Application, Encoded } from './apply.js';
import { cellOf } from './cells.js';
import { CellEncoder } from './encode.js';
import { locate, noteOnUnknown } from './locate.js';
import { checkRow, type Row } from './objects.js';
import type { UsedColumn } from './recipe.js';

/** The rows by a recipe with names, with the same numbers as a table of them would give. */
export function* encodeObjects(rows: readonly unknown[], { recipe, where, wording }: Application): Steps<Encoded> {
  const keys = new Set<string>();
  const width = recipe.features.length;
  const data = allocate(rows.length * width);
  const encoders = recipe.columns.map((column) => new CellEncoder(column));
  const lacks = new Map<UsedColumn, number>();
  let unknown = 0;
  let last: readonly string[] = [];
  let sources: ReadonlyArray<string | undefined> = [];
  const kept: number[] = [];
  const encode = (row: Row, at: number): void => {
    const own = Object.keys(row);
    if (own.length !== last.length || own.some((key, j) => key !== last[j])) {
      for (const key of own) keys.add(key);
      last = own;
      sources = sourcesOf(own, recipe.columns);
    }
    const to = kept.length * width;
    let isComplete = true;
    for (let c = 0; c < encoders.length; c++) {
      const encoder = encoders[c] as CellEncoder;
      const { column } = encoder;
      const source = sources[c];
      const value = source === undefined ? undefined : row[source];
      const offset = to + (recipe.offsets[c] as number);
      if (column.kind === 'number' && typeof value === 'number' && value - value === 0 && !column.hasIndicator) {
        data[offset] = value;
        continue;
      }
      const outcome = encoder.encode(cellOf(value), data, offset);
      if (outcome === 'unknown') unknown++;
      else if (typeof outcome === 'object') {
        const message = `row ${at}, column ${quote(column.name)} ${outcome.fault}; ${wording.ignore(column.name)}`;
        throw new CurvadError('CELL_TYPE', message, { row: at });
      } else if (outcome === 'missing') {
        lacks.set(column, (lacks.get(column) ?? 0) + 1);
        if (recipe.missing === 'drop') isComplete = false;
        else if (recipe.missing === 'error' || Number.isNaN(data[offset])) {
          locate(recipe, [...keys], true, where); // where no row has the column, that is what is wrong
          const message = `row ${at}, column ${quote(column.name)} is missing: ${wording.missing}`;
          throw new CurvadError('MISSING_VALUE', message, { row: at });
        }
      }
    }
    if (isComplete) kept.push(at);
  };
  yield* inBlocks(rows.length, width, (from, to) => {
    for (let at = from; at < to; at++) encode(checkRow(rows[at], at), at);
  });
  const names = [...keys];
  const notes: string[] = [];
  const unused = noteOnUnknown(recipe, names, locate(recipe, names, true, where));
  if (unused !== undefined) notes.push(unused);
  const left = rows.length - kept.length;
  if (left > 0) notes.push(`left out ${count(left, 'row')} of ${rows.length} that lack values`);
  if (unknown > 0) notes.push(`${count(unknown, 'cell')} held categories the model does not know`);
  return {
    data: left > 0 ? data.subarray(0, kept.length * width) : data,
    rows: kept.length,
    columns: width,
    kept: left > 0 ? Uint32Array.from(kept) : undefined,
    notes,
  };
}

/** The key of each column, as `locate` finds it. */
function sourcesOf(keys: readonly string[], columns: readonly UsedColumn[]): Array<string | undefined> {
  const own = new Set(keys);
  const trimmed = new Map<string, string>();
  for (const key of keys) if (!trimmed.has(key.trim())) trimmed.set(key.trim(), key);
  return columns.map(({ name }) => (own.has(name) ? name : trimmed.get(name.trim())));
}
