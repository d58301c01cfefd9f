// A frame for SVG charts: axes with round ticks, and the mapping from values to positions. Colours are CSS classes, so
// that one chart works in light mode, dark mode and print.
import { type Html, html } from './html.js';
import { timeTicks } from './time-ticks.js';

export const WIDTH = 440;
export const HEIGHT = 280;
const MARGIN = { left: 52, right: 12, top: 14, bottom: 44 };

export type Range = readonly [low: number, high: number];

export interface Axes {
  readonly x: Range;
  readonly y: Range;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Counts on a logarithmic axis: y is log10(1 + count), and ticks name the counts. */
  readonly isYCount?: boolean;
  /** Whether the x axis shows whole numbers only. */
  readonly isXWhole?: boolean;
  /** Whether the x axis shows times in milliseconds. */
  readonly isXTime?: boolean;
}

/** The position of a count on a logarithmic axis that starts at 0. */
export function logCount(count: number): number {
  return Math.log10(1 + count);
}

export class Plot {
  readonly #axes: Axes;

  constructor(axes: Axes) {
    this.#axes = { ...axes, x: widened(axes.x), y: widened(axes.y) };
  }

  /** Maps a value to a position. */
  x(value: number): number {
    const [low, high] = this.#axes.x;
    return MARGIN.left + ((value - low) / (high - low)) * (WIDTH - MARGIN.left - MARGIN.right);
  }

  y(value: number): number {
    const [low, high] = this.#axes.y;
    return HEIGHT - MARGIN.bottom - ((value - low) / (high - low)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  }

  /** The chart with its contents, and a description for screen readers. */
  draw(description: string, content: readonly Html[]): Html {
    const { xLabel, yLabel } = this.#axes;
    const middle = (MARGIN.left + WIDTH - MARGIN.right) / 2;
    const centre = (MARGIN.top + HEIGHT - MARGIN.bottom) / 2;
    return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${description}">
${this.#grid()}
${content}
<text class="label" x="${middle}" y="${HEIGHT - 6}" text-anchor="middle">${xLabel}</text>
<text class="label" transform="translate(12 ${centre}) rotate(-90)" text-anchor="middle">${yLabel}</text>
</svg>`;
  }

  /** A line through points; points that coincide with the previous one are omitted. */
  line(points: ReadonlyArray<readonly [x: number, y: number]>, className: string): Html {
    let path = '';
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    points.forEach(([px, py], i) => {
      const [x, y] = [round(this.x(px)), round(this.y(py))];
      const isSeen = i === 0 || i === points.length - 1 || Math.abs(x - lastX) >= 0.3 || Math.abs(y - lastY) >= 0.3;
      if (!isSeen) return;
      path += `${i === 0 ? 'M' : 'L'}${x} ${y}`;
      [lastX, lastY] = [x, y];
    });
    return html`<path class="${className}" d="${path}"/>`;
  }

  /** A dashed line at a value, with a label. */
  mark(axis: 'x' | 'y', value: number, word: string): Html {
    const [low, high] = this.#axes[axis];
    if (!(value >= low && value <= high)) return html``;
    if (axis === 'y') {
      const y = round(this.y(value));
      return html`<line class="threshold" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y}" y2="${y}"/><text class="note" x="${WIDTH - MARGIN.right - 4}" y="${y - 5}" text-anchor="end">${word}</text>`;
    }
    const x = round(this.x(value));
    const isRight = x > WIDTH * 0.6;
    return html`<line class="threshold" x1="${x}" x2="${x}" y1="${MARGIN.top}" y2="${HEIGHT - MARGIN.bottom}"/><text class="note" x="${x + (isRight ? -5 : 5)}" y="${MARGIN.top + 10}" text-anchor="${isRight ? 'end' : 'start'}">${word}</text>`;
  }

  #grid(): Html {
    const { x, y, isYCount, isXTime, isXWhole } = this.#axes;
    const bottom = HEIGHT - MARGIN.bottom;
    const places = isXTime
      ? timeTicks(x, 5).map(({ time, text }) => [time, text] as const)
      : ticks(x, 6)
          .filter((value) => !isXWhole || Number.isInteger(Number(value.toPrecision(12))))
          .map((value) => [value, tickText(value)] as const);
    const xs = places.map(([value, text]) => {
      const at = round(this.x(value));
      return html`<line class="grid" x1="${at}" x2="${at}" y1="${MARGIN.top}" y2="${bottom}"/><text class="tick" x="${at}" y="${bottom + 15}" text-anchor="middle">${text}</text>`;
    });
    const powers = Array.from({ length: 12 }, (_, i) => 10 ** i).filter((count) => logCount(count) <= y[1]);
    const heights = isYCount
      ? [0, ...powers].map((count) => [logCount(count), count] as const)
      : ticks(y, 5).map((value) => [value, value] as const);
    const ys = heights.map(([height, value]) => {
      const at = round(this.y(height));
      return html`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at}" y2="${at}"/><text class="tick" x="${MARGIN.left - 6}" y="${at + 4}" text-anchor="end">${tickText(value)}</text>`;
    });
    return html`<g>${xs}${ys}</g>`;
  }
}

/** A range that is not empty. */
function widened([low, high]: Range): Range {
  return high > low ? [low, high] : [low - 0.5, low + 0.5];
}

/** The smallest and the largest value. */
export function rangeOf(values: Iterable<number>): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** A range with a margin on both sides. */
export function padded([low, high]: Range, share = 0.04): Range {
  const room = (high - low || 1) * share;
  return [low - room, high + room];
}

/** About `count` round values in a range: steps of 1, 2 or 5 times a power of ten. */
export function ticks([low, high]: Range, about: number): number[] {
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, Math.min(50, last - first + 1)) }, (_, i) => (first + i) * step);
}

function tickText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6 || (size < 1e-3 && size > 0)) return value.toExponential(0);
  if (size >= 1e4) return `${Number((value / 1000).toPrecision(3))}k`;
  return String(Number(value.toPrecision(6)));
}

/** Positions in a chart need no more digits. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** One of nine colour classes for a share from 0 to 1. */
export function heat(share: number): string {
  return `h${Math.max(0, Math.min(8, Math.floor(share * 9)))}`;
}
