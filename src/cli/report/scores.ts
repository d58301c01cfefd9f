// Charts of the scores: the scree plot (all scores, highest first) and the histogram, with the threshold.
import { type Html, html } from './html.js';
import { logCount, Plot, padded, rangeOf, round } from './plot.js';

/** Most points in a line. */
const MOST_POINTS = 400;
const BINS = 40;

export function screePlot(scores: Float64Array, order: Uint32Array, threshold: number): Html {
  const range = rangeOf(scores);
  const plot = new Plot({
    x: [0, Math.max(1, scores.length - 1)],
    y: padded(range),
    xLabel: 'rank',
    yLabel: 'score',
    isXWhole: true,
  });
  const score = (rank: number): number => scores[order[rank] as number] as number;
  const ranks = spread(scores.length);
  const flagged = scores.reduce((sum, value) => sum + Number(value > threshold), 0);
  const above = ranks.filter((rank) => rank < flagged).map((rank) => [rank, score(rank)] as const);
  const below = ranks.filter((rank) => rank >= flagged).map((rank) => [rank, score(rank)] as const);
  const [last] = below;
  const joined = last === undefined ? above : [...above, last];
  return plot.draw(`All scores from the highest to the lowest; ${flagged} are above the threshold.`, [
    plot.line(below, 'curve'),
    plot.line(joined, 'curve hot'),
    plot.mark('y', threshold, 'threshold'),
  ]);
}

/** Ranks to draw: all of the first ones, where the curve is steep, then fewer. */
function spread(count: number): number[] {
  if (count <= MOST_POINTS) return Array.from({ length: count }, (_, i) => i);
  const ranks = Array.from({ length: MOST_POINTS }, (_, i) => Math.round((i / (MOST_POINTS - 1)) ** 2 * (count - 1)));
  return [...new Set(ranks)];
}

export function histogram(scores: Float64Array, threshold: number): Html {
  const [low, high] = rangeOf(scores);
  const width = (high - low || 1) / BINS;
  const counts = new Array<number>(BINS).fill(0);
  const hot = new Array<number>(BINS).fill(0);
  for (const value of scores) {
    const bin = Math.min(BINS - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] as number) + 1;
    if (value > threshold) hot[bin] = (hot[bin] as number) + 1;
  }
  // A logarithmic axis keeps a handful of anomalies visible beside thousands of rows.
  const plot = new Plot({
    x: [low, low + BINS * width],
    y: [0, logCount(Math.max(...counts)) * 1.05],
    xLabel: 'score',
    yLabel: 'rows',
    isYCount: true,
  });
  const bar = (bin: number, count: number, className: string): Html => {
    const [left, right] = [plot.x(low + bin * width), plot.x(low + (bin + 1) * width)];
    const top = plot.y(logCount(count));
    return html`<rect class="${className}" x="${round(left + 0.5)}" y="${round(top)}" width="${round(Math.max(0.5, right - left - 1))}" height="${round(plot.y(0) - top)}"><title>${count} rows</title></rect>`;
  };
  const bars = counts.flatMap((count, bin) => {
    const flagged = hot[bin] as number;
    if (count === 0) return [];
    return flagged === 0
      ? [bar(bin, count, 'bar')]
      : [
          bar(bin, count, flagged === count ? 'bar hot' : 'bar'),
          ...(flagged < count ? [bar(bin, flagged, 'bar hot')] : []),
        ];
  });
  return plot.draw('The number of rows by score.', [html`${bars}`, plot.mark('x', threshold, 'threshold')]);
}
