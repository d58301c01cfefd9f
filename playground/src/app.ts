// What people can do on the page: each action changes the state, and asks the engine where something has to be computed.
// Of each kind of work only the latest counts: what was asked before it is cancelled.
import { SETS } from './data/sets.js';
import { CallFailed, type CallOptions, Engine } from './engine/client.js';
import type {
  Bounds,
  CallName,
  ColumnUse,
  DataSummary,
  FitReply,
  LandscapeRequest,
  ReplyOf,
  RequestOf,
  SetName,
} from './engine/protocol.js';
import { initialOptions, type MethodName, type OptionValues } from './methods.js';
import { cellsAcross } from './resolution.js';
import { type State, Store, type Tool, type View } from './state.js';

export class App {
  readonly engine = new Engine();
  readonly store = new Store();
  readonly #jobs = new Map<string, AbortController>();
  /** Points under the hand: x, y, x, y, … */
  #hand: Float64Array | undefined;
  #isLive = false;

  get state(): State {
    return this.store.state;
  }

  /** Begins with what the address says. */
  async start(state: Partial<State>): Promise<void> {
    const { settings, view } = state;
    this.store.set(state);
    const { set, points, seed } = state.made as NonNullable<State['made']>;
    await this.choose(set, points, seed, settings?.threshold);
    if (view === 'prototypes') await this.prototypes({});
  }

  /** Makes a built-in set. */
  async choose(set: SetName, points = SETS[set].points, seed = 1, threshold?: number): Promise<void> {
    const make = (options: CallOptions): Promise<DataSummary> =>
      this.engine.call('generate', { set, points, seed }, options);
    await this.#load('Making the set', make, { set, points, seed }, threshold);
  }

  async open(file: File): Promise<void> {
    await this.#load(`Reading ${file.name}`, (options) => this.engine.call('open', { file }, options), undefined);
  }

