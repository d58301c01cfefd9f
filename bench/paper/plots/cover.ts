// Draws docs/landscape.png, the picture of the README: the anomaly landscape of the two moons among the normal
// rows, and the paths of outliers down to where they would be normal.
// Run: npm run picture
import { writeFileSync } from 'node:fs';
import * as Plot from '@observablehq/plot';
import { anomalyPaths, CAD, landscape } from 'curvad';
import { OUTLIERS, syntheticSets } from '../synthetic.js';
import { LANDSCAPE_SCHEME, pathMarks, pointMarks } from './landscapes.js';
import { colorScale, rangeOf, rasterOf } from './raster.js';
import { COLORS, chart, pngOf, sheet } from './sheet.js';

const [WIDTH, HEIGHT] = [800, 480];
const [EDGE_X, EDGE_Y] = [7, 4.2];
const MARK_SCALE = 1.5;
/** Pixels of the file for each unit; the ground has as many cells, so that they need no blending. */
const DENSITY = 1.5;
/** Few enough for a small file, and for lines of equal height to show. */
const SHADES = 20;

/** The picture as SVG. */
async function cover(): Promise<string> {
  const [moons] = syntheticSets();
  if (moons === undefined) throw new Error('there are two moons');
  using cad = new CAD().fit([...moons.rows]);
  const bounds = { x: [-EDGE_X, EDGE_X], y: [-EDGE_Y, EDGE_Y] } as const;
  const ground = landscape(cad, { bounds, resolution: [WIDTH * DENSITY, HEIGHT * DENSITY], neighbors: 'normal' });
  const src = await rasterOf(ground, colorScale(LANDSCAPE_SCHEME, rangeOf(ground), SHADES));
  const first = moons.rows.length - OUTLIERS;
  const outliers = moons.rows.filter(([, y], i) => i >= first && cad.labels[i] === 1 && Math.abs(y) < EDGE_Y);
  const paths = anomalyPaths(cad, outliers);
  const points = pointMarks(moons, cad.labels, MARK_SCALE);
  const plot = chart({
    width: WIDTH,
    height: HEIGHT,
    margin: 0,
    x: { domain: [-EDGE_X, EDGE_X], axis: null },
    y: { domain: [-EDGE_Y, EDGE_Y], axis: null },
    clip: true,
    marks: [
      Plot.image([0], { src: () => src, frameAnchor: 'middle', width: WIDTH, height: HEIGHT }),
      ...pathMarks(paths, points, MARK_SCALE),
    ],
  });
  const title = 'The anomaly landscape of two moons, and the paths of outliers down to where they would be normal';
  return sheet({ title, isTitleHidden: true, rows: [{ charts: [plot] }, { charts: [key()] }] });
}

/** What the marks mean. */
function key(): SVGSVGElement {
  const words = [
    [0.01, 'a normal row'],
    [0.19, 'a flagged row'],
    [0.42, 'the path of an outlier to where it would be normal'],
  ] as const;
  const rim = { stroke: '#1b2a3a', strokeWidth: 0.9 };
  const line = [0.375, 0.41].map((x) => ({ x }));
  return chart({
    width: WIDTH,
    height: 22,
    margin: 0,
    x: { domain: [0, 1], axis: null },
    y: { domain: [-1, 1], axis: null },
    marks: [
      Plot.text(words, { x: '0', y: 0, text: '1', dx: 12, textAnchor: 'start', fontSize: 14 }),
      Plot.dot([0.01], { x: (x) => x, y: 0, r: 3.5, fill: 'white', ...rim }),
      Plot.dot([0.19], { x: (x) => x, y: 0, r: 4.5, fill: COLORS.orange, ...rim }),
      Plot.line(line, { x: 'x', y: () => 0, stroke: COLORS.orange, strokeWidth: 2 }),
      Plot.dot(line.slice(1), { x: 'x', y: 0, r: 4, fill: 'white', stroke: COLORS.orange, strokeWidth: 2 }),
      Plot.text([1], { x: (x) => x, y: 0, text: () => 'dark: anomalous', textAnchor: 'end', fontSize: 14 }),
    ],
  });
}

writeFileSync(new URL('../../../docs/landscape.png', import.meta.url), await pngOf(await cover(), DENSITY));
