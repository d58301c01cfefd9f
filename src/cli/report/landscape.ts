// The anomaly landscape of a detector with two features: its score everywhere, with the rows drawn on it.
import { type AnyDetector, type FlatMatrix, landscape, landscapePixels } from '../../index.js';
import { type Html, html } from './html.js';
import { Plot, padded, rangeOf, round } from './plot.js';
import { pngAddress } from './png.js';

const RESOLUTION = 120;
const MOST_POINTS = 800;
export function landscapePlot(
  detector: AnyDetector,
  matrix: FlatMatrix,
  order: Uint32Array,
  names: readonly string[],
): Html {
  const column = (j: number) => Array.from({ length: matrix.rows }, (_, i) => matrix.data[i * 2 + j] as number);
  const bounds = { x: padded(rangeOf(column(0)), 0.08), y: padded(rangeOf(column(1)), 0.08) };
  const map = landscape(detector, { bounds, resolution: RESOLUTION });
  const plot = new Plot({ x: bounds.x, y: bounds.y, xLabel: names[0] as string, yLabel: names[1] as string });
  const pixels = landscapePixels(map);
  const image = pngAddress(map.width, map.height, (x, y) => {
    const at = 4 * (y * map.width + x);
    return [pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number];
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
  return plot.draw(`The score at every point: darker is more anomalous. Dots are rows.`, [
    html`<image href="${image}" x="${round(left)}" y="${round(top)}" width="${round(right - left)}" height="${round(bottom - top)}" preserveAspectRatio="none"/>`,
    html`${dots}`,
  ]);
}
