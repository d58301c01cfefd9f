// A column and the scores along time, or along the file where there is no time.
import type { App } from '../app.js';
import { fillChoice, find, fitCanvas } from '../dom.js';
import type { ReplyOf } from '../engine/protocol.js';
import { short } from '../numbers.js';
import { onThemeChange, theme } from '../theme.js';
import { day } from './axes.js';
import { ticks } from './frame.js';
import { stepThroughRows } from './row-keys.js';

const LEFT = 46;
const RIGHT = 8;
const FOOT = 20;

interface Band {
  readonly top: number;
  readonly height: number;
  readonly values: ArrayLike<number>;
  readonly title: string;
  readonly threshold: number | undefined;
}

export class TimeView {
  readonly #app: App;
  readonly #canvas = find<HTMLCanvasElement>('time');
  readonly #choice = find<HTMLSelectElement>('time-column');
  #column = '';
  #line: ReplyOf<'column'> | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#choice.addEventListener('change', () => {
      this.#column = this.#choice.value;
      void this.#read();
    });
    this.#canvas.addEventListener('click', ({ offsetX }) => this.#select(offsetX));
    this.#canvas.addEventListener('keydown', (event) => {
      if (stepThroughRows(app, event.key)) event.preventDefault();
    });
    app.store.subscribe(({ view, data, fit }, changed) => {
      if (changed.has('data') && data !== undefined) this.#offer();
      if (view !== 'time') return;
      if ((changed.has('data') || changed.has('view') || this.#line === undefined) && data !== undefined)
        void this.#read();
      if (['fit', 'threshold', 'selected'].some((key) => changed.has(key as 'fit')) && fit !== undefined) this.#draw();
    });
    new ResizeObserver(() => this.#draw()).observe(this.#canvas);
    onThemeChange(() => this.#draw());
  }

  #offer(): void {
    const { data } = this.#app.state;
    const names = (data?.columns ?? [])
      .filter(({ use, kind }) => use === 'number' && kind !== 'time')
      .map(({ name }) => name);
    if (!names.includes(this.#column)) this.#column = names[0] ?? '';
    fillChoice(
      this.#choice,
      names.map((name) => [name, name] as const),
      this.#column,
    );
    this.#line = undefined;
    const { time } = data ?? {};
    find('time-help').textContent =
      time === undefined
        ? 'These data have no column of times: rows are in the order of the file. A column can be set to “time” in the table of columns. Click to see why a row has its score.'
        : `Rows in the order of ${time}. Click one, or go through them with ← → from the highest score down, to see why it has its score.`;
  }

  async #read(): Promise<void> {
    if (this.#column === '') return;
    const line = await this.#app.jobs.call('column', 'column', { name: this.#column });
    if (line === undefined) return;
    this.#line = line;
    this.#draw();
  }

  #select(left: number): void {
    const line = this.#line;
    if (line === undefined) return;
    const { length } = line.order;
    const width = this.#canvas.clientWidth - LEFT - RIGHT;
    const place = Math.round(((left - LEFT) / width) * (length - 1));
    const near = Math.ceil((6 / width) * length);
    const { fit } = this.#app.state;
    // Of the rows under the finger, the one with the highest score.
    let best = Math.min(length - 1, Math.max(0, place));
    for (let i = Math.max(0, place - near); i <= Math.min(length - 1, place + near); i++)
      if ((fit?.scores[line.order[i] as number] ?? 0) > (fit?.scores[line.order[best] as number] ?? 0)) best = i;
    void this.#app.select(line.order[best]);
  }

  #draw(): void {
    const line = this.#line;
    const { fit, threshold } = this.#app.state;
    if (line === undefined || this.#canvas.clientWidth === 0 || fit?.scores.length !== line.order.length) return;
    const { context, width, height } = fitCanvas(this.#canvas);
    context.fillStyle = theme().ground;
    context.fillRect(0, 0, width, height);
    const { order } = line;
    const inOrder = (values: Float64Array): Float64Array => Float64Array.from(order, (row) => values[row] as number);
    const scores = inOrder(fit.scores);
    const half = (height - FOOT) * 0.6;
    const bands: Band[] = [
      { top: 6, height: half - 12, values: inOrder(line.values), title: this.#column, threshold: undefined },
      { top: half + 6, height: height - FOOT - half - 12, values: scores, title: 'score', threshold },
    ];
    for (const band of bands) drawBand(context, band, width, scores, threshold);
    this.#drawMoments(context, width, height);
    this.#drawSelection(context, width, height);
    this.#canvas.setAttribute(
      'aria-label',
      `${this.#column} and scores of ${order.length} rows along time; the list of rows has the same in words`,
    );
  }

  /** Days, or the places of rows in the file, along the foot. */
  #drawMoments(context: CanvasRenderingContext2D, width: number, height: number): void {
    const line = this.#line;
    if (line === undefined) return;
    const { order, times } = line;
    const places = ticks([0, order.length - 1], (width - LEFT) / 110);
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = theme().quiet;
    context.textBaseline = 'bottom';
    context.textAlign = 'center';
    for (const place of places) {
      const row = order[Math.round(place)] as number;
      const time = times?.[row];
      const left = LEFT + (place / Math.max(1, order.length - 1)) * (width - LEFT - RIGHT);
      const text = times === undefined ? `row ${row}` : time === undefined || Number.isNaN(time) ? '' : day(time);
      if (left < width - 34) context.fillText(text, Math.max(left, LEFT + 24), height - 3);
    }
  }

  #drawSelection(context: CanvasRenderingContext2D, width: number, height: number): void {
    const place = this.#line?.order.indexOf(this.#app.state.selected ?? -1) ?? -1;
    if (place < 0 || this.#line === undefined) return;
    const left = LEFT + (place / Math.max(1, this.#line.order.length - 1)) * (width - LEFT - RIGHT);
    context.fillStyle = theme().accent;
    context.fillRect(left - 1, 0, 2, height - FOOT);
  }
}

function drawBand(
  context: CanvasRenderingContext2D,
  { top, height, values, title, threshold: border }: Band,
  width: number,
  scores: Float64Array,
  threshold: number,
): void {
  const colours = theme();
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i] ?? low);
    high = Math.max(high, values[i] ?? high);
  }
  if (!(high > low)) [low, high] = [low - 1, low + 1];
  const across = (i: number): number => LEFT + (i / Math.max(1, values.length - 1)) * (width - LEFT - RIGHT);
  const up = (value: number): number => top + height - ((value - low) / (high - low)) * height;
  context.fillStyle = colours.quiet;
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of ticks([low, high], height / 45)) context.fillText(short(tick), LEFT - 6, up(tick));
  drawLine(context, values, across, up, colours.accent);
  context.fillStyle = colours.flagged;
  for (let i = 0; i < values.length; i++) {
    if (!((scores[i] as number) > threshold)) continue;
    const [x, y] = [across(i), up(values[i] as number)];
    context.beginPath();
    context.moveTo(x, y - 5);
    context.lineTo(x + 5, y);
    context.lineTo(x, y + 5);
    context.lineTo(x - 5, y);
    context.fill();
  }
  if (border !== undefined && Number.isFinite(border)) {
    context.strokeStyle = colours.ink;
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(LEFT, up(border));
    context.lineTo(width - RIGHT, up(border));
    context.stroke();
    context.setLineDash([]);
  }
  context.fillStyle = colours.ink;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.font = '600 12px system-ui, sans-serif';
  context.fillText(title, LEFT + 4, top);
}

/** A line; of many values, the lowest and the highest of each pixel. */
function drawLine(
  context: CanvasRenderingContext2D,
  values: ArrayLike<number>,
  across: (i: number) => number,
  up: (value: number) => number,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.2;
  context.beginPath();
  let column = Number.NaN;
  let [low, high] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    const left = Math.round(across(i) * 2) / 2;
    if (left !== column) {
      if (!Number.isNaN(column)) {
        context.lineTo(column, up(low));
        context.lineTo(column, up(high));
      }
      [column, low, high] = [left, value, value];
    } else {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!Number.isNaN(column)) {
    context.lineTo(column, up(low));
    context.lineTo(column, up(high));
  }
  context.stroke();
}
