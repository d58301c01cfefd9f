// Messages to threads and their answers.
import type { BackendName, JoinPart, PLACES, POINTS, PointsImage } from '../core/backend.js';
import type { FlatMatrix } from '../core/input/matrix.js';
import type { Model } from '../core/model-file/model-file.js';
import type { Binary, Build } from '../core/wasm/build.js';
import type { Answers, PointsQuestion } from './work.js';

/** The WebAssembly build a thread is to use; it has none of its own. */
export interface BuildMessage {
  readonly task: 'build';
  readonly build: Build;
  readonly binary: Binary;
}

/** Points to be asked about under a key. */
export interface HoldMessage {
  readonly task: 'hold';
  readonly key: number;
  readonly backend: BackendName;
  readonly image: PointsImage;
}

/** Questions about points: about themselves, or about rows that come along. */
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

/** Asks for the results of a part of a self-join whose candidates are complete. */
export interface SettleMessage {
  readonly task: 'resolve';
  readonly key: number;
  readonly question: PointsQuestion;
  readonly k: number;
  readonly part: JoinPart;
}

/** A fitted detector to be kept under a key. */
export interface AdoptMessage {
  readonly task: 'adopt';
  readonly key: number;
  readonly backend: BackendName;
  readonly model: Model;
}

export interface ScoreMessage {
  readonly task: 'score';
  readonly key: number;
  readonly rows: FlatMatrix;
}

/** A whole fit, for detectors whose training cannot be shared out. */
export interface FitMessage {
  readonly task: 'fit';
  readonly options: Readonly<Record<string, unknown>>;
  readonly rows: FlatMatrix;
}

/** Ends what is kept under a key, or a fit that runs under an id. */
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
  forget: undefined;
  abort: undefined;
}

/** The id of the first message of a thread, which says that it has started. */
export const STARTED = 0;

/** Sent instead of a request: the thread may end. */
export const END = 'end';

export interface Request {
  readonly id: number;
  readonly message: Message;
}

/** An error as it can be sent. */
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
