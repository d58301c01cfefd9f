// What the page asks of the engine, and what the engine answers: calls by name. Typed arrays in answers are given away,
// so that a million scores cross to the page without a copy.
import type { MethodName, OptionValues } from '../methods.js';
import type { SelectorName } from '../selectors.js';

export type SetName = 'moons' | 'clusters' | 'rings' | 'sensors' | 'series';

/** What is made of the cells of a column: texts, numbers that were written as text, days since 1970, gaps of what is no number. */
export type Conversion = 'texts' | 'numbers' | 'days' | 'gaps';

/** What a column is used for. */
export const COLUMN_USES = ['number', 'category', 'time', 'class', 'identity', 'ignore'] as const;
export type ColumnUse = (typeof COLUMN_USES)[number];

/** Columns that are used for something else than what the page takes them for. */
export type Uses = ReadonlyArray<readonly [column: string, use: ColumnUse]>;

export interface ColumnSummary {
  readonly name: string;
  /** What the file holds. */
  readonly kind: 'number' | 'integer' | 'boolean' | 'time' | 'text' | 'other';
  readonly use: ColumnUse;
  /** The uses there are. */
  readonly uses: readonly ColumnUse[];
  readonly missing: number;
  /** Its range, or some of its texts. */
  readonly about: string;
  /** What had to be made of its cells for that use; undefined where they are used as they come. */
  readonly conversion: Conversion | undefined;
}

export interface DataSummary {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
  /** Columns that can be an axis: numbers and times. */
  readonly axes: readonly string[];
  /** A column of times, by which rows can be ordered. */
  readonly time: string | undefined;
  readonly notes: readonly string[];
}

