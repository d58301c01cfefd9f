// The request in a stream's metadata, and the state that calls share.
import type { NearestNeighbors, RowScaling, TableOptions } from '../../index.js';
import type { SavedModel } from '../model.js';
import type { BlockFit } from './block-fit.js';
import type { ArrowInput } from './input.js';
import type { ArrowOutput } from './output.js';

/** A request, as JSON in the metadata of the stream's schema. */
export interface Request {
  readonly call: string;
  /** Columns that hold the rows. Default: those of the model, or all but `id`. */
  readonly columns?: readonly string[];
  /** A column to pass through to the answer. */
  readonly id?: string;
  /** The key under which this worker keeps a model or a search. */
  readonly key?: string;
  /** Number of worker threads. Default 0. */
  readonly threads?: number;
  readonly detector?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Column names, if rows come in one column. */
  readonly names?: readonly string[];
  /** How a fit encodes columns that are not numbers; without it all must be numbers. */
  readonly table?: TableOptions;
  /** Whether the request comes from the command line: messages then use its option names. */
  readonly isAtTerminal?: boolean;
  /** Training rows to explain, by their indices. */
  readonly rows?: readonly number[];
  readonly k?: number;
  readonly selector?: string;
  /** How many rows a selector keeps; 'retain' to let it decide. */
  readonly how?: 'retain' | { readonly keep?: number; readonly count?: number };
  /** The class column for a selector. */
  readonly classes?: string;
  /** The scaling of rows in all blocks of a fit. */
  readonly scaling?: RowScaling;
  /** Statistics of all rows, as JSON. */
  readonly statistics?: unknown;
  /** Number of rows. */
  readonly count?: number;
  /** Indices of the rows of a block that search another one. Default: those whose search radius reaches its bounding box. */
  readonly asking?: readonly number[];
  /** Columns of further values computed elsewhere. */
  readonly besides?: readonly string[];
  /** The column of scores computed elsewhere. */
  readonly scores?: string;
}

/** A kept model and its file. */
export interface KeptModel {
  readonly bytes: Uint8Array;
  readonly saved: SavedModel;
}

/** State that calls keep for later calls. */
export interface Keeping {
  keep(key: string, model: KeptModel): void;
  model(key: string | undefined): SavedModel;
  bytes(key: string | undefined): Uint8Array;
  keepSearch(key: string, search: NearestNeighbors): void;
  search(key: string | undefined): NearestNeighbors;
  keepBlock(key: string, block: BlockFit): void;
  block(key: string | undefined): BlockFit;
  drop(key: string): void;
  /** Writes a fitted model to the file named on the command line. */
  saveFitted(key: string): Promise<void>;
}

export type Call = (input: ArrowInput, output: ArrowOutput, request: Request, kept: Keeping) => Promise<void>;