  async #load(
    what: string,
    call: (options: CallOptions) => Promise<DataSummary>,
    made: State['made'],
    threshold?: number,
  ): Promise<void> {
    for (const job of ['landscape', 'explain', 'compare', 'prototypes']) this.#abort(job);
    const data = await this.#work('load', what, call);
    if (data === undefined) return;
    this.#hand = undefined;
    const message = data.notes.length > 0 ? data.notes.join(' ') : undefined;
    this.store.set({ ...NOTHING_FITTED, made, data, axes: axesFor(data, this.state), tool: 'look', message });
    this.#threshold(threshold);
    await this.fit();
  }

  async use(column: string, use: ColumnUse): Promise<void> {
    const data = await this.#work('load', 'Reading columns', (options) =>
      this.engine.call('use', { column, use }, options),
    );
    if (data === undefined) return;
    this.store.set({ ...NOTHING_FITTED, data, axes: axesFor(data, this.state) });
    this.#threshold(undefined);
    await this.fit();
  }

  async method(method: MethodName): Promise<void> {
    await this.#change({ ...this.state.settings, method, options: initialOptions(method), threshold: undefined });
  }

  async options(options: OptionValues): Promise<void> {
    await this.#change({ ...this.state.settings, options, threshold: undefined });
  }

  async #change(settings: State['settings']): Promise<void> {
    this.store.set({ settings, path: undefined, explanation: undefined });
    await this.fit();
  }

  /** Moves the threshold; undefined gives it back to the detector. */
  threshold(value: number | undefined): void {
    this.#threshold(value);
    const { fit } = this.state;
    if (fit === undefined) return;
    this.store.set({ threshold: value ?? fit.threshold });
  }

  /** After the threshold came to rest: what depends on it is made again. */
  async settle(): Promise<void> {
    if (this.state.selected !== undefined) await this.select(this.state.selected);
    void this.drawLandscape();
  }

  #threshold(threshold: number | undefined): void {
    this.store.set({ settings: { ...this.state.settings, threshold } });
  }

  async fit(): Promise<void> {
    const { settings, data } = this.state;
    if (data === undefined) return;
    this.#abort('landscape');
    this.#abort('explain');
    const [fit] = await Promise.all([
      this.#work('fit', `Fitting ${count(data.rows)} rows`, (options) => this.engine.call('fit', settings, options)),
      this.place(),
    ]);
    if (fit === undefined) return;
    this.#fitted(fit);
    void this.drawLandscape();
    if (this.state.selected !== undefined) void this.select(this.state.selected);
    if (this.state.view === 'prototypes') void this.prototypes({});
  }

  #fitted(fit: FitReply): void {
    const { threshold } = this.state.settings;
    this.store.set({ fit, threshold: threshold ?? fit.threshold });
  }

  async axes(axes: State['axes']): Promise<void> {
    this.store.set({ axes, landscape: undefined, path: undefined });
    await this.place();
    void this.drawLandscape();
    this.#drawWay();
  }

  /** Where rows are on the map. */
  async place(): Promise<void> {
    const { axes } = this.state;
    const places = await this.#quietly('places', (options) => this.engine.call('coordinates', axes, options));
    if (places !== undefined) this.store.set({ places });
  }

  async landscapeOf(landscapeOf: State['landscapeOf']): Promise<void> {
    this.store.set({ landscapeOf, landscape: undefined });
    await this.drawLandscape();
  }

  #bounds: Bounds | undefined;

  /** What the map shows now. */
  async show(bounds: Bounds): Promise<void> {
    this.#bounds = bounds;
    await this.drawLandscape();
  }

  /** Coarse at first, then as fine as it is to be. */
  async drawLandscape(): Promise<void> {
    const { data, fit, settings } = this.state;
    if (data === undefined || fit === undefined || this.#isLive) return;
    for (const cells of cellsAcross(data.rows, settings.method)) {
      const landscape = this.#landscapeRequest(cells);
      if (landscape === undefined) return this.store.set({ landscape: undefined });
      const reply = await this.#quietly('landscape', (options) =>
        this.engine.call('landscape', { settings: { ...settings, threshold: settings.threshold }, landscape }, options),
      );
      if (reply === undefined) return;
      this.store.set({ landscape: reply });
    }
  }

  #landscapeRequest(cells: number): LandscapeRequest | undefined {
    const { axes, landscapeOf, fit, settings, view } = this.state;
    const features = fit?.features ?? [];
    const isThere = features.includes(axes.x) && features.includes(axes.y) && axes.x !== axes.y;
    if (!isThere || landscapeOf === 'none' || this.#bounds === undefined || view === 'stream') return undefined;
    const isCad = settings.method === 'cad' || settings.method === 'kcad';
    const neighbors = isCad ? landscapeOf : 'all';
    return { ...axes, bounds: this.#bounds, width: cells, height: cells, neighbors };
  }

  async select(row: number | undefined): Promise<void> {
    this.#abort('explain');
    const frozen = row === this.state.selected ? this.state.frozen : [];
    this.store.set({ selected: row, frozen, path: undefined, ...(row === undefined && { explanation: undefined }) });
    const { settings } = this.state;
    if (row === undefined) return;
    const explanation = await this.#work('explain', `Explaining row ${row}`, (options) =>
      this.engine.call('explain', { settings, row, frozen }, options),
    );
    if (explanation === undefined) return;
    this.store.set({ explanation });
    this.#drawWay();
  }

  async freeze(frozen: readonly string[]): Promise<void> {
    this.store.set({ frozen });
    await this.select(this.state.selected);
  }

  /** The way of the selected row to normal: its anomaly path for CAD, else straight to its counterfactual. */
  #drawWay(): void {
    const { explanation, axes, places, settings, selected: row } = this.state;
    if (explanation === undefined || row === undefined || !explanation.isAnomaly) {
      this.store.set({ path: undefined });
      return;
    }
    const [x, y] = [explanation.after[axes.x], explanation.after[axes.y]];
    if (places === undefined || x === undefined || y === undefined) return;
    const from = [places.x[row] as number, places.y[row] as number];
    if (explanation.changes.length > 0)
      this.store.set({ path: { points: Float64Array.of(...from, x, y), isPath: false } });
    if (settings.method === 'cad')
      void this.#quietly('path', (options) => this.engine.call('path', { settings, row, ...axes }, options)).then(
        (path) => {
          if (path !== undefined && path.points.length > 2 && this.state.selected === row)
            this.store.set({ path: { points: path.points, isPath: true } });
        },
      );
  }

  view(view: View): void {
    this.store.set({ view, ...(view !== 'prototypes' && { kept: undefined }) });
    if (view === 'prototypes') void this.prototypes({});
  }

  async prototypes(patch: Partial<Pick<State, 'selector' | 'keep'>>): Promise<void> {
    this.store.set(patch);
    const { selector, keep } = this.state;
    const reply = await this.#work('prototypes', 'Choosing prototypes', (options) =>
      this.engine.call('prototypes', { selector, keep }, options),
    );
    if (this.state.view === 'prototypes') this.store.set({ kept: reply?.kept });
  }

  tool(tool: Tool): void {
    this.store.set({ tool });
  }

  /** The points, to draw on; undefined where the map shows something else than two columns. */
  get canDraw(): boolean {
    const { data, axes } = this.state;
    if (data === undefined || data.rows > MOST_DRAWN) return false;
    const numbers = data.columns.filter(({ use }) => use === 'number');
    return numbers.length === 2 && axes.x === numbers[0]?.name && axes.y === numbers[1]?.name;
  }

  /** The points under the hand: a copy of those on the map when drawing begins. */
  get hand(): Float64Array {
    const { places } = this.state;
    if (this.#hand !== undefined || places === undefined) return this.#hand ?? new Float64Array();
    const { x, y } = places;
    this.#hand = Float64Array.from({ length: 2 * x.length }, (_, i) => (i % 2 === 0 ? x : y)[i >> 1] as number);
    return this.#hand;
  }

  /** Points were drawn, moved or erased. Everything is made again at once; what comes meanwhile waits, and only the last counts. */
  async redraw(points: Float64Array, isLast: boolean): Promise<void> {
    this.#hand = points;
    const half = points.length / 2;
    const along = (first: 0 | 1): Float64Array =>
      Float64Array.from({ length: half }, (_, i) => points[2 * i + first] as number);
    this.store.set({ places: { x: along(0), y: along(1), shares: [] }, made: undefined });
    if (this.#isLive) {
      this.#isDue = true;
      this.#isDueLast ||= isLast;
      return;
    }
    this.#isLive = true;
    this.#abort('landscape');
    const begin = performance.now();
    const request = this.#liveRequest(points);
    const reply = await this.#quietly('live', (options) => this.engine.call('live', request, options));
    this.#isLive = false;
    if (reply !== undefined) {
      this.#fitted(reply.fit);
      if (reply.landscape !== undefined) this.store.set({ landscape: reply.landscape });
      this.#adapt(performance.now() - begin);
    }
    if (this.#isDue) {
      this.#isDue = false;
      const last = this.#isDueLast;
      this.#isDueLast = false;
      return this.redraw(this.#hand as Float64Array, last);
    }
    if (isLast) await this.#drawn();
  }

  #isDue = false;
  #isDueLast = false;
  /** Cells across while points are dragged: as many as can be had at 20 frames a second. */
  #liveCells = 100;

  #liveRequest(points: Float64Array): RequestOf<'live'> {
    const landscape = this.#landscapeRequest(this.#liveCells);
    const settings = { ...this.state.settings, threshold: undefined };
    return { points, settings, landscape };
  }

  #adapt(milliseconds: number): void {
    const wanted = this.#liveCells * Math.sqrt(LIVE_MILLISECONDS / Math.max(1, milliseconds));
    this.#liveCells = Math.round(Math.min(400, Math.max(40, 0.5 * this.#liveCells + 0.5 * wanted)));
  }

  /** The hand came to rest: drawn points are data like any others. */
  async #drawn(): Promise<void> {
    const points = this.#hand as Float64Array;
    const data = await this.#quietly('load', (options) => this.engine.call('draw', { points }, options));
    if (data === undefined) return;
    const selected = this.state.tool === 'move' ? this.state.selected : undefined;
    this.store.set({ data, axes: { x: 'x', y: 'y' }, selected, explanation: undefined, path: undefined });
    this.#threshold(undefined);
    await this.fit();
  }

  /** Work that people wait for: with progress, and a message where it fails. */
  async #work<Reply>(
    job: string,
    what: string,
    call: (options: CallOptions) => Promise<Reply>,
  ): Promise<Reply | undefined> {
    const since = performance.now();
    const isShown = (): boolean => this.state.working?.since === since;
    this.store.set({ working: { what, done: 0, since }, ...(job !== 'explain' && { message: undefined }) });
    const onProgress = (done: number): void => {
      if (isShown()) this.store.set({ working: { what, done, since } });
    };
    try {
      return await this.#only(job, (signal) => call({ signal, onProgress }));
    } catch (error) {
      if ((error as CallFailed).code !== 'ABORTED') this.fail(error);
      return undefined;
    } finally {
      if (isShown()) this.store.set({ working: undefined });
    }
  }

  /** Work that goes on beside. */
  async #quietly<Reply>(job: string, call: (options: CallOptions) => Promise<Reply>): Promise<Reply | undefined> {
    try {
      return await this.#only(job, (signal) => call({ signal }));
    } catch (error) {
      const { code } = error as CallFailed;
      if (code !== 'ABORTED' && code !== 'DISPOSED') this.fail(error);
      return undefined;
    }
  }

  /** For views of their own: a call that replaces the one before it. */
  call<Name extends CallName>(job: string, name: Name, request: RequestOf<Name>): Promise<ReplyOf<Name> | undefined> {
    return this.#quietly(job, (options) => this.engine.call(name, request, options));
  }

  /** The same, with progress. */
  wait<Name extends CallName>(what: string, name: Name, request: RequestOf<Name>): Promise<ReplyOf<Name> | undefined> {
    return this.#work(name, what, (options) => this.engine.call(name, request, options));
  }

  fail(error: unknown): void {
    this.store.set({
      message: error instanceof CallFailed ? error.message : String((error as Error).message ?? error),
    });
  }

  /** Ends what people wait for. */
  cancel(): void {
    for (const job of [...this.#jobs.keys()]) this.#abort(job);
    this.store.set({ working: undefined, message: 'Cancelled. What is on the page is from before.' });
  }

  async #only<Reply>(job: string, call: (signal: AbortSignal) => Promise<Reply>): Promise<Reply> {
    this.#abort(job);
    const controller = new AbortController();
    this.#jobs.set(job, controller);
    try {
      const reply = await call(controller.signal);
      if (controller.signal.aborted) throw new CallFailed('ABORTED', 'Cancelled.');
      return reply;
    } finally {
      if (this.#jobs.get(job) === controller) this.#jobs.delete(job);
    }
  }

  #abort(job: string): void {
    this.#jobs.get(job)?.abort();
    this.#jobs.delete(job);
  }
}

/** Points that can be drawn on. */
const MOST_DRAWN = 5000;
/** A frame while dragging, without what the page itself needs for it. */
const LIVE_MILLISECONDS = 38;

const NOTHING_FITTED: Partial<State> = {
  fit: undefined,
  threshold: Number.NaN,
  places: undefined,
  landscape: undefined,
  selected: undefined,
  frozen: [],
  explanation: undefined,
  kept: undefined,
  path: undefined,
};

const count = (rows: number): string => rows.toLocaleString('en');

/** The axes as they are, where the data have them; two columns of numbers, or the plane on which many differ most. */
function axesFor({ axes, columns, time }: DataSummary, { axes: before }: State): State['axes'] {
  if (axes.includes(before.x) && axes.includes(before.y)) return before;
  const numbers = columns.filter(({ use }) => use === 'number').map(({ name }) => name);
  const [first = axes[0] ?? 'row', second] = numbers;
  if (numbers.length > 2 && axes.includes('component 1') && time === undefined)
    return { x: 'component 1', y: 'component 2' };
  return second === undefined ? { x: 'row', y: first } : { x: first, y: second };
}
