// The scores over time if the file has a time column, else by row: when or where the anomalies are.
import type { Detection } from '../commands/detection.js';
import { clean } from '../errors.js';
import { type Html, html } from './html.js';
import { Plot, padded, rangeOf, round } from './plot.js';

/** Most dots drawn: the anomalies, and the highest score in each of this many parts of the axis. */
const MOST_HOT = 1000;
const PARTS = 700;

interface Axis {
  readonly label: string;
  readonly isTime: boolean;
  /** NaN if unknown. */
  placeOf(position: number): number;
}

export function alongPlot(detection: Detection): { readonly title: string; readonly drawing: Html } {
  const { scores, threshold } = detection.scored;
  const axis = timeAxis(detection) ?? rowAxis(detection);
  const [low, high] = rangeOf(Array.from(scores, (_, i) => axis.placeOf(i)).filter((place) => !Number.isNaN(place)));
  const plot = new Plot({
    x: padded([low, high], 0.02),
    y: padded(rangeOf(scores)),
    xLabel: axis.label,
    yLabel: 'score',
    isXTime: axis.isTime,
    isXWhole: !axis.isTime,
  });
  const best = new Map<number, number>();
  const hot: number[] = [];
  for (const position of detection.order) {
    const place = axis.placeOf(position);
    if (Number.isNaN(place)) continue;
    if ((scores[position] as number) > threshold && hot.length < MOST_HOT) hot.push(position);
    else {
      const part = Math.floor((PARTS * (place - low)) / (high - low || 1));
      if (scores.length <= PARTS) best.set(position, position);
      else if (!best.has(part)) best.set(part, position); // highest first
    }
  }
  const dot = (position: number, isHot: boolean): Html => {
    const [x, y] = [round(plot.x(axis.placeOf(position))), round(plot.y(scores[position] as number))];
    return html`<circle class="${isHot ? 'dot hot' : 'dot'}" cx="${x}" cy="${y}" r="${isHot ? 3.2 : 1.8}"/>`;
  };
  const dots = [
    ...[...best.values()].map((position) => dot(position, false)),
    ...hot.reverse().map((p) => dot(p, true)),
  ];
  const what = axis.isTime ? 'Over time' : 'By row';
  return {
    title: what,
    drawing: plot.draw(`${what}: scores, with larger dots for anomalies.`, [
      html`${dots}`,
      plot.mark('y', threshold, 'threshold'),
    ]),
  };
}

/** The first time column that is present in most rows and not constant. */
function timeAxis({ input }: Detection): Axis | undefined {
  const { table, rowNumbers } = input;
  const column = table.columns.find((candidate) => {
    if (candidate.kind !== 'time' || candidate.missing > 0.1 * table.rows) return false;
    const known = candidate.values.filter((value) => !Number.isNaN(value));
    return known.some((value) => value !== known[0]);
  });
  if (column?.kind !== 'time') return undefined;
  return {
    label: clean(column.name, 40),
    isTime: true,
    placeOf: (position) => column.values[rowNumbers[position] as number] as number,
  };
}

function rowAxis({ input }: Detection): Axis {
  const { rowNumbers, files } = input;
  return {
    label: files.length > 1 ? 'row, one file after the other' : 'row',
    isTime: false,
    placeOf: (position) => rowNumbers[position] as number,
  };
}
