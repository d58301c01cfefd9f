// The map: rows by two columns, with the landscape behind them.
import type { App } from '../app.js';
import { find, fitCanvas } from '../dom.js';
import type { State } from '../state.js';
import { onThemeChange, theme } from '../theme.js';
import { drawAxes } from './axes.js';
import { boundsOf, Frame } from './frame.js';
import { drawGround, paintGround } from './ground.js';
import { areShapes, drawShape, drawShapes, plotPixels, type Rows } from './points.js';
import { Way } from './way.js';

/** After zooming or panning, the landscape is drawn anew when nothing has moved for so long. */
const REST = 180;

export class MapView {
  readonly canvas = find<HTMLCanvasElement>('map');
  readonly frame = new Frame();
  /** Where the next point would be drawn by the keyboard. */
  cross: { x: number; y: number } | undefined;
  readonly #app: App;
  readonly #ground = document.createElement('canvas');
  readonly #backdrop = document.createElement('canvas');
  /** What the backdrop was drawn of. */
  #backdropOf: readonly unknown[] = [];
  readonly #dots = document.createElement('canvas');
  readonly #way = new Way(() => this.redraw());
  #isDue = false;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #shown: Uint8Array | undefined;
  /** Ends the plotting of an earlier picture. */
  #plotting = 0;
  #isFramed = false;

