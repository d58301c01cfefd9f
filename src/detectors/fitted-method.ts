// What a fitted detector can be asked: its columns, its training rows, and what it noted of the tables it was given.

import type { RowSource } from '../core/input/matrix.js';
import type { TableReader } from '../tables/reader.js';
import type { Recipe, UsedColumn } from '../tables/recipe.js';
import type { HeldRows } from './held-rows.js';
import type { SearchReport } from './search-report.js';
import type { Standing } from './standing.js';
import type { TrainingSample } from './training-sample.js';
import { Verdicts } from './verdicts.js';

export abstract class FittedMethod<Fitted> extends Verdicts<Fitted> {
  #notes: readonly string[] = [];
  #keptRows: Uint32Array | undefined;

  /** How tables become rows: columns, features, and what was left out. Undefined where the rows had no names. */
  get recipe(): Recipe | undefined {
    return this.state.recipe;
  }

  /** The columns it was fitted on, and what becomes of each; undefined where the rows had no names. */
  get columns(): readonly UsedColumn[] | undefined {
    return this.recipe?.columns;
  }

  /** What the last call left out or did not know of a table, in sentences. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** The rows of the table that `scores` are of, where `missing: 'drop'` left others out of the fit. */
  get keptRows(): Uint32Array | undefined {
    return this.#keptRows;
  }

  /** How neighbours among the training rows are found, and how exactly; undefined for detectors that look for none. */
  get search(): SearchReport | undefined {
    return this.searchOf(this.state.fitted);
  }

  /** @internal The training rows as they are held, where the detector keeps them. */
  get heldRows(): HeldRows | undefined {
    return this.heldRowsOf(this.state.fitted);
  }

  /** @internal Some of the training rows, where the detector keeps none; undefined in models of earlier versions. */
  get sample(): TrainingSample | undefined {
    return this.state.sample;
  }

  /** @internal Columns of the training rows. */
  get width(): number {
    return this.columnsOf(this.state.fitted);
  }

  /** @internal Where a row stands among the training rows, where they are kept. */
  standing(row: number | RowSource): Standing | undefined {
    return this.standingOf(this.state.fitted, row);
  }

  /** What training gave, for a detector's own methods. */
  protected get fitted(): Fitted {
    return this.state.fitted;
  }

  /** Remembers what was noted when rows were read. */
  protected noteRows(reader: TableReader): void {
    this.#notes = reader.notes;
  }

  /** The same of rows that were learned from; none where they came with a model file. */
  protected noteTraining(reader: TableReader | undefined): void {
    this.#notes = reader?.notes ?? [];
    this.#keptRows = reader?.kept;
  }
}
