// The state of the page, and who is told when it changes: at most once a frame.
import type {
  DataSummary,
  ExplainReply,
  FitReply,
  LandscapeReply,
  SetName,
  Settings,
  Uses,
} from './engine/protocol.js';
import { initialOptions } from './methods.js';
import { after, type Phase, type PhaseEvent } from './phase.js';
import type { SelectorName } from './selectors.js';

export const VIEWS = ['map', 'time', 'compare', 'prototypes', 'stream'] as const;
export type View = (typeof VIEWS)[number];
export type Tool = 'look' | 'draw' | 'move' | 'erase';

/** Something that takes time. */
export interface Working {
  readonly what: string;
  readonly done: number;
  /** Milliseconds, as performance.now() tells them. */
  readonly since: number;
}

export interface Places {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly shares: readonly number[];
}

export interface State {
  readonly phase: Phase;
  /** What can be made again from an address; undefined for files and drawn points. */
  readonly made: { readonly set: SetName; readonly points: number; readonly seed: number } | undefined;
  readonly data: DataSummary | undefined;
  /** What people said that columns are used for, where it is not what the page takes them for. */
  readonly uses: Uses;
  readonly settings: Settings;
  readonly fit: FitReply | undefined;
  /** Above it, rows are flagged: the detector's, or where it was dragged to. */
  readonly threshold: number;
  readonly axes: { readonly x: string; readonly y: string };
  readonly places: Places | undefined;
  readonly landscapeOf: 'all' | 'normal' | 'none';
  readonly landscape: LandscapeReply | undefined;
  readonly selected: number | undefined;
  /** Columns that must stay as they are in what would make the row normal. */
  readonly frozen: readonly string[];
  readonly explanation: ExplainReply | undefined;
  readonly view: View;
  readonly tool: Tool;
  readonly selector: SelectorName;
  readonly keep: number;
  readonly kept: Uint32Array | undefined;
  /** Where the selected row would go: x, y, x, y, … */
  readonly path: { readonly points: Float64Array; readonly isPath: boolean } | undefined;
  readonly working: Working | undefined;
  readonly message: string | undefined;
}

export const INITIAL: State = {
  phase: 'empty',
  made: { set: 'moons', points: 500, seed: 1 },
  data: undefined,
  uses: [],
  settings: { method: 'landmark', options: initialOptions('landmark'), share: undefined, threshold: undefined },
  fit: undefined,
  threshold: Number.NaN,
  axes: { x: 'x', y: 'y' },
  places: undefined,
  landscapeOf: 'all',
  landscape: undefined,
  selected: undefined,
  frozen: [],
  explanation: undefined,
  view: 'map',
  tool: 'look',
  selector: 'icad',
  keep: 0.2,
  kept: undefined,
  path: undefined,
  working: undefined,
  message: undefined,
};

export type Listener = (state: State, changed: ReadonlySet<keyof State>) => void;

export class Store {
  #state = INITIAL;
  readonly #listeners: Listener[] = [];
  readonly #changed = new Set<keyof State>();
  #isDue = false;
  #isClosed = false;

  get state(): State {
    return this.#state;
  }

  set(patch: Partial<State>): void {
    for (const key of Object.keys(patch) as Array<keyof State>)
      if (patch[key] !== this.#state[key]) this.#changed.add(key);
    this.#state = { ...this.#state, ...patch };
    if (this.#isDue || this.#isClosed || this.#changed.size === 0) return;
    this.#isDue = true;
    requestAnimationFrame(() => this.#tell());
  }

  /** Something happened: the page goes on to what it does next. */
  enter(event: PhaseEvent): void {
    this.set({ phase: after(this.#state.phase, event) });
  }

  /** Nobody is told any more. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.length = 0;
  }

  subscribe(listener: Listener): void {
    this.#listeners.push(listener);
  }

  #tell(): void {
    this.#isDue = false;
    const changed = new Set(this.#changed);
    this.#changed.clear();
    for (const listener of this.#listeners) listener(this.#state, changed);
  }
}
