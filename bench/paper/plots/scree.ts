// Scores in descending order with the threshold that K-means puts between them.
import * as Plot from '@observablehq/plot';
import { CAD } from 'curvad';
import { OUTLIERS, type SyntheticSet } from '../synthetic.js';
import type { Figure } from './figure.js';
import { CURVATURE_METHODS, type CurvatureMethod } from './methods.js';
import { COLORS, chart, sheet } from './sheet.js';

export function screeFigure(sets: readonly SyntheticSet[]): Figure {
  return {
    name: 'scree',
    svg: sheet({
      title: 'Scree plots: sorted scores and the threshold',
      heads: CURVATURE_METHODS.map(({ detector }) => detector),
      rows: sets.map((set, i) => ({
        label: set.title.toLowerCase(),
        charts: CURVATURE_METHODS.map((method) => scree(set, method, i === sets.length - 1)),
      })),
    }),
    caption: [
      'The score of every training row, highest first, k\u00a0=\u00a010. The line is the threshold, midway between the two centres',
      `that K-means finds: what lies above it is flagged. The ${OUTLIERS} outliers are orange crosses, all others blue dots.`,
    ].join(' '),
  };
}

function scree({ rows }: SyntheticSet, { options }: CurvatureMethod, isLowest: boolean): SVGSVGElement {
  using cad = new CAD(options).fit([...rows]);
  const { scores, threshold } = cad;
  const first = rows.length - OUTLIERS;
  const points = Array.from(scores, (score, i) => ({ score, isOutlier: i >= first }))
    .sort((a, b) => b.score - a.score)
    .map((point, i) => ({ ...point, place: i + 1 }));
  const flagged = points.filter(({ score }) => score > threshold).length;
  return chart({
    width: 300,
    height: 190,
    marginLeft: 34,
    marginRight: 6,
    marginTop: 8,
    marginBottom: isLowest ? 34 : 22,
    x: { label: isLowest ? 'place' : null, labelAnchor: 'center', labelArrow: 'none', ticks: 6 },
    y: { label: null, ticks: 5, grid: true, nice: true },
    marks: [
      Plot.frame({ anchor: 'bottom', stroke: COLORS.grey }),
      Plot.ruleY([threshold], { stroke: COLORS.ink, strokeWidth: 1.5 }),
      Plot.dot(
        points.filter(({ isOutlier }) => !isOutlier),
        { x: 'place', y: 'score', r: 1.8, fill: COLORS.blue },
      ),
      Plot.dot(
        points.filter(({ isOutlier }) => isOutlier),
        { x: 'place', y: 'score', r: 2.6, symbol: 'times', stroke: COLORS.orange, strokeWidth: 1.5 },
      ),
      Plot.text([0], {
        x: rows.length,
        y: threshold,
        text: () => `${flagged} above ${threshold.toFixed(1).replace('-', '−')}`,
        textAnchor: 'end',
        dy: -8,
        stroke: 'white',
        strokeWidth: 4,
        fill: COLORS.ink,
      }),
    ],
  });
}