export interface FitReply {
  readonly scores: Float64Array;
  /** The same, ascending. */
  readonly sorted: Float64Array;
  /** How high each score is among all, from 0 to 255. */
  readonly levels: Uint8Array;
  /** Which rows have scores; undefined where all have. */
  readonly threshold: number;
  readonly features: readonly string[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  readonly seconds: number;
  readonly mode: string;
  readonly threads: number;
}

/** Columns, or principal components by these names. */
export const COMPONENTS = ['component 1', 'component 2'] as const;

export interface Bounds {
  readonly x: readonly [low: number, high: number];
  readonly y: readonly [low: number, high: number];
}

export interface LandscapeRequest {
  readonly x: string;
  readonly y: string;
  readonly bounds: Bounds;
  readonly width: number;
  readonly height: number;
  readonly neighbors: 'all' | 'normal';
}

export interface LandscapeReply {
  /** How high each cell is among all, from 0 to 255; the lowest y first. */
  readonly levels: Uint8Array;
  /** Where normal ends: lines between the middles of cells, as x, y, x, y, …, NaN, NaN after each. */
  readonly contour: Float32Array;
  readonly width: number;
  readonly height: number;
  readonly bounds: Bounds;
}

export interface Settings {
  readonly method: MethodName;
  readonly options: OptionValues;
  /** The share of rows to flag, where people say it. */
  readonly share: number | undefined;
  /** Where it was dragged to; undefined where the detector finds it. */
  readonly threshold: number | undefined;
}

export interface ColumnReason {
  readonly name: string;
  /** Categories by their text. */
  readonly value: number | string;
  readonly typical: number | string;
  readonly share: number;
}

export interface ColumnChange {
  readonly name: string;
  readonly from: number | string;
  readonly to: number | string;
}

export interface ExplainReply {
  readonly row: number;
  readonly score: number;
  readonly threshold: number;
  readonly isAnomaly: boolean;
  readonly basis: string;
  readonly columns: readonly ColumnReason[];
  readonly changes: readonly ColumnChange[];
  readonly isNormalAfter: boolean;
  readonly why: string | undefined;
  readonly words: string;
  readonly neighbors: readonly number[];
  /** All cells of the row, as text. */
  readonly cells: ReadonlyArray<readonly [name: string, text: string]>;
  /** Where on the map the counterfactual is, where the axes are columns. */
  readonly after: Readonly<Record<string, number>>;
  /** The features that had to stay, by the names that detectors know. */
  readonly stay: readonly string[];
}

export interface Comparison {
  readonly method: MethodName;
  readonly scores: Float64Array;
  readonly levels: Uint8Array;
  readonly threshold: number;
  readonly seconds: number;
  readonly landscape: LandscapeReply | undefined;
  readonly error: string | undefined;
}

export type StreamScoring = 'window-landmark' | 'window-lof' | 'window-knn' | 'window-cad' | 'series' | 'model';

export interface StreamRequest {
  readonly source: 'sensor' | 'data';
  /** How rows are scored. */
  readonly by: StreamScoring;
  readonly settings: Settings;
  readonly column: string | undefined;
  readonly seed: number;
}

export interface StreamReply {
  readonly values: Float64Array;
  readonly scores: Float64Array;
  readonly alarms: Uint8Array;
  /** Milliseconds spent scoring. */
  readonly elapsed: number;
  readonly isOver: boolean;
}

/** Points under the hand. */
export interface LiveRequest {
  readonly points: Float64Array;
  readonly settings: Settings;
  readonly landscape: LandscapeRequest | undefined;
}

export interface Calls {
  generate: { request: { set: SetName; points: number; seed: number; uses: Uses }; reply: DataSummary };
  open: { request: { file: File }; reply: DataSummary };
  draw: { request: { points: Float64Array }; reply: DataSummary };
  use: { request: { column: string; use: ColumnUse }; reply: DataSummary };
  fit: { request: Settings; reply: FitReply };
  /** Points, scores and landscape in one go, while points are dragged. */
  live: {
    request: LiveRequest;
    reply: { fit: FitReply; landscape: LandscapeReply | undefined };
  };
  /** The cells of a part of a landscape. */
  half: { request: LiveRequest; reply: { values: Float64Array } };
  coordinates: {
    request: { x: string; y: string };
    reply: { x: Float64Array; y: Float64Array; shares: readonly number[] };
  };
  column: {
    request: { name: string };
    reply: { values: Float64Array; order: Uint32Array; times: Float64Array | undefined };
  };
  landscape: { request: { settings: Settings; landscape: LandscapeRequest }; reply: LandscapeReply | undefined };
  explain: { request: { settings: Settings; row: number; frozen: readonly string[] }; reply: ExplainReply };
  path: {
    request: { settings: Settings; row: number; x: string; y: string };
    reply: { points: Float64Array; end: string };
  };
  cells: { request: { rows: readonly number[] }; reply: readonly (readonly string[])[] };
  prototypes: { request: { selector: SelectorName; keep: number }; reply: { kept: Uint32Array; seconds: number } };
  compare: {
    request: { method: MethodName; x: string; y: string; landscape: LandscapeRequest | undefined };
    reply: Comparison & { x: Float64Array; y: Float64Array; rows: number };
  };
  model: { request: { settings: Settings }; reply: { bytes: Uint8Array<ArrayBuffer> } };
  scores: { request: { settings: Settings }; reply: { file: Blob } };
  table: { request: object; reply: { file: Blob } };
  stream: { request: StreamRequest; reply: { columns: readonly string[] } };
  advance: { request: { rows: number }; reply: StreamReply };
}

export type CallName = keyof Calls;
export type RequestOf<Name extends CallName> = Calls[Name]['request'];
export type ReplyOf<Name extends CallName> = Calls[Name]['reply'];

/** To the engine. */
export type ToEngine =
  | { readonly kind: 'call'; readonly id: number; readonly name: CallName; readonly request: unknown }
  | { readonly kind: 'cancel'; readonly id: number };

/** From the engine. */
export type FromEngine =
  | { readonly kind: 'reply'; readonly id: number; readonly reply: unknown }
  | { readonly kind: 'progress'; readonly id: number; readonly done: number }
  | { readonly kind: 'failed'; readonly id: number; readonly code: string; readonly message: string };
