// What the engine holds between calls: the data, and the detector fitted on them last.
import type { AnyDetector } from 'curvad';
import type { DataSet } from './data-set.js';
import { Failure } from './failure.js';
import { makeDetector } from './make-detector.js';
import type { Settings } from './protocol.js';

/** How a call can be cancelled, and tells how far it is. */
export interface Context {
  readonly signal: AbortSignal;
  progress(done: number): void;
}

export interface Fitted {
  readonly detector: AnyDetector;
  readonly seconds: number;
}

export class Session {
  #data: DataSet | undefined;
  #fitted: (Fitted & { readonly key: string }) | undefined;

  get data(): DataSet {
    if (this.#data === undefined) throw new Failure('NO_DATA', 'There are no data yet: choose a set or drop a file.');
    return this.#data;
  }

  set data(data: DataSet) {
    this.forget();
    this.#data = data;
  }

  /** The columns, or what they are used for, changed. */
  forget(): void {
    this.#fitted?.detector.dispose();
    this.#fitted = undefined;
  }

  /** The detector with these settings: the one there is, or a new one. */
  async detector(settings: Settings, context: Context): Promise<Fitted> {
    const key = keyOf(settings);
    if (this.#fitted?.key === key) return this.#fitted;
    const { data } = this;
    const detector = makeDetector(settings, data.table.rows);
    const begin = performance.now();
    await detector.fitAsync(data.input, { signal: context.signal, onProgress: ({ done }) => context.progress(done) });
    return this.#keep(detector, key, performance.now() - begin);
  }

  /** The same, at once: for a few thousand rows. */
  detectorNow(settings: Settings): Fitted {
    const { data } = this;
    const begin = performance.now();
    const detector = makeDetector(settings, data.table.rows).fit(data.input);
    return this.#keep(detector, keyOf(settings), performance.now() - begin);
  }

  #keep(detector: AnyDetector, key: string, milliseconds: number): Fitted {
    this.forget();
    this.#fitted = { detector, seconds: milliseconds / 1000, key };
    return this.#fitted;
  }
}

const keyOf = (settings: Settings): string => JSON.stringify(settings);
