// Scores of whole tables: for Parquet with the columns of the input, which is written column by column.
import { finish } from '../../core/steps.js';
import type { ReadOptions } from '../../files/options.js';
import { applyRecipe } from '../../tables/apply.js';
import { findColumn } from '../../tables/find.js';
import { AT_A_TERMINAL } from '../../tables/wording.js';
import { placeOf, readFiles } from '../input.js';
import type { SavedModel } from '../model.js';
import { writeOutput } from '../output.js';
import type { Scored } from '../ranking.js';
import { scoredRows } from '../scored-output.js';
import type { Terminal } from '../terminal.js';

export interface TableScoring {
  readonly paths: readonly string[];
  readonly options: ReadOptions;
  readonly out: string;
  readonly id: string | undefined;
  readonly threads: number | undefined;
  readonly onlyAnomalies: boolean;
  probabilityOf(score: number): number;
}

/** Scores all rows of the files and writes them; returns their number. */
export async function scoreTable(model: SavedModel, given: TableScoring, terminal: Terminal): Promise<number> {
  const { paths, id, onlyAnomalies } = given;
  const { recipe, detector } = model;
  const used = new Set(recipe.columns.map(({ name }) => name));
  const keeping = { text: id === undefined ? [] : [id] };
  const unused = (name: string) => recipe.isNamed && !used.has(name);
  const { table, files } = await readFiles(paths, given.options, { keeping, unused }, terminal);
  if (id !== undefined) findColumn(table, id, '--id');
  const where = files.map(({ opened }) => opened.source.name).join(', ');
  const encoded = finish(applyRecipe(table, { recipe, where, wording: AT_A_TERMINAL }));
  for (const note of encoded.notes) terminal.warn(note);
  const { data, rows, columns, kept } = encoded;
  const threads = given.threads === undefined ? {} : { threads: given.threads };
  const scores = await detector.scoreAsync({ data, rows, columns }, threads);
  const scored: Scored = {
    scores,
    probabilities: scores.map(given.probabilityOf),
    threshold: detector.threshold,
    rowNumbers: kept ?? Uint32Array.from({ length: rows }, (_, row) => row),
    placeOf: files.length > 1 ? (row) => placeOf({ files }, row) : undefined,
    id: undefined,
    labels: undefined,
    labelName: undefined,
  };
  const flagged = (position: number): boolean => (scores[position] as number) > detector.threshold;
  const positions = onlyAnomalies ? Uint32Array.from(scores, (_, i) => i).filter(flagged) : undefined;
  const output = { format: 'parquet', scoresOnly: false, positions, reasons: undefined } as const;
  const input = { table, files };
  await writeOutput(given.out, scoredRows(input, scored, output, terminal));
  return positions?.length ?? rows;
}
