// What a stream asks for, and what answers it.
import type { NearestNeighbors, RowScaling, TableOptions } from '../../index.js';
import type { SavedModel } from '../model.js';
import type { BlockFit } from './block-fit.js';
import type { ArrowInput } from './input.js';
import type { ArrowOutput } from './output.js';

/** What a call says, as JSON in the metadata of the schema of its stream. */
export interface Request {
  readonly call: string;
  /** Columns that hold the rows. Default: those of the model, or all but `id`. */
  readonly columns?: readonly string[];
  /** A column that is passed through to the answer. */
  readonly id?: string;
  /** The name under which a model, or a search, is kept in this worker. */
  readonly key?: string;
  /** Threads beside the main one. Default 0. */
  readonly threads?: number;
  readonly detector?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Names of the columns, where they come as rows in one column. */
  readonly names?: readonly string[];
  /** How a fit makes rows of columns that need not be numbers; where it is missing they must be. */
  readonly table?: TableOptions;
  /** Whether the options are those of the command: messages about tables name options as they are spelt there. */
  readonly isAtTerminal?: boolean;
  /** Training rows to explain, by their indices. */
  readonly rows?: readonly number[];
  readonly k?: number;
  readonly selector?: string;
  /** How many rows a selector keeps: 'retain' where it decides by itself. */
  readonly how?: 'retain' | { readonly keep?: number; readonly count?: number };
  /** The column of classes for a selector. */
  readonly classes?: string;
  /** How rows are scaled in all blocks of a fit. */
  readonly scaling?: RowScaling;
  /** Statistics of all rows, as JSON. */
  readonly statistics?: unknown;
  /** How many rows there are. */
  readonly count?: number;
  /** The column of scores that were found elsewhere. */
  readonly scores?: string;
}

/** A model that is kept, and its file. */
export interface KeptModel {
  readonly bytes: Uint8Array;
  readonly saved: SavedModel;
}

/** What calls keep for those that follow. */
export interface Keeping {
  keep(key: string, model: KeptModel): void;
  model(key: string | undefined): SavedModel;
  bytes(key: string | undefined): Uint8Array;
  keepSearch(key: string, search: NearestNeighbors): void;
  search(key: string | undefined): NearestNeighbors;
  keepBlock(key: string, block: BlockFit): void;
  block(key: string | undefined): BlockFit;
  drop(key: string): void;
  /** Writes a fitted model to the file that the command named. */
  saveFitted(key: string): Promise<void>;
}

export type Call = (input: ArrowInput, output: ArrowOutput, request: Request, kept: Keeping) => Promise<void>;
