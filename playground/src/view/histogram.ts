// The distribution of the scores, and the threshold, to be dragged on the picture or moved with the keys.
import type { App } from '../app.js';
import { fillChoice, find, fitCanvas } from '../dom.js';
import { count, percent, short } from '../numbers.js';
import { countAbove } from '../ranking.js';
import { onThemeChange, theme } from '../theme.js';

const BINS = 48;
/** Shares of the rows that can be flagged. */
const SHARES: readonly number[] = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

export class Histogram {
  readonly #app: App;
  readonly #canvas = find<HTMLCanvasElement>('histogram');
  readonly #slider = find<HTMLInputElement>('threshold');
  #bins = new Float64Array(BINS);
  #range: readonly [low: number, high: number] = [0, 1];

  constructor(app: App) {
    this.#app = app;
    app.store.subscribe((_, changed) => {
      if (changed.has('fit')) this.#count();
      if (changed.has('fit') || changed.has('threshold')) this.#update();
    });
    this.#slider.addEventListener('input', () => this.#move(Number(this.#slider.value) / Number(this.#slider.max)));
    this.#slider.addEventListener('change', () => void app.settle());
    find('automatic').addEventListener('click', () => void app.threshold(undefined).then(() => app.settle()));
    this.#offerShares();
    this.#listen();
    new ResizeObserver(() => this.#draw()).observe(this.#canvas);
    onThemeChange(() => this.#draw());
  }

  #offerShares(): void {
    const select = find<HTMLSelectElement>('share');
    const shares = SHARES.map((share) => [String(share), `the highest ${percent(share)}`] as const);
    fillChoice(select, [['', 'as the detector says'], ...shares], '');
    select.addEventListener('change', () => void this.#app.share(Number(select.value) || undefined));
    this.#app.store.subscribe(({ settings: { share } }, changed) => {
      if (changed.has('settings')) select.value = SHARES.includes(share ?? 0) ? String(share) : '';
    });
  }

  #listen(): void {
    const canvas = this.#canvas;
    const follow = ({ offsetX }: PointerEvent): void =>
      this.#move(Math.min(1, Math.max(0, offsetX / canvas.clientWidth)));
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      follow(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) follow(event);
    });
    canvas.addEventListener('pointerup', () => void this.#app.settle());
  }

  #move(share: number): void {
    const [low, high] = this.#range;
    void this.#app.threshold(Number((low + share * (high - low)).toPrecision(5)));
  }

  #count(): void {
    const { fit } = this.#app.state;
    this.#bins = new Float64Array(BINS);
    if (fit === undefined) return;
    const { sorted, scores } = fit;
    const low = sorted[0] ?? 0;
    const most = sorted[sorted.length - 1] ?? 1;
    // A few scores far out are gathered in the last bar: the others stay apart.
    const usual = sorted[Math.floor(0.99 * (sorted.length - 1))] ?? most;
    const high = Math.min(most, Math.max(usual, fit.threshold, low) + 1.2 * (usual - low)) || most;
    this.#range = high > low ? [low, high] : [low - 1, low + 1];
    const [first, last] = this.#range;
    for (const score of scores) {
      const bin = Math.min(BINS - 1, Math.max(0, Math.floor(((score - first) / (last - first)) * BINS)));
      this.#bins[bin] = (this.#bins[bin] as number) + 1;
    }
  }

  #update(): void {
    const { fit, threshold, settings } = this.#app.state;
    const [low, high] = this.#range;
    const output = find<HTMLOutputElement>('flagged');
    find('automatic').hidden = settings.threshold === undefined;
    this.#slider.disabled = fit === undefined;
    if (fit === undefined) {
      output.value = '';
      this.#draw();
      return;
    }
    const flagged = countAbove(fit.sorted, threshold);
    this.#slider.value = String(Math.round(((threshold - low) / (high - low)) * Number(this.#slider.max)));
    const text = `${count(flagged)} of ${count(fit.scores.length)} rows (${percent(flagged / fit.scores.length)}) above ${short(threshold)}`;
    this.#slider.setAttribute('aria-valuetext', text);
    output.value = text;
    this.#canvas.setAttribute(
      'aria-label',
      `Distribution of the scores, from ${short(fit.sorted[0] ?? 0)} to ${short(fit.sorted[fit.sorted.length - 1] ?? 0)}: ${text}`,
    );
    this.#draw();
  }

  #draw(): void {
    if (this.#canvas.clientWidth === 0) return;
    const { context, width, height } = fitCanvas(this.#canvas);
    const { threshold, fit } = this.#app.state;
    const colours = theme();
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, width, height);
    if (fit === undefined) return;
    const [low, high] = this.#range;
    const most = Math.sqrt(Math.max(...this.#bins));
    const bar = width / BINS;
    this.#bins.forEach((rows, bin) => {
      if (rows === 0) return;
      // The root of the count: a bar of one row is still seen beside one of thousands.
      const tall = Math.max(2, (Math.sqrt(rows) / most) * (height - 26));
      const isAbove = low + ((bin + 0.5) / BINS) * (high - low) > threshold;
      context.fillStyle = isAbove ? colours.flagged : `rgb(${colours.rows.subarray(3 * 80, 3 * 80 + 3).join(' ')})`;
      context.fillRect(bin * bar + 0.5, height - 14 - tall, bar - 1, tall);
    });
    const at = ((threshold - low) / (high - low)) * width;
    context.fillStyle = colours.ink;
    context.fillRect(at - 1, 0, 2, height - 14);
    context.beginPath();
    context.arc(at, 7, 6, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = colours.quiet;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'bottom';
    context.textAlign = 'left';
    context.fillText(short(low), 2, height - 1);
    context.textAlign = 'right';
    context.fillText(
      `${(fit.sorted[fit.sorted.length - 1] as number) > high ? '≥ ' : ''}${short(high)}`,
      width - 2,
      height - 1,
    );
  }
}
