// Anomaly landscapes of CAD on a synthetic set, among all rows (type 1) and among the normal ones (type 2), and
// the paths of all flagged points down the second: by the paper's fixed step, and by searched steps.
import * as Plot from '@observablehq/plot';
import { type AnomalyPath, anomalyPaths, CAD, type PathOptions } from 'curvad';
import type { SyntheticSet } from '../synthetic.js';
import type { Figure } from './figure.js';
import { colorBar, planeOf, square } from './plane.js';
import { colorScale, rangeOf } from './raster.js';
import { COLORS, sheet } from './sheet.js';

/** The step of the paper; by default such a path ends when the score rises, or after 10,000 iterations. */
export const PAPER_STEP = 0.001;
const PAPER_PATH: PathOptions = { step: PAPER_STEP, every: 20 };
/** Larger than elsewhere: there is much to see. */
const SIDE = 340;
/** The scheme of landscapes: dark is high, so that orange paths and their bright ends show all over. */
export const LANDSCAPE_SCHEME = 'blues';

export interface PathCounts {
  readonly set: SyntheticSet;
  readonly flagged: number;
  /** How many paths end where the detector says normal. */
  readonly paper: number;
  readonly searched: number;
  /** The most iterations of a searched path. */
  readonly longest: number;
}

export async function landscapeFigure(set: SyntheticSet): Promise<{ figure: Figure; counts: PathCounts }> {
  using cad = new CAD().fit([...set.rows]);
  const [all, normal] = [planeOf(cad), planeOf(cad, { neighbors: 'normal' })];
  const flagged = set.rows.filter((_, i) => cad.labels[i] === 1);
  const [paper, searched] = [anomalyPaths(cad, flagged, PAPER_PATH), anomalyPaths(cad, flagged)];
  const colors = colorScale(LANDSCAPE_SCHEME, rangeOf(all));
  const rows = pointMarks(set, cad.labels);
  const counts = {
    set,
    flagged: flagged.length,
    paper: arrivals(paper),
    searched: arrivals(searched),
    longest: Math.max(...searched.map(({ iterations }) => iterations.at(-1) ?? 0)),
  };
  const svg = sheet({
    title: `${set.title}: anomaly landscape and anomaly paths of CAD`,
    heads: ['type 1: among all rows', "type 2, paths by the paper's step", 'type 2, paths by searched steps'],
    rows: [
      {
        charts: [
          await square({ grid: all, colors }, rows, { side: SIDE }),
          await square({ grid: normal, colors }, pathMarks(paper, rows), { side: SIDE }),
          await square({ grid: normal, colors }, pathMarks(searched, rows), { side: SIDE }),
        ],
      },
      { charts: [await colorBar(colors, cad.threshold, 'score, dark is anomalous')] },
    ],
  });
  return { figure: { name: `${set.name}-landscape`, svg, caption: captionOf(counts) }, counts };
}

function captionOf({ set, flagged, paper, searched, longest }: PathCounts): string {
  return [
    `${set.title}, CAD with k\u00a0=\u00a010. Left: the score at every place, with neighbours among all rows. Middle and right:`,
    'with neighbours among the rows labelled normal (white dots) only, and the paths of the flagged rows (orange) down',
    `to their ends (rings). With the paper's step, η\u00a0=\u00a0${PAPER_STEP} until the score rises, ${paper} of ${flagged}`,
    `end where the detector says normal; with searched steps, curvad's default, ${searched} of ${flagged}, each after at`,
    `most ${longest} iterations, because it stops at the first place that is normal.`,
  ].join(' ');
}

export function arrivals(paths: readonly AnomalyPath[]): number {
  return paths.filter(({ label }) => label === 0).length;
}

/** Normal rows white, flagged ones orange, both with a dark rim to show on any ground. */
export function pointMarks({ rows }: SyntheticSet, labels: Uint8Array, scale = 1): Plot.Markish[] {
  const rim = { stroke: '#1b2a3a', strokeWidth: 0.6 * scale };
  return [
    Plot.dot(
      rows.filter((_, i) => labels[i] === 0),
      { x: '0', y: '1', r: 1.7 * scale, fill: 'white', ...rim },
    ),
    Plot.dot(
      rows.filter((_, i) => labels[i] === 1),
      { x: '0', y: '1', r: 2.3 * scale, fill: COLORS.orange, ...rim },
    ),
  ];
}

/** Paths under the points they start from, and their ends as rings. */
export function pathMarks(paths: readonly AnomalyPath[], points: Plot.Markish[], scale = 1): Plot.Markish[] {
  const places = paths.flatMap((path, z) => path.points.map((point) => ({ x: point[0], y: point[1], z })));
  const ends = paths.filter(({ points }) => points.length > 1).map(({ points }) => points.at(-1) as Float64Array);
  const line = { x: 'x', y: 'y', z: 'z', strokeLinejoin: 'round', clip: true } as const;
  return [
    Plot.line(places, { ...line, stroke: 'white', strokeWidth: 2.8 * scale, strokeOpacity: 0.7 }),
    Plot.line(places, { ...line, stroke: COLORS.orange, strokeWidth: 1.3 * scale }),
    ...points,
    Plot.dot(ends, { x: '0', y: '1', r: 2.1 * scale, stroke: COLORS.orange, strokeWidth: 1.3 * scale, fill: 'white' }),
  ];
}
