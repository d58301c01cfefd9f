// What CAD and kernel CAD find on a synthetic set: the regions they call normal, and their scores all over the
// plane.
import * as Plot from '@observablehq/plot';
import { CAD } from 'curvad';
import { OUTLIERS, type SyntheticSet } from '../synthetic.js';
import type { Figure } from './figure.js';
import { CURVATURE_METHODS, type CurvatureMethod } from './methods.js';
import { colorBar, planeOf, square } from './plane.js';
import { colorScale, rangeOf } from './raster.js';
import { COLORS, chart, sheet } from './sheet.js';

const NORMAL_GREY = [222, 222, 222] as const;
const WHITE = [255, 255, 255] as const;

export async function detectionFigure(set: SyntheticSet): Promise<Figure> {
  const found = await Promise.all(CURVATURE_METHODS.map((method) => detection(set, method)));
  return {
    name: `${set.name}-detection`,
    svg: sheet({
      title: `${set.title} with ${OUTLIERS} outliers: what is found`,
      heads: CURVATURE_METHODS.map(({ detector }) => detector),
      rows: [
        { label: 'regions', charts: found.map(({ regions }) => regions) },
        { charts: [key()] },
        { label: 'scores', charts: found.map(({ scores }) => scores) },
        { charts: found.map(({ bar }) => bar) },
      ],
    }),
    caption: [
      `${set.title}, k\u00a0=\u00a010. Above: the regions each detector calls normal (grey) and anomalous (white), with the`,
      'training rows as it labels them. Below: its score all over the plane, light is high. Scores are oriented so',
      'that higher is more anomalous for every kernel; the paper shows those of K-CAD the other way round. A training row',
      'may differ from the ground under it: it is not its own neighbour, but would be one of any new row there.',
      `Of the ${OUTLIERS} outliers (and of the ${set.rows.length - OUTLIERS} other points),`,
      `${found.map(({ count }) => count).join(', ')}.`,
    ].join(' '),
  };
}

async function detection({ rows }: SyntheticSet, { detector, options }: CurvatureMethod) {
  using cad = new CAD(options).fit([...rows]);
  const { labels, threshold } = cad;
  const plane = planeOf(cad);
  const colors = colorScale('viridis', rangeOf(plane));
  const region = { color: (value: number) => (value > threshold ? WHITE : NORMAL_GREY) };
  const flagged = (from: number, to?: number): number => labels.slice(from, to).reduce((sum, label) => sum + label, 0);
  const dots = Plot.dot(rows, { x: '0', y: '1', r: 1.6, fill: 'white', stroke: 'black', strokeWidth: 0.6 });
  return {
    regions: await square({ grid: plane, colors: region }, labelled(rows, labels)),
    scores: await square({ grid: plane, colors }, [dots]),
    bar: await colorBar(colors, threshold, 'score'),
    count: `${detector} flags ${flagged(-OUTLIERS)} (${flagged(0, -OUTLIERS)})`,
  };
}

/** Normal points as dots, anomalies as crosses: shape and colour say the same. */
function labelled(rows: SyntheticSet['rows'], labels: Uint8Array): Plot.Markish[] {
  const points = rows.map(([x, y], i) => ({ x, y, isAnomaly: labels[i] === 1 }));
  return [
    Plot.dot(
      points.filter(({ isAnomaly }) => !isAnomaly),
      { x: 'x', y: 'y', r: 2, fill: COLORS.blue },
    ),
    Plot.dot(
      points.filter(({ isAnomaly }) => isAnomaly),
      { x: 'x', y: 'y', r: 2.8, symbol: 'times', stroke: COLORS.orange, strokeWidth: 1.6 },
    ),
  ];
}

/** What the marks of the regions mean. */
function key(): SVGSVGElement {
  const at = { y: 0, dx: 8, textAnchor: 'start', fontSize: 12 } as const;
  return chart({
    width: 296,
    height: 18,
    margin: 0,
    marginLeft: 28,
    x: { domain: [0, 2.2], axis: null },
    y: { domain: [-1, 1], axis: null },
    marks: [
      Plot.dot([0.04], { x: (x) => x, y: 0, r: 3, fill: COLORS.blue }),
      Plot.text(['labelled normal'], { x: 0.04, ...at }),
      Plot.dot([1.14], { x: (x) => x, y: 0, r: 3.4, symbol: 'times', stroke: COLORS.orange, strokeWidth: 1.8 }),
      Plot.text(['labelled anomaly'], { x: 1.14, ...at }),
    ],
  });
}
