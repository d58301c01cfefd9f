// All detectors side by side on the same data, each with its defaults.
import type { App } from '../app.js';
import { find, fitCanvas, make } from '../dom.js';
import type { Comparison, ReplyOf } from '../engine/protocol.js';
import { METHOD_NAMES, METHODS, type MethodName } from '../methods.js';
import { count, duration } from '../numbers.js';
import { onThemeChange, theme } from '../theme.js';
import { boundsOf, Frame } from './frame.js';
import { drawGround, paintGround } from './ground.js';
import { drawShapes } from './points.js';

/** Cells across in a small picture. */
const CELLS = 90;

export class CompareView {
  readonly #app: App;
  readonly #known = new Map<MethodName, ReplyOf<'compare'>>();
  readonly #pictures = new Map<MethodName, HTMLCanvasElement>();
  readonly #ground = document.createElement('canvas');
  #round = 0;

  constructor(app: App) {
    this.#app = app;
    app.store.subscribe(({ view }, changed) => {
      if (changed.has('data') || changed.has('axes')) this.#known.clear();
      if (view !== 'compare') this.#round++;
      else if (changed.has('view') || changed.has('data') || changed.has('places')) void this.#run();
    });
    onThemeChange(() => this.#drawAll());
    new ResizeObserver(() => this.#drawAll()).observe(find('multiples'));
  }

  async #run(): Promise<void> {
    const round = ++this.#round;
    const { axes, data, places } = this.#app.state;
    if (data === undefined || places === undefined) return;
    this.#lay();
    const bounds = boundsOf(places.x, places.y);
    for (const method of METHOD_NAMES) {
      if (!this.#known.has(method)) {
        const landscape = { ...axes, bounds, width: CELLS, height: CELLS, neighbors: 'all' as const };
        const reply = await this.#app.jobs.wait(`${METHODS[method].title} …`, 'compare', {
          method,
          ...axes,
          landscape,
        });
        if (round !== this.#round || reply === undefined) return;
        this.#known.set(method, reply);
      }
      this.#draw(method);
    }
  }

  #lay(): void {
    const { data } = this.#app.state;
    const isSample = (data?.rows ?? 0) > 2000;
    find('compare-help').textContent =
      `Every detector with its defaults${isSample ? ', on a sample of about 2,000 rows' : ''}. Choose one to look closer.`;
    const items = METHOD_NAMES.map((method) => {
      const canvas = make('canvas', { 'aria-hidden': 'true' });
      this.#pictures.set(method, canvas);
      const text = make('small', { id: `compare-${method}` }, '…');
      const choose = make(
        'button',
        { type: 'button', 'data-method': method },
        canvas,
        make('b', {}, METHODS[method].title),
        text,
      );
      choose.addEventListener('click', () => {
        this.#app.view('map');
        void this.#app.method(method);
      });
      return make('li', {}, choose);
    });
    find('multiples').replaceChildren(...items);
  }

  #drawAll(): void {
    for (const method of this.#known.keys()) this.#draw(method);
  }

  #draw(method: MethodName): void {
    const reply = this.#known.get(method);
    const canvas = this.#pictures.get(method);
    if (reply === undefined || canvas === undefined || canvas.clientWidth === 0) return;
    const text = find(`compare-${method}`);
    text.textContent = textOf(reply);
    const { context, width, height } = fitCanvas(canvas);
    const colours = theme();
    const frame = Object.assign(new Frame(), { width, height, bounds: boundsOf(reply.x, reply.y) });
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, width, height);
    if (reply.landscape !== undefined) {
      paintGround(this.#ground, reply.landscape, colours);
      drawGround(context, this.#ground, reply.landscape, frame, colours);
    }
    const { scores, levels, threshold, x, y } = reply;
    const isFitted = scores.length > 0;
    drawShapes(
      context,
      {
        x,
        y,
        scores: isFitted ? scores : undefined,
        levels: isFitted ? levels : undefined,
        threshold,
        shown: undefined,
      },
      frame,
      colours,
      1.7,
    );
  }
}

function textOf({ scores, threshold, seconds, error }: Comparison): string {
  if (error !== undefined) return error;
  const flagged = scores.reduce((sum, score) => sum + (score > threshold ? 1 : 0), 0);
  return `${count(flagged)} flagged, ${duration(seconds)}`;
}
