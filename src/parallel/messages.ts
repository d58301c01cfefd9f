// Messages to threads and their answers.
import type { BackendName, JoinPart, Leftovers, PLACES, POINTS, PointsImage } from '../core/backend.js';
import type { FlatMatrix } from '../core/input/matrix.js';
import type { Model } from '../core/model-file/model-file.js';
import type { Binary, Build } from '../core/wasm/build.js';
import type { Answers, PointsQuestion } from './work.js';

/** The WebAssembly build for a thread, which includes none itself. */
export interface BuildMessage {
  readonly task: 'build';
  readonly build: Build;
  readonly binary: Binary;
}

/** Points to keep for queries, under a key. */
export interface HoldMessage {
  readonly task: 'hold';
  readonly key: number;
  readonly backend: BackendName;
  readonly image: PointsImage;
}

/** A query of points: for themselves, or for rows in the message. */
export interface AskMessage {
  readonly task: 'ask';
  readonly key: number;
  readonly question: PointsQuestion;
  readonly k: number;
  readonly from: number;
  readonly to: number;
  readonly queries: FlatMatrix | typeof POINTS | typeof PLACES;
}

/** Two parts of a self-join that exchange candidates, or one part with itself. */
export interface MeetMessage {
  readonly task: 'exchange';
  readonly key: number;
  readonly k: number;
  readonly parts: readonly JoinPart[];
}

/** Requests the results of a part of a self-join whose candidates are complete. */
export interface SettleMessage {
  readonly task: 'resolve';
  readonly key: number;
  readonly question: PointsQuestion;
  readonly k: number;
  readonly part: JoinPart;
}

/** A fitted detector to keep under a key. */
export interface AdoptMessage {
  readonly task: 'adopt';
  readonly key: number;
  readonly backend: BackendName;
  readonly model: Model;
  /** The points that it holds, where they are lent; otherwise the model has their rows. */
  readonly image: PointsImage | undefined;
}

export interface ScoreMessage {
  readonly task: 'score';
  readonly key: number;
  readonly rows: FlatMatrix;
}

/** A whole fit, for detectors whose training cannot be shared. */
export interface FitMessage {
  readonly task: 'fit';
  readonly options: Readonly<Record<string, unknown>>;
  readonly rows: FlatMatrix;
}

/** Drops what is kept under a key, or stops the fit with an id. */
export interface ForgetMessage {
  readonly task: 'forget' | 'abort';
  readonly key: number;
}

export type Message =
  | BuildMessage
  | HoldMessage
  | AskMessage
  | MeetMessage
  | SettleMessage
  | AdoptMessage
  | ScoreMessage
  | FitMessage
  | ForgetMessage;

/** The answer to each task. */
export interface Replies {
  build: undefined;
  hold: undefined;
  ask: Answers;
  exchange: Uint32Array[];
  resolve: Answers;
  adopt: undefined;
  score: Float64Array;
  fit: Model;
  forget: Leftovers | undefined;
  abort: undefined;
}

/** The id of a thread's first message, which reports that it has started. */
export const STARTED = 0;

/** Sent instead of a request: the thread may end. */
export const END = 'end';

export interface Request {
  readonly id: number;
  readonly message: Message;
}

/** An error in a form that can be sent. */
export interface SentError {
  readonly code: string | undefined;
  readonly message: string;
  readonly row: number | undefined;
  readonly column: number | undefined;
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly progress: number }
  | { readonly id: number; readonly error: SentError };
