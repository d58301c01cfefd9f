// Charts of the plane that the synthetic sets lie in: a square of the same scale both ways, something drawn over
// all of it (regions or scores), and marks on top.
import * as Plot from '@observablehq/plot';
import { type AnyDetector, type Landscape, type LandscapeOptions, landscape } from 'curvad';
import { type ColorScale, rasterOf, type ValueGrid } from './raster.js';
import { COLORS, chart } from './sheet.js';

/** What the paper's figures show: [−7, 7]². */
const EDGE = 7;
/** Of the square and of the bars below, in units of the SVG. */
const SIDE = 264;
const MARGINS = { marginLeft: 28, marginRight: 4, marginTop: 4, marginBottom: 22 } as const;
const CELLS = 396;
/** So that the cells, drawn around their points, fill the square exactly. */
const OUTERMOST = EDGE - EDGE / CELLS;
const SPAN = [-OUTERMOST, OUTERMOST] as const;

/** The scores all over the plane. */
export function planeOf(detector: AnyDetector, options: Pick<LandscapeOptions, 'neighbors'> = {}): Landscape {
  return landscape(detector, { bounds: { x: SPAN, y: SPAN }, resolution: CELLS, at: [0, 0], ...options });
}

/** A square chart with a picture as its ground. */
export async function square(
  ground: { grid: ValueGrid; colors: Pick<ColorScale, 'color'> } | undefined,
  marks: Plot.Markish[],
  { side = SIDE, ...scales }: Plot.PlotOptions & { side?: number } = {},
): Promise<SVGSVGElement> {
  const axis = { domain: [-EDGE, EDGE], ticks: [-6, -3, 0, 3, 6], label: null, tickSize: 4 };
  const pictures = ground === undefined ? [] : [picture(await rasterOf(ground.grid, ground.colors), side)];
  return chart({
    ...MARGINS,
    width: MARGINS.marginLeft + side + MARGINS.marginRight,
    height: MARGINS.marginTop + side + MARGINS.marginBottom,
    x: axis,
    y: axis,
    ...scales,
    marks: [...pictures, ...marks, Plot.frame({ stroke: COLORS.grey, strokeWidth: 0.75 })],
  });
}

function picture(src: string, side: number): Plot.Markish {
  return Plot.image([0], {
    src: () => src,
    frameAnchor: 'middle',
    width: side,
    height: side,
    preserveAspectRatio: 'none',
  });
}

/** The scale of a picture above, as a bar with an axis; a line where the threshold is. */
export async function colorBar(colors: ColorScale, threshold: number, label: string): Promise<SVGSVGElement> {
  const [low, high] = colors.domain;
  const values = Array.from({ length: 256 }, (_, i) => low + ((high - low) * i) / 255);
  const src = await rasterOf({ values, width: 256, height: 1 }, colors);
  const bar = { width: SIDE, height: 10, preserveAspectRatio: 'none' } as const;
  return chart({
    ...MARGINS,
    marginTop: 16,
    marginBottom: 32,
    width: MARGINS.marginLeft + SIDE + MARGINS.marginRight,
    height: 58,
    x: { domain: [low, high], label, labelAnchor: 'center', labelArrow: 'none', ticks: 6, tickSize: 4 },
    marks: [
      Plot.image([0], { src: () => src, frameAnchor: 'middle', ...bar }),
      Plot.ruleX([threshold], { stroke: COLORS.ink, strokeWidth: 2, insetTop: -3, insetBottom: -3 }),
      Plot.text([threshold], {
        x: (value) => value,
        text: () => 'threshold',
        frameAnchor: 'top',
        dy: -15,
        fontSize: 10,
      }),
    ],
  });
}
