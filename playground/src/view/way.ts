// The way of the selected row to normal: a line that grows from the row, at once for people who want stillness.
import type { State } from '../state.js';
import { prefersStillness, type Theme } from '../theme.js';
import type { Frame } from './frame.js';

const MILLISECONDS = 900;

export class Way {
  #path: State['path'];
  #since = 0;
  readonly #redraw: () => void;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  set(path: State['path']): void {
    this.#path = path;
    this.#since = prefersStillness() ? Number.NEGATIVE_INFINITY : performance.now();
  }

  draw(context: CanvasRenderingContext2D, frame: Frame, { flagged, outline }: Theme): void {
    if (this.#path === undefined) return;
    const { points, isPath } = this.#path;
    const done = Math.min(1, (performance.now() - this.#since) / MILLISECONDS);
    const last = points.length / 2 - 1;
    const place = done * last;
    const at = (step: number): readonly [number, number] => {
      const before = Math.min(last, Math.floor(step));
      const after = Math.min(last, before + 1);
      const share = step - before;
      const between = (first: 0 | 1): number =>
        (points[2 * before + first] as number) * (1 - share) + (points[2 * after + first] as number) * share;
      return [frame.toScreenX(between(0)), frame.toScreenY(between(1))];
    };
    const steps = [...Array.from({ length: Math.floor(place) + 1 }, (_, i) => i), place];
    for (const [colour, width] of [
      [outline, 5],
      [flagged, 2.6],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.lineJoin = 'round';
      context.setLineDash(isPath ? [] : [7, 6]);
      context.beginPath();
      for (const step of steps) context.lineTo(...at(step));
      context.stroke();
    }
    context.setLineDash([]);
    const [left, top] = at(place);
    context.beginPath();
    context.arc(left, top, 5, 0, 2 * Math.PI);
    context.fillStyle = flagged;
    context.strokeStyle = outline;
    context.lineWidth = 2;
    context.fill();
    context.stroke();
    if (done < 1) this.#redraw();
  }
}