  constructor(app: App) {
    this.#app = app;
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
    onThemeChange(() => {
      this.#paint(this.#app.state);
      this.#plot();
      this.redraw();
    });
    app.store.subscribe((state, changed) => this.#update(state, changed));
  }

  #update(state: State, changed: ReadonlySet<keyof State>): void {
    const has = (...keys: Array<keyof State>): boolean => keys.some((key) => changed.has(key));
    if (has('data', 'axes')) this.#isFramed = false;
    if (has('places') && !this.#isFramed && state.places !== undefined) this.showAll();
    if (has('kept')) this.#shown = shownOf(state);
    if (has('landscape')) this.#paint(state);
    if (has('path')) this.#way.set(state.path);
    if (has('places', 'fit', 'threshold', 'kept')) this.#plot();
    if (has('places', 'fit', 'threshold', 'kept', 'landscape', 'selected', 'path', 'view', 'tool')) this.redraw();
  }

  /** Shows all rows. */
  showAll(): void {
    const { places } = this.#app.state;
    if (places === undefined || places.x.length === 0) return;
    this.frame.bounds = boundsOf(places.x, places.y);
    this.#isFramed = true;
    this.moved(0);
  }

  /** The frame changed. */
  moved(rest = REST): void {
    this.#plot();
    this.redraw();
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => void this.#app.ground.show(this.frame.bounds), rest);
  }

  redraw(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  get #rows(): Rows | undefined {
    const { places, fit, threshold } = this.#app.state;
    if (places === undefined) return undefined;
    const isFitted = fit !== undefined && fit.scores.length === places.x.length;
    return {
      x: places.x,
      y: places.y,
      levels: isFitted ? fit.levels : undefined,
      scores: isFitted ? fit.scores : undefined,
      threshold,
      shown: this.#shown,
    };
  }

  #draw(): void {
    if (this.canvas.clientWidth === 0) return;
    const { context, width, height } = fitCanvas(this.canvas);
    const isResized = this.frame.width !== width || this.frame.height !== height;
    Object.assign(this.frame, { width, height });
    if (isResized) this.#plot();
    const { state } = this.#app;
    const colours = theme();
    this.#drawBackdrop(state);
    context.drawImage(this.#backdrop, 0, 0, width, height);
    const rows = this.#rows;
    if (rows === undefined) return;
    if (areShapes(rows)) drawShapes(context, rows, this.frame, colours);
    else context.drawImage(this.#dots, 0, 0, width, height);
    // Among prototypes, the way of a row to normal would only hide them.
    if (state.view === 'map') this.#way.draw(context, this.frame, colours);
    this.#drawSelection(context, rows, state);
    this.#drawCross(context);
  }

  /** What lies behind the rows, drawn once for all pictures that have it alike: while a point is dragged, for many. */
  #drawBackdrop({ landscape, axes, data }: State): void {
    const { bounds, width, height } = this.frame;
    const colours = theme();
    const parts = [landscape, axes, data?.time, bounds, width, height, colours];
    if (this.#backdropOf.length > 0 && parts.every((part, i) => part === this.#backdropOf[i])) return;
    this.#backdropOf = parts;
    this.#backdrop.width = this.canvas.width;
    this.#backdrop.height = this.canvas.height;
    const context = this.#backdrop.getContext('2d') as CanvasRenderingContext2D;
    context.scale(this.canvas.width / width, this.canvas.height / height);
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, width, height);
    if (landscape !== undefined) drawGround(context, this.#ground, landscape, this.frame, colours);
    drawAxes(context, this.frame, axes, data?.time);
  }

  #drawSelection(context: CanvasRenderingContext2D, rows: Rows, { selected, explanation, view }: State): void {
    if (selected === undefined || selected >= rows.x.length) return;
    const colours = theme();
    const at = (row: number) =>
      [this.frame.toScreenX(rows.x[row] as number), this.frame.toScreenY(rows.y[row] as number)] as const;
    const [left, top] = at(selected);
    context.strokeStyle = colours.quiet;
    context.lineWidth = 0.8;
    const isTold = view === 'map' && explanation?.row === selected;
    for (const neighbor of isTold ? explanation.neighbors : []) {
      const [toLeft, toTop] = at(neighbor);
      context.beginPath();
      context.moveTo(left, top);
      context.lineTo(toLeft, toTop);
      context.stroke();
    }
    const isFlagged = (rows.scores?.[selected] ?? 0) > rows.threshold;
    drawShape(context, left, top, 4.5, isFlagged, colours.accent, colours);
    context.strokeStyle = colours.ink;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(left, top, 12, 0, 2 * Math.PI);
    context.stroke();
  }

  #drawCross(context: CanvasRenderingContext2D): void {
    if (this.cross === undefined || this.#app.state.tool !== 'draw') return;
    const [left, top] = [this.frame.toScreenX(this.cross.x), this.frame.toScreenY(this.cross.y)];
    context.strokeStyle = theme().ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(left - 10, top);
    context.lineTo(left + 10, top);
    context.moveTo(left, top - 10);
    context.lineTo(left, top + 10);
    context.stroke();
  }

  #paint({ landscape }: State): void {
    if (landscape !== undefined) paintGround(this.#ground, landscape, theme());
  }

  /** Many rows are plotted once for each frame of the map, a part at a time. */
  #plot(): void {
    const rows = this.#rows;
    const { width, height } = this.canvas;
    if (rows === undefined || areShapes(rows) || width < 8) return;
    const plotting = ++this.#plotting;
    const image = new ImageData(width, height);
    const colours = theme();
    let from = 0;
    let isFlagged = false;
    const step = (): void => {
      if (plotting !== this.#plotting) return;
      from = plotPixels(image, rows, this.frame, colours, from, isFlagged);
      const isEnd = from >= rows.x.length;
      if (isEnd && isFlagged) {
        this.#show(image);
        return;
      }
      if (isEnd) [from, isFlagged] = [0, true];
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  #show(image: ImageData): void {
    this.#dots.width = image.width;
    this.#dots.height = image.height;
    (this.#dots.getContext('2d') as CanvasRenderingContext2D).putImageData(image, 0, 0);
    this.redraw();
  }

  /** The row nearest to a place on the screen, if one is near. */
  nearest(left: number, top: number, most = 18): number | undefined {
    const rows = this.#rows;
    if (rows === undefined) return undefined;
    let [best, least] = [-1, most * most];
    const { bounds, width, height } = this.frame;
    const [scaleX, scaleY] = [width / (bounds.x[1] - bounds.x[0]), height / (bounds.y[1] - bounds.y[0])];
    const [x, y] = [this.frame.toX(left), this.frame.toY(top)];
    for (let row = 0; row < rows.x.length; row++) {
      const dx = ((rows.x[row] as number) - x) * scaleX;
      const dy = ((rows.y[row] as number) - y) * scaleY;
      const distance = dx * dx + dy * dy;
      if (distance < least) [best, least] = [row, distance];
    }
    return best < 0 ? undefined : best;
  }
}

function shownOf({ kept, data }: State): Uint8Array | undefined {
  if (kept === undefined || data === undefined) return undefined;
  const shown = new Uint8Array(data.rows);
  for (const row of kept) shown[row] = 1;
  return shown;
}
