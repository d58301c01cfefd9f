// What pointers and keys do on the map: look at rows, zoom, pan, draw, move and erase points.
import type { App } from '../app.js';
import { find } from '../dom.js';
import type { MapView } from './map.js';
import { stepThroughRows } from './row-keys.js';

/** A pointer that moved less than this was a click. */
const CLICK = 4;

interface Gesture {
  readonly left: number;
  readonly top: number;
  /** The row that is moved. */
  readonly row: number | undefined;
  hasMoved: boolean;
}

export class MapHands {
  readonly #app: App;
  readonly #map: MapView;
  readonly #pointers = new Map<number, { left: number; top: number }>();
  #gesture: Gesture | undefined;

  constructor(app: App, map: MapView) {
    this.#app = app;
    this.#map = map;
    const { canvas } = map;
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    canvas.addEventListener('pointerup', (event) => this.#up(event));
    canvas.addEventListener('pointercancel', (event) => this.#forget(event));
    canvas.addEventListener('keydown', (event) => this.#key(event));
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    find('zoom-in').addEventListener('click', () => this.#zoom(0.7));
    find('zoom-out').addEventListener('click', () => this.#zoom(1 / 0.7));
    find('zoom-all').addEventListener('click', () => map.showAll());
  }

  #zoom(factor: number, left?: number, top?: number): void {
    this.#map.frame.zoom(factor, left, top);
    this.#map.moved();
  }

  /** The wheel scrolls the page, unless the map has the focus or a pinch sends it. */
  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey && document.activeElement !== this.#map.canvas) return;
    event.preventDefault();
    this.#zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 240))), event.offsetX, event.offsetY);
  }

  #down(event: PointerEvent): void {
    const { offsetX: left, offsetY: top, pointerId } = event;
    this.#pointers.set(pointerId, { left, top });
    this.#map.canvas.setPointerCapture(pointerId);
    const { tool } = this.#app.state;
    const row = tool === 'look' || tool === 'draw' ? undefined : this.#map.nearest(left, top);
    this.#gesture = { left, top, row, hasMoved: false };
    if (tool === 'draw') this.#place(left, top);
    if (tool === 'erase') this.#erase(row);
  }

  #move(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined || this.#gesture === undefined) return;
    const { offsetX: left, offsetY: top } = event;
    if (Math.hypot(left - this.#gesture.left, top - this.#gesture.top) > CLICK) this.#gesture.hasMoved = true;
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, { left, top });
    if (other !== undefined) {
      this.#pinch(before, { left, top }, other);
      return;
    }
    if (!this.#gesture.hasMoved) return;
    switch (this.#app.state.tool) {
      case 'look':
        this.#map.frame.pan(left - before.left, top - before.top);
        this.#map.moved();
        return;
      case 'draw': {
        const far = Math.hypot(left - this.#gesture.left, top - this.#gesture.top) > 14;
        if (far) {
          this.#place(left, top);
          this.#gesture = { left, top, row: undefined, hasMoved: true };
        }
        return;
      }
      case 'move':
        this.#shift(this.#gesture.row, left, top, false);
        return;
      case 'erase':
        this.#erase(this.#map.nearest(left, top, 10));
        return;
    }
  }

  #pinch(
    before: { left: number; top: number },
    now: { left: number; top: number },
    other: { left: number; top: number },
  ): void {
    const apart = (a: { left: number; top: number }): number =>
      Math.max(20, Math.hypot(a.left - other.left, a.top - other.top));
    this.#zoom(apart(before) / apart(now), (now.left + other.left) / 2, (now.top + other.top) / 2);
  }

  #up(event: PointerEvent): void {
    const gesture = this.#gesture;
    const isLast = this.#pointers.size === 1;
    this.#forget(event);
    if (gesture === undefined || !isLast) return;
    const { tool } = this.#app.state;
    if (tool === 'look' && !gesture.hasMoved) void this.#app.select(this.#map.nearest(event.offsetX, event.offsetY));
    if (tool !== 'look') void this.#app.drawing.change(this.#app.drawing.points, true);
  }

  #forget({ pointerId }: PointerEvent): void {
    this.#pointers.delete(pointerId);
    if (this.#pointers.size === 0) this.#gesture = undefined;
  }

  #place(left: number, top: number): void {
    const { frame } = this.#map;
    this.#add(frame.toX(left), frame.toY(top), false);
  }

  #add(x: number, y: number, isLast: boolean): void {
    const { points: hand } = this.#app.drawing;
    const points = new Float64Array(hand.length + 2);
    points.set(hand);
    points.set([x, y], hand.length);
    void this.#app.drawing.change(points, isLast);
  }

  #erase(row: number | undefined, isLast = false): void {
    if (row === undefined) return;
    const { points: hand } = this.#app.drawing;
    void this.#app.drawing.change(
      hand.filter((_, i) => i >> 1 !== row),
      isLast,
    );
  }

  #shift(row: number | undefined, left: number, top: number, isLast: boolean): void {
    if (row === undefined) return;
    const points = this.#app.drawing.points.slice();
    points.set([this.#map.frame.toX(left), this.#map.frame.toY(top)], 2 * row);
    void this.#app.drawing.change(points, isLast);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isHandled = this.#view(event) || this.#edit(event) || stepThroughRows(this.#app, event.key);
    if (isHandled) event.preventDefault();
  }

  /** Zooms and pans. */
  #view({ key, shiftKey }: KeyboardEvent): boolean {
    const direction = DIRECTIONS[key];
    if (shiftKey && direction !== undefined) {
      this.#map.frame.pan(-40 * direction[0], -40 * direction[1]);
      this.#map.moved();
    } else if (key === '+' || key === '=') this.#zoom(0.7);
    else if (key === '-') this.#zoom(1 / 0.7);
    else if (key === '0') this.#map.showAll();
    else return false;
    return true;
  }

  /** Draws with a cross, moves and erases the selected point. */
  #edit({ key }: KeyboardEvent): boolean {
    const { tool, selected, places } = this.#app.state;
    const direction = DIRECTIONS[key];
    const { frame } = this.#map;
    const isPress = key === 'Enter' || key === ' ';
    if (tool === 'draw') {
      this.#map.cross ??= { x: frame.toX(frame.width / 2), y: frame.toY(frame.height / 2) };
      const { cross } = this.#map;
      if (isPress) this.#add(cross.x, cross.y, true);
      else if (direction === undefined) return false;
      else {
        cross.x = frame.toX(frame.toScreenX(cross.x) + 10 * direction[0]);
        cross.y = frame.toY(frame.toScreenY(cross.y) + 10 * direction[1]);
        this.#map.redraw();
      }
      return true;
    }
    if (selected === undefined || places === undefined) return false;
    if (tool === 'erase' && (isPress || key === 'Delete' || key === 'Backspace')) this.#erase(selected, true);
    else if (tool === 'move' && direction !== undefined) {
      const [x, y] = [places.x[selected] as number, places.y[selected] as number];
      this.#shift(selected, frame.toScreenX(x) + 6 * direction[0], frame.toScreenY(y) + 6 * direction[1], true);
    } else return false;
    return true;
  }
}

const DIRECTIONS: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
