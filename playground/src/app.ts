// What people can do on the page: each action changes the state, and asks the engine where something has to be computed.
import { SETS } from './data/sets.js';
import { Drawing } from './drawing.js';
import { Engine } from './engine/client.js';
import type { ColumnUse, DataSummary, SetName } from './engine/protocol.js';
import { Ground } from './ground.js';
import { Jobs } from './jobs.js';
import { initialOptions, type MethodName, type OptionValues } from './methods.js';
import { count } from './numbers.js';
import { highest } from './ranking.js';
import { type State, Store, type Tool, type View } from './state.js';

export class App {
  readonly #engine = new Engine(new Worker(new URL('./engine/worker.ts', import.meta.url), { type: 'module' }));
  readonly store = new Store();
  readonly jobs = new Jobs(this.#engine, this.store);
  readonly ground = new Ground(this.jobs, this.store);
  readonly drawing = new Drawing(this.jobs, this.store, this.ground);

  /** Fits so far: only the latest counts. */
  #fits = 0;
  /** Whether the detector was fitted with a threshold of its own. */
  #isOwn = true;

  constructor() {
    this.drawing.onRest = () => this.fit();
  }

  get state(): State {
    return this.store.state;
  }

  /** Ends the engine with all it holds; the page does nothing any more. */
  destroy(): void {
    this.jobs.abortAll();
    this.store.close();
    this.#engine.destroy();
  }

  /** Begins with what the address says. */
  async start(state: Partial<State>): Promise<void> {
    this.store.set(state);
    const { made = this.state.made, settings, uses = [], selected, frozen = [] } = state;
    if (made === undefined) return;
    await this.#load({ ...made, uses }, settings?.threshold, { row: selected, frozen });
  }

  /** Makes a built-in set. */
  async choose(set: SetName, points = SETS[set].points, seed = 1): Promise<void> {
    await this.#load({ set, points, seed, uses: [] });
  }

  async open(file: File): Promise<void> {
    const data = await this.#read(() => this.jobs.wait(`Reading ${file.name}`, 'open', { file }, 'load'));
    if (data !== undefined) await this.#take(data, undefined);
  }

  async #load(
    made: NonNullable<State['made']> & { uses: State['uses'] },
    threshold?: number,
    told: { row: number | undefined; frozen: readonly string[] } = { row: undefined, frozen: [] },
  ): Promise<void> {
    const { set, points, seed, uses } = made;
    const data = await this.#read(() =>
      this.jobs.wait('Making the set', 'generate', { set, points, seed, uses }, 'load'),
    );
    if (data !== undefined) await this.#take(data, { set, points, seed }, { threshold, uses, ...told });
  }

  /** What was on the page stays where reading fails. */
  async #read(call: () => Promise<DataSummary | undefined>): Promise<DataSummary | undefined> {
    this.jobs.abort('landscape', 'explain', 'compare', 'prototypes', 'fit');
    this.store.enter('read');
    const data = await call();
    if (data !== undefined || this.state.phase !== 'reading') return data;
    if (this.state.fit !== undefined) this.store.enter('kept');
    else if (this.state.data !== undefined) await this.fit();
    else this.store.enter('failed');
    return undefined;
  }

  async #take(
    data: DataSummary,
    made: State['made'],
    told: {
      threshold?: number | undefined;
      uses?: State['uses'];
      row?: number | undefined;
      frozen?: readonly string[];
    } = {},
  ): Promise<void> {
    this.drawing.forget();
    const { threshold, uses = [], row, frozen = [] } = told;
    const axes = axesFor(data, this.state);
    const message = data.notes.length > 0 ? data.notes.join(' ') : undefined;
    this.store.set({ ...NOTHING_FITTED, made, data, uses, axes, tool: 'look', message });
    this.#setThreshold(threshold);
    await this.fit();
    const { fit } = this.state;
    if (fit === undefined) return;
    // The row that stands out most says at once what the page is about.
    const first = row !== undefined && row < data.rows ? row : highest(fit.scores, fit.sorted, 1)[0];
    if (this.state.selected === undefined && this.state.data === data) void this.select(first, frozen);
  }

  async use(column: string, use: ColumnUse): Promise<void> {
    const data = await this.#read(() => this.jobs.wait('Reading columns', 'use', { column, use }, 'load'));
    if (data === undefined) return;
    const uses = [...this.state.uses.filter(([name]) => name !== column), [column, use] as const];
    this.store.set({ ...NOTHING_FITTED, data, uses, axes: axesFor(data, this.state) });
    this.#setThreshold(undefined);
    await this.fit();
  }

  async method(method: MethodName): Promise<void> {
    await this.#change({ method, options: initialOptions(method) });
  }

  async options(options: OptionValues): Promise<void> {
    await this.#change({ options });
  }

  /** The share of rows to flag; undefined leaves it to the detector. */
  async share(share: number | undefined): Promise<void> {
    await this.#change({ share });
  }

  async #change(settings: Partial<State['settings']>): Promise<void> {
    this.store.set({
      settings: { ...this.state.settings, ...settings, threshold: undefined },
      path: undefined,
      explanation: undefined,
    });
    await this.fit();
  }

  /** Moves the threshold; undefined gives it back to the detector. */
  async threshold(value: number | undefined): Promise<void> {
    const { fit } = this.state;
    if (fit === undefined) return;
    this.#setThreshold(value);
    if (value !== undefined) this.store.set({ threshold: value });
    else if (this.#isOwn) this.store.set({ threshold: fit.threshold });
    else await this.fit();
  }

  /** After the threshold came to rest: what depends on it is made again. */
  async settle(): Promise<void> {
    if (this.state.selected !== undefined) await this.select(this.state.selected, this.state.frozen);
    void this.ground.draw();
  }

  #setThreshold(threshold: number | undefined): void {
    this.store.set({ settings: { ...this.state.settings, threshold } });
  }

  async fit(): Promise<void> {
    const { settings, data } = this.state;
    if (data === undefined) return;
    const turn = ++this.#fits;
    this.jobs.abort('landscape', 'explain');
    this.store.enter('fit');
    const [fit] = await Promise.all([
      this.jobs.wait(`Fitting ${count(data.rows)} rows`, 'fit', settings),
      this.ground.place(),
    ]);
    // Another fit, another file or the hand took over.
    if (turn !== this.#fits || this.state.phase !== 'fitting') return;
    if (fit === undefined) {
      this.store.set({ ...NOTHING_FITTED, places: this.state.places });
      this.store.enter('failed');
      return;
    }
    this.#isOwn = settings.threshold === undefined;
    this.store.set({ fit, threshold: settings.threshold ?? fit.threshold });
    this.store.enter('fitted');
    void this.ground.draw();
    if (this.state.selected !== undefined) void this.select(this.state.selected, this.state.frozen);
    if (this.state.view === 'prototypes') void this.prototypes({});
  }

  /** Selects a row, and says why it has its score; the columns that are frozen stay as they are in what would make it normal. */
  async select(row: number | undefined, frozen: readonly string[] = []): Promise<void> {
    this.jobs.abort('explain', 'path');
    const isSame = row !== undefined && row === this.state.selected;
    this.store.set({ selected: row, frozen, path: undefined, ...(!isSame && { explanation: undefined }) });
    const { settings } = this.state;
    if (row === undefined) return;
    const explanation = await this.jobs.wait(`Explaining row ${row}`, 'explain', { settings, row, frozen });
    if (explanation === undefined) return;
    this.store.set({ explanation });
    void this.ground.drawWay();
  }

  view(view: View): void {
    this.store.set({ view, ...(view !== 'prototypes' && { kept: undefined }) });
    if (view === 'prototypes') void this.prototypes({});
  }

  async prototypes(patch: Partial<Pick<State, 'selector' | 'keep'>>): Promise<void> {
    this.store.set({ ...patch, kept: undefined });
    const { selector, keep } = this.state;
    const reply = await this.jobs.wait('Choosing prototypes', 'prototypes', { selector, keep });
    if (reply !== undefined && this.state.view === 'prototypes') this.store.set({ kept: reply.kept });
  }

  tool(tool: Tool): void {
    this.store.set({ tool });
  }

  /** Ends what people wait for. */
  cancel(): void {
    const { phase } = this.state;
    this.jobs.abortAll();
    const message =
      phase === 'fitting'
        ? 'Cancelled: there are no scores for these settings. Fit again, or change them.'
        : 'Cancelled. What is on the page is from before.';
    this.store.set({ working: undefined, message });
  }
}

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

/** The axes as they are, where the data have them; two columns of numbers, or the plane on which many differ most. */
function axesFor({ axes, columns, time }: DataSummary, { axes: before }: State): State['axes'] {
  if (axes.includes(before.x) && axes.includes(before.y)) return before;
  const numbers = columns.filter(({ use }) => use === 'number').map(({ name }) => name);
  const [first = axes[0] ?? 'row', second] = numbers;
  if (numbers.length > 2 && axes.includes('component 1') && time === undefined)
    return { x: 'component 1', y: 'component 2' };
  return second === undefined ? { x: 'row', y: first } : { x: first, y: second };
}
