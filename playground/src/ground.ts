// What the map shows: where rows are, the landscape behind them, and the way of the selected row to normal.
import type { Bounds, LandscapeRequest } from './engine/protocol.js';
import type { Jobs } from './jobs.js';
import { cellsAcross } from './resolution.js';
import type { State, Store } from './state.js';

export class Ground {
  readonly #jobs: Jobs;
  readonly #store: Store;
  #bounds: Bounds | undefined;

  constructor(jobs: Jobs, store: Store) {
    this.#jobs = jobs;
    this.#store = store;
  }

  async axes(axes: State['axes']): Promise<void> {
    this.#store.set({ axes, landscape: undefined, path: undefined });
    await this.place();
    void this.draw();
    void this.drawWay();
  }

  /** Where rows are on the map. */
  async place(): Promise<void> {
    const places = await this.#jobs.call('places', 'coordinates', this.#store.state.axes);
    if (places !== undefined) this.#store.set({ places });
  }

  async landscapeOf(landscapeOf: State['landscapeOf']): Promise<void> {
    this.#store.set({ landscapeOf, landscape: undefined });
    await this.draw();
  }

  /** The map shows this part of the plane now. */
  async show(bounds: Bounds): Promise<void> {
    this.#bounds = bounds;
    await this.draw();
  }

  /** Coarse at first, then as fine as it is to be. */
  async draw(): Promise<void> {
    const { data, fit, settings, phase } = this.#store.state;
    if (data === undefined || fit === undefined || phase === 'drawing') return;
    for (const cells of cellsAcross(data.rows, settings.method)) {
      const landscape = this.request(cells);
      if (landscape === undefined) return this.#store.set({ landscape: undefined });
      const reply = await this.#jobs.call('landscape', 'landscape', { settings, landscape });
      if (reply === undefined) return;
      this.#store.set({ landscape: reply });
    }
  }

  /** Undefined where the map shows something else than two columns that the detector looks at. */
  request(cells: number): LandscapeRequest | undefined {
    const { axes, landscapeOf, fit, settings, view } = this.#store.state;
    const features = fit?.features ?? [];
    const isThere = features.includes(axes.x) && features.includes(axes.y) && axes.x !== axes.y;
    if (!isThere || landscapeOf === 'none' || this.#bounds === undefined || view === 'stream') return undefined;
    const isCad = settings.method === 'cad' || settings.method === 'kcad';
    const neighbors = isCad ? landscapeOf : 'all';
    return { ...axes, bounds: this.#bounds, width: cells, height: cells, neighbors };
  }

  /** The way of the selected row to normal: its anomaly path for CAD, else straight to its counterfactual. */
  async drawWay(): Promise<void> {
    const { explanation, axes, places, settings, selected: row } = this.#store.state;
    if (explanation === undefined || row === undefined || !explanation.isAnomaly) {
      this.#store.set({ path: undefined });
      return;
    }
    const [x, y] = [explanation.after[axes.x], explanation.after[axes.y]];
    if (places === undefined || x === undefined || y === undefined) return;
    const from = [places.x[row] as number, places.y[row] as number];
    if (explanation.changes.length > 0)
      this.#store.set({ path: { points: Float64Array.of(...from, x, y), isPath: false } });
    // A path goes where the slope leads: columns that must stay are for the straight way.
    if (settings.method !== 'cad' || explanation.stay.length > 0) return;
    const path = await this.#jobs.call('path', 'path', { settings, row, ...axes });
    if (path !== undefined && path.points.length > 2 && this.#store.state.selected === row)
      this.#store.set({ path: { points: path.points, isPath: true } });
  }
}
