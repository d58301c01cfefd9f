// Properties of a fitted detector: its columns, its training rows, and its notes on tables.

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

  /** How tables become rows: columns, features, and omitted columns. Undefined if the rows had no names. */
  get recipe(): Recipe | undefined {
    return this.state.recipe;
  }

  /** The columns it was fitted on, and how each is used; undefined if the rows had no names. */
  get columns(): readonly UsedColumn[] | undefined {
    return this.recipe?.columns;
  }

  /** What the last call omitted from a table or did not recognize, in sentences. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** The table rows that `scores` belong to, if `missing: 'drop'` omitted others from the fit. */
  get keptRows(): Uint32Array | undefined {
    return this.#keptRows;
  }

  /** How neighbours among the training rows are searched, and how exactly; undefined for detectors without neighbours. */
  get search(): SearchReport | undefined {
    return this.searchOf(this.state.fitted);
  }

  /** @internal The stored training rows, if the detector keeps them. */
  get heldRows(): HeldRows | undefined {
    return this.heldRowsOf(this.state.fitted);
  }

  /** @internal A sample of the training rows, if the detector keeps none; undefined in models of earlier versions. */
  get sample(): TrainingSample | undefined {
    return this.state.sample;
  }

  /** @internal Number of columns of the training rows. */
  get width(): number {
    return this.columnsOf(this.state.fitted);
  }

  /** @internal The position of a row among the training rows, if they are kept. */
  standing(row: number | RowSource): Standing | undefined {
    return this.standingOf(this.state.fitted, row);
  }

  /** The result of training, for a detector's own methods. */
  protected get fitted(): Fitted {
    return this.state.fitted;
  }

  /** Keeps the notes from reading rows. */
  protected noteRows(reader: TableReader): void {
    this.#notes = reader.notes;
  }

  /** The same for training rows; none if they came with a model file. */
  protected noteTraining(reader: TableReader | undefined): void {
    this.#notes = reader?.notes ?? [];
    this.#keptRows = reader?.kept;
  }
}
