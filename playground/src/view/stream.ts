// A stream that is played: each frame the engine scores the next rows, and the picture moves on. How many rows a second
// that is, and how long one takes, is measured.
import type { App } from '../app.js';
import { find, fitCanvas } from '../dom.js';
import type { ReplyOf, StreamRequest } from '../engine/protocol.js';
import { count, short } from '../numbers.js';
import { onThemeChange, theme } from '../theme.js';

/** Rows on the picture. */
const SHOWN = 600;
/** As fast as it goes: rows at a time, at first and at most. */
const [FIRST, MOST] = [64, 20_000];
/** Milliseconds of scoring a frame, as fast as it goes. */
const FULL = 12;
/** Milliseconds between two readings of the rate. */
const READING = 500;

interface Reading {
  since: number;
  frames: number;
  rows: number;
  elapsed: number;
}

export class StreamView {
  readonly #app: App;
  readonly #canvas = find<HTMLCanvasElement>('stream');
  readonly #play = find<HTMLButtonElement>('play');
  readonly #values = new Float64Array(SHOWN).fill(Number.NaN);
  readonly #scores = new Float64Array(SHOWN).fill(Number.NaN);
  readonly #alarms = new Uint8Array(SHOWN);
  #isPlaying = false;
  #round = 0;
  #rows = 0;
  #raised = 0;
  #batch = FIRST;
  #title = '';
  #reading: Reading = { since: 0, frames: 0, rows: 0, elapsed: 0 };

  constructor(app: App) {
    this.#app = app;
    this.#play.addEventListener('click', () => (this.#isPlaying ? this.#stop() : void this.#start()));
    for (const id of ['stream-source', 'stream-by'])
      find(id).addEventListener('change', () => this.#isPlaying && void this.#start());
    app.store.subscribe(({ view }, changed) => {
      if (changed.has('view') && view !== 'stream') this.#stop();
      if (changed.has('data')) this.#stop();
      if (changed.has('view') && view === 'stream') this.#draw();
    });
    onThemeChange(() => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(this.#canvas);
  }

  async #start(): Promise<void> {
    const round = ++this.#round;
    const source = find<HTMLSelectElement>('stream-source').value as StreamRequest['source'];
    const by = find<HTMLSelectElement>('stream-by').value as StreamRequest['by'];
    const { settings } = this.#app.state;
    const reply = await this.#app.jobs.call('stream', 'stream', { source, by, settings, column: undefined, seed: 1 });
    if (reply === undefined || round !== this.#round) return;
    this.#title = reply.columns[0] ?? '';
    this.#values.fill(Number.NaN);
    this.#scores.fill(Number.NaN);
    this.#alarms.fill(0);
    [this.#rows, this.#raised, this.#batch] = [0, 0, FIRST];
    this.#reading = { since: performance.now(), frames: 0, rows: 0, elapsed: 0 };
    this.#isPlaying = true;
    this.#play.textContent = 'Pause';
    void this.#frames(round);
  }

  #stop(): void {
    this.#round++;
    this.#isPlaying = false;
    this.#play.textContent = 'Play';
  }

  /** One frame after the other: while one is drawn, the rows of the next are scored. */
  async #frames(round: number): Promise<void> {
    while (round === this.#round) {
      const speed = Number(find<HTMLSelectElement>('stream-speed').value);
      const rows = speed === 0 ? this.#batch : speed;
      const [reply] = await Promise.all([this.#app.jobs.call('advance', 'advance', { rows }), nextFrame()]);
      if (round !== this.#round) return;
      if (reply === undefined) return this.#stop();
      this.#take(reply);
      if (speed === 0) this.#adapt(reply);
      this.#draw();
      this.#measure(reply);
      if (reply.isOver) {
        this.#count();
        return this.#stop();
      }
    }
  }

  #adapt({ elapsed }: ReplyOf<'advance'>): void {
    const wanted = (this.#batch * FULL) / Math.max(0.2, elapsed);
    this.#batch = Math.round(Math.min(MOST, Math.max(FIRST, 0.7 * this.#batch + 0.3 * wanted)));
  }

  #take({ values, scores, alarms }: ReplyOf<'advance'>): void {
    const fresh = Math.min(SHOWN, values.length);
    const from = values.length - fresh;
    for (const [kept, given] of [
      [this.#values, values],
      [this.#scores, scores],
      [this.#alarms, alarms],
    ] as const) {
      kept.copyWithin(0, fresh);
      kept.set(given.subarray(from), SHOWN - fresh);
    }
    this.#rows += values.length;
    for (const alarm of alarms) this.#raised += alarm;
  }

  #measure({ values, elapsed }: ReplyOf<'advance'>): void {
    const reading = this.#reading;
    reading.frames++;
    reading.rows += values.length;
    reading.elapsed += elapsed;
    const milliseconds = performance.now() - reading.since;
    if (milliseconds < READING) return;
    const perSecond = (amount: number): number => Math.round((1000 * amount) / milliseconds);
    const each = reading.rows > 0 ? (1000 * reading.elapsed) / reading.rows : 0;
    find('rate').textContent =
      `${count(perSecond(reading.rows))} rows a second at ${perSecond(reading.frames)} frames a second; ` +
      `${short(Number(each.toPrecision(2)))} µs to score a row, enough for ${count(Math.round(1e6 / Math.max(each, 0.01)))} a second.`;
    this.#count();
    this.#reading = { since: performance.now(), frames: 0, rows: 0, elapsed: 0 };
  }

  #count(): void {
    find('alarms').textContent = `${count(this.#rows)} rows, ${count(this.#raised)} alarms.`;
  }

  #draw(): void {
    if (this.#canvas.clientWidth === 0) return;
    const { context, width, height } = fitCanvas(this.#canvas);
    const colours = theme();
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, width, height);
    if (this.#rows === 0) {
      context.fillStyle = colours.quiet;
      context.font = '14px system-ui, sans-serif';
      context.textAlign = 'center';
      context.fillText('Press Play', width / 2, height / 2);
      return;
    }
    const middle = height * 0.62;
    drawBand(context, this.#values, this.#alarms, { top: 10, height: middle - 20, width, title: this.#title });
    drawBand(context, this.#scores, this.#alarms, {
      top: middle + 6,
      height: height - middle - 14,
      width,
      title: 'score',
    });
  }
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

interface Place {
  readonly top: number;
  readonly height: number;
  readonly width: number;
  readonly title: string;
}

function drawBand(context: CanvasRenderingContext2D, values: Float64Array, alarms: Uint8Array, place: Place): void {
  const colours = theme();
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high > low)) [low, high] = [low - 1, low + 1];
  const across = (i: number): number => (i / (SHOWN - 1)) * place.width;
  const up = (value: number): number => place.top + place.height * (1 - (value - low) / (high - low));
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.4;
  context.beginPath();
  values.forEach((value, i) => {
    if (!Number.isNaN(value)) context.lineTo(across(i), up(value));
  });
  context.stroke();
  values.forEach((value, i) => {
    if (alarms[i] === 0 || Number.isNaN(value)) return;
    const [x, y] = [across(i), up(value)];
    context.fillStyle = colours.flagged;
    context.strokeStyle = colours.outline;
    context.beginPath();
    context.moveTo(x, y - 6);
    context.lineTo(x + 6, y);
    context.lineTo(x, y + 6);
    context.lineTo(x - 6, y);
    context.closePath();
    context.fill();
    context.stroke();
  });
  context.fillStyle = colours.quiet;
  context.font = '600 12px system-ui, sans-serif';
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillText(`${place.title}: ${short(low)} to ${short(high)}`, 6, place.top - 6);
}
