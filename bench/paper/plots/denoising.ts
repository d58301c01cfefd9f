// Denoising in pictures: the strips of one frame under four distortions, iteration by iteration, and how far
// from the original the remedies leave all frames.
import * as Plot from '@observablehq/plot';
import { type Denoised, ITERATIONS, type Judged, REMEDIES, TARGET_MSE } from '../denoising.js';
import { DISTORTIONS } from '../distortions.js';
import type { Figure } from './figure.js';
import { pictureOf } from './raster.js';
import { COLORS, chart, sheet } from './sheet.js';

const [PICTURE_WIDTH, PICTURE_HEIGHT] = [60, 84];
const CELL = { width: PICTURE_WIDTH + 8, height: PICTURE_HEIGHT + 44 } as const;

interface Cell {
  readonly column: string;
  readonly row: string;
  readonly src: string;
  readonly words: string;
}

const grouped = new Intl.NumberFormat('en');
const columnOf = (iteration: number): string => (iteration === 0 ? 'distorted' : grouped.format(iteration));
const COLUMNS = ['original', ...ITERATIONS.map(columnOf), 'searched', 'nearest'];

/** The strips of one frame: what it was, what it became, and how it came back. */
export async function stripFigure(cases: readonly Denoised[]): Promise<Figure> {
  const [{ frame }] = cases as readonly [Denoised];
  const cells = (await Promise.all(cases.map(stripOf))).flat();
  const strips = chart({
    width: 112 + COLUMNS.length * CELL.width,
    height: 24 + DISTORTIONS.length * CELL.height,
    margin: 0,
    marginTop: 24,
    marginLeft: 112,
    fx: { domain: COLUMNS, label: null, axis: 'top', padding: 0 },
    fy: { domain: DISTORTIONS.map(({ title }) => title), label: null, axis: 'left', padding: 0 },
    marks: [
      Plot.image(cells, {
        fx: 'column',
        fy: 'row',
        src: 'src',
        frameAnchor: 'top',
        dy: PICTURE_HEIGHT / 2,
        width: PICTURE_WIDTH,
        height: PICTURE_HEIGHT,
      }),
      Plot.text(cells, {
        fx: 'column',
        fy: 'row',
        text: 'words',
        frameAnchor: 'top',
        lineAnchor: 'top',
        dy: PICTURE_HEIGHT + 6,
        lineHeight: 1.25,
        fontSize: 10,
      }),
    ],
  });
  return {
    name: 'denoising',
    svg: sheet({ title: `Denoising by anomaly paths: frame ${frame} of the Frey film`, rows: [{ charts: [strips] }] }),
    caption: [
      `Frame ${frame} (from 0) of the first 100, each time distorted to a mean squared error (MSE) of ${TARGET_MSE} and taken`,
      'out of the film; the 99 others lead it back, k\u00a0=\u00a03. Columns with numbers are iterations of the path with the step of',
      'the paper, η\u00a0=\u00a010,000; “searched” is the end of a path with searched steps, “nearest” the plain mean of the three',
      'nearest frames. Under each image: its MSE and its structural similarity (SSIM) to the original.',
    ].join(' '),
  };
}

async function stripOf({ distortion, original, path, searched, nearest }: Denoised): Promise<Cell[]> {
  const shown: Array<[string, Pick<Judged, 'image'> & Partial<Judged>]> = [
    ['original', { image: original }],
    ...path.map((judged, i): [string, Judged] => [columnOf(ITERATIONS[i] as number), judged]),
    ['searched', searched],
    ['nearest', nearest],
  ];
  return Promise.all(
    shown.map(async ([column, { image, mse, ssim }]) => ({
      column,
      row: distortion.title,
      src: await pictureOf(image, 6),
      words: mse === undefined || ssim === undefined ? '' : `MSE ${mse.toFixed(0)}\nSSIM ${ssim.toFixed(2)}`,
    })),
  );
}

/** All frames: what each remedy leaves. */
export function remedyFigure(cases: readonly Denoised[]): Figure {
  const values = cases.flatMap((one) =>
    REMEDIES.map(({ title, pick }) => ({ remedy: title, distortion: one.distortion.title, ...pick(one) })),
  );
  const frames = new Set(cases.map(({ frame }) => frame)).size;
  return {
    name: 'denoising-remedies',
    svg: sheet({
      title: `What denoising leaves: ${frames} frames`,
      rows: [{ charts: [remedyChart(values, 'mse'), remedyChart(values, 'ssim')] }],
    }),
    caption: [
      `Every tick is one of ${frames} frames, every dot their mean. All start from the same distorted images, whose MSE is`,
      `${TARGET_MSE} (grey). What lies left of that in the left chart has been improved; only what lies left of green as well`,
      'has been improved by more than the plain mean of the three nearest frames, which needs no path.',
    ].join(' '),
  };
}

interface RemedyValue {
  readonly remedy: string;
  readonly distortion: string;
  readonly mse: number;
  readonly ssim: number;
}

const ERROR_AXIS = {
  type: 'log',
  ticks: [20, 50, 100, 200, 500, 1000],
  tickFormat: '~d',
  label: 'MSE to the original: left is better',
} as const;
const SIMILARITY_AXIS = { label: 'SSIM to the original: right is better' } as const;

function remedyChart(values: readonly RemedyValue[], measure: 'mse' | 'ssim'): SVGSVGElement {
  const isError = measure === 'mse';
  const colors = { domain: REMEDIES.map(({ title }) => title), range: REMEDIES.map(({ color }) => COLORS[color]) };
  const all = values.map((value) => value[measure]);
  const [low, high] = isError ? [20, 1000] : [0.5, 1];
  const domain = [Math.min(low, ...all), Math.max(high, ...all)];
  const place = { x: measure, y: 'remedy', fy: 'distortion', stroke: 'remedy' } as const;
  return chart({
    width: 560,
    height: 400,
    marginLeft: isError ? 150 : 14,
    marginRight: isError ? 10 : 110,
    marginTop: 6,
    marginBottom: 36,
    color: colors,
    x: {
      domain,
      grid: true,
      labelAnchor: 'center',
      labelArrow: 'none',
      ...(isError ? ERROR_AXIS : SIMILARITY_AXIS),
    },
    y: { domain: colors.domain, label: null, tickSize: 0, ...(isError ? {} : { axis: null }) },
    fy: { domain: DISTORTIONS.map(({ title }) => title), label: null, axis: isError ? null : 'right', padding: 0.12 },
    marks: [
      Plot.frame({ stroke: '#ddd' }),
      Plot.tickX(values, { ...place, strokeOpacity: 0.55, insetTop: 2, insetBottom: 2 }),
      Plot.dot(values, Plot.groupY({ x: 'mean' }, { ...place, fill: 'remedy', stroke: 'white', r: 4.5 })),
    ],
  });
}
