// The anomaly landscape of a detector of two features: its score everywhere, with the rows on it.
import { type AnyDetector, type FlatMatrix, landscape } from '../../index.js';
import { type Html, html } from './html.js';
import { Plot, padded, rangeOf, round } from './plot.js';
import { pngAddress } from './png.js';

const RESOLUTION = 120;
const MOST_POINTS = 800;
/** From normal to anomalous: lightness falls all the way, for eyes that do not tell hues apart. */
const RAMP = ['#f4f7fa', '#d5e3ee', '#b9cfe3', '#b4b6d6', '#bd93bb', '#c36b92', '#b8405f', '#96203a', '#6b0f22'];

export function landscapePlot(
  detector: AnyDetector,
  matrix: FlatMatrix,
  order: Uint32Array,
  names: readonly string[],
): Html {
  const column = (j: number) => Array.from({ length: matrix.rows }, (_, i) => matrix.data[i * 2 + j] as number);
  const bounds = { x: padded(rangeOf(column(0)), 0.08), y: padded(rangeOf(column(1)), 0.08) };
  const { values, width, height } = landscape(detector, {
    bounds,
    resolution: RESOLUTION,
    at: matrix.data.subarray(0, 2),
  });
  const plot = new Plot({ x: bounds.x, y: bounds.y, xLabel: names[0] as string, yLabel: names[1] as string });
  // By rank: scores of most detectors are far from evenly spread.
  const sorted = Float64Array.from(values).sort();
  const image = pngAddress(width, height, (x, y) => {
    const value = values[(height - 1 - y) * width + x] as number; // row 0 of the picture is on top
    return colourOf(shareBelow(sorted, value));
  });
  const [left, right, top, bottom] = [
    plot.x(bounds.x[0]),
    plot.x(bounds.x[1]),
    plot.y(bounds.y[1]),
    plot.y(bounds.y[0]),
  ];
  const step = Math.max(1, order.length / MOST_POINTS);
  const dots = Array.from({ length: Math.min(order.length, MOST_POINTS) }, (_, i) => {
    const position = order[Math.floor(i * step)] as number;
    const [x, y] = [matrix.data[2 * position] as number, matrix.data[2 * position + 1] as number];
    return html`<circle class="point" cx="${round(plot.x(x))}" cy="${round(plot.y(y))}" r="1.6"/>`;
  });
  return plot.draw(`The score at every place: darker is more anomalous. Dots are rows.`, [
    html`<image href="${image}" x="${round(left)}" y="${round(top)}" width="${round(right - left)}" height="${round(bottom - top)}" preserveAspectRatio="none"/>`,
    html`${dots}`,
  ]);
}

function shareBelow(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}

function colourOf(share: number): readonly [number, number, number] {
  const place = share * (RAMP.length - 1);
  const [from, to] = [
    RAMP[Math.floor(place)] as string,
    RAMP[Math.min(RAMP.length - 1, Math.floor(place) + 1)] as string,
  ];
  const part = (start: number): number => {
    const [a, b] = [Number.parseInt(from.slice(start, start + 2), 16), Number.parseInt(to.slice(start, start + 2), 16)];
    return Math.round(a + (b - a) * (place % 1));
  };
  return [part(1), part(3), part(5)];
}
