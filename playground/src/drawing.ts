// Points under the hand: drawn, moved and erased, while scores and landscape follow at once.
import type { Ground } from './ground.js';
import type { Jobs } from './jobs.js';
import type { Store } from './state.js';

/** Points that can be drawn on. */
const MOST = 5000;
/** A frame while dragging: what the engine may take of it, for 20 a second. */
const FRAME = 45;
const [FEWEST_CELLS, MOST_CELLS] = [40, 400];

export class Drawing {
  readonly #jobs: Jobs;
  readonly #store: Store;
  readonly #ground: Ground;
  /** x, y, x, y, … */
  #points: Float64Array | undefined;
  /** Whether the engine is at it; what comes meanwhile waits, and only the last counts. */
  #isBusy = false;
  #isDue = false;
  #isLast = false;
  /** Across, while points are dragged: as many as can be had in time. */
  #cells = 100;
  /** Called when the hand came to rest, and the points are data like any others. */
  onRest: () => Promise<void> = async () => {};

  constructor(jobs: Jobs, store: Store, ground: Ground) {
    this.#jobs = jobs;
    this.#store = store;
    this.#ground = ground;
  }

  /** Whether the map shows two columns that are all there is to see. */
  get isPossible(): boolean {
    const { data, axes } = this.#store.state;
    if (data === undefined || data.rows > MOST) return false;
    const used = data.columns.filter(({ use }) => use === 'number' || use === 'category');
    return used.length === 2 && axes.x === used[0]?.name && axes.y === used[1]?.name;
  }

  /** A copy of the points on the map when drawing begins. */
  get points(): Float64Array {
    const { places } = this.#store.state;
    if (this.#points !== undefined || places === undefined) return this.#points ?? new Float64Array();
    const { x, y } = places;
    this.#points = Float64Array.from({ length: 2 * x.length }, (_, i) => (i % 2 === 0 ? x : y)[i >> 1] as number);
    return this.#points;
  }

  forget(): void {
    this.#points = undefined;
  }

  async change(points: Float64Array, isLast: boolean): Promise<void> {
    this.#points = points;
    this.#isLast ||= isLast;
    const along = (first: 0 | 1): Float64Array => points.filter((_, i) => i % 2 === first);
    this.#store.set({ places: { x: along(0), y: along(1), shares: [] }, made: undefined });
    this.#isDue = true;
    if (!this.#isBusy) await this.#follow();
  }

  async #follow(): Promise<void> {
    this.#isBusy = true;
    this.#store.enter('draw');
    this.#jobs.abort('landscape', 'explain', 'fit');
    while (this.#isDue) {
      this.#isDue = false;
      await this.#score(this.#points as Float64Array);
    }
    this.#isBusy = false;
    if (!this.#isLast) return;
    this.#isLast = false;
    await this.#rest();
  }

  async #score(points: Float64Array): Promise<void> {
    const begin = performance.now();
    const landscape = this.#ground.request(this.#cells);
    const settings = { ...this.#store.state.settings, threshold: undefined };
    const reply = await this.#jobs.call('live', 'live', { points, settings, landscape });
    if (reply === undefined) return;
    this.#store.set({ fit: reply.fit, threshold: reply.fit.threshold });
    if (reply.landscape === undefined) return;
    this.#store.set({ landscape: reply.landscape });
    this.#adapt(performance.now() - begin);
  }

  #adapt(milliseconds: number): void {
    const wanted = this.#cells * Math.sqrt(FRAME / Math.max(1, milliseconds));
    const next = Math.round(0.5 * this.#cells + 0.5 * wanted);
    this.#cells = Math.min(MOST_CELLS, Math.max(FEWEST_CELLS, next));
  }

  async #rest(): Promise<void> {
    const data = await this.#jobs.call('load', 'draw', { points: this.#points as Float64Array });
    if (data === undefined) return;
    const { tool, selected, settings } = this.#store.state;
    this.#store.set({
      data,
      axes: { x: 'x', y: 'y' },
      selected: tool === 'move' ? selected : undefined,
      explanation: undefined,
      path: undefined,
      settings: { ...settings, threshold: undefined },
    });
    await this.onRest();
  }
}
