// How inverse CAD and its kernel versions rank the points of the synthetic sets: the larger, the more important.
import * as Plot from '@observablehq/plot';
import { InverseCAD } from 'curvad';
import { OUTLIERS, type SyntheticSet } from '../synthetic.js';
import type { Figure } from './figure.js';
import { CURVATURE_METHODS, type CurvatureMethod } from './methods.js';
import { square } from './plane.js';
import { COLORS, sheet } from './sheet.js';

export async function rankingFigure(sets: readonly SyntheticSet[]): Promise<Figure> {
  const rows = sets.map(async (set) => ({
    label: set.title.toLowerCase(),
    charts: await Promise.all(CURVATURE_METHODS.map((method) => ranking(set, method))),
  }));
  return {
    name: 'ranking',
    svg: sheet({
      title: 'Instance ranking: larger markers are more important',
      heads: CURVATURE_METHODS.map(({ selector }) => selector),
      rows: await Promise.all(rows),
    }),
    caption: [
      'Every row of the three sets by its place in the ranking of iCAD and K-iCAD, k\u00a0=\u00a010, without classes: the area of',
      `a marker falls evenly from the first place to the last. The ${OUTLIERS} outliers are orange, all others blue.`,
    ].join(' '),
  };
}

function ranking({ rows }: SyntheticSet, { options }: CurvatureMethod): Promise<SVGSVGElement> {
  const { indices } = new InverseCAD(options).rank([...rows]);
  const last = rows.length - 1;
  // Important ones first, so that small markers lie on top of large ones.
  const points = Array.from(indices, (i, place) => {
    const [x, y] = rows[i] as readonly [number, number];
    return { x, y, importance: 1 - place / last, color: i > last - OUTLIERS ? COLORS.orange : COLORS.blue };
  });
  const dots = Plot.dot(points, {
    x: 'x',
    y: 'y',
    r: 'importance',
    fill: 'color',
    fillOpacity: 0.45,
    stroke: 'color',
    strokeWidth: 0.7,
    sort: null,
  });
  return square(undefined, [dots], { r: { type: 'sqrt', domain: [0, 1], range: [0.6, 6] } });
}
