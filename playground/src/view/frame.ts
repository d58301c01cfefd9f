// The part of the plane that a map shows, and how it lies on the screen.
import type { Bounds } from '../engine/protocol.js';

export class Frame {
  bounds: Bounds = { x: [0, 1], y: [0, 1] };
  width = 1;
  height = 1;

  toScreenX(x: number): number {
    const [low, high] = this.bounds.x;
    return ((x - low) / (high - low)) * this.width;
  }

  toScreenY(y: number): number {
    const [low, high] = this.bounds.y;
    return this.height - ((y - low) / (high - low)) * this.height;
  }

  toX(left: number): number {
    const [low, high] = this.bounds.x;
    return low + (left / this.width) * (high - low);
  }

  toY(top: number): number {
    const [low, high] = this.bounds.y;
    return low + ((this.height - top) / this.height) * (high - low);
  }

  /** Nearer for factors below 1, around a place on the screen. */
  zoom(factor: number, left = this.width / 2, top = this.height / 2): void {
    const [x, y] = [this.toX(left), this.toY(top)];
    const around = (centre: number, [low, high]: readonly [number, number]) =>
      [centre + (low - centre) * factor, centre + (high - centre) * factor] as const;
    this.bounds = { x: around(x, this.bounds.x), y: around(y, this.bounds.y) };
  }

  pan(left: number, top: number): void {
    const { x, y } = this.bounds;
    const [dx, dy] = [(left / this.width) * (x[1] - x[0]), (-top / this.height) * (y[1] - y[0])];
    this.bounds = { x: [x[0] - dx, x[1] - dx], y: [y[0] - dy, y[1] - dy] };
  }
}

/** All points, and some room around them. */
export function boundsOf(x: Float64Array, y: Float64Array): Bounds {
  return { x: spanOf(x), y: spanOf(y) };
}

function spanOf(values: Float64Array): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) return [0, 1];
  const room = high > low ? (high - low) * 0.06 : Math.max(1, Math.abs(low) * 0.1);
  return [low - room, high + room];
}

/** Round numbers across a span. */
export function ticks([low, high]: readonly [number, number], most: number): number[] {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: Math.max(0, Math.min(50, last - first + 1)) }, (_, i) => (first + i) * step);
}
