// Charts by Observable Plot without a browser, and sheets that put several of them into one SVG picture.
// A sheet is a grid of charts under column heads; PNG files are drawn from the same SVG.
import * as Plot from '@observablehq/plot';
import { JSDOM } from 'jsdom';
import sharp from 'sharp';

const { document, XMLSerializer } = new JSDOM('').window;
const SVG = 'http://www.w3.org/2000/svg';
const FONT = 'Arial, Helvetica, "Liberation Sans", sans-serif';
const GAP = 14;
const HEAD = 26;
const TITLE = 34;
const MARGIN = 14;

/** Colours that people with any colour vision can tell apart (Okabe and Ito). */
export const COLORS = { blue: '#0072B2', orange: '#D55E00', green: '#009E73', ink: '#222', grey: '#767676' } as const;

/** A chart, as an element to be put on a sheet. */
export function chart(options: Plot.PlotOptions): SVGSVGElement {
  const style = { fontFamily: FONT, fontSize: '11px', color: COLORS.ink, background: 'none', overflow: 'visible' };
  const plot = Plot.plot({ ...options, document: document as unknown as Document, style });
  for (const sheet of plot.querySelectorAll('style')) sheet.remove(); // would resize what is nested
  return plot as SVGSVGElement;
}

export interface SheetRow {
  /** Written upright, left of the row. */
  readonly label?: string;
  readonly charts: readonly SVGSVGElement[];
}

export interface SheetLayout {
  /** Written above, and read out to those who do not see the picture. */
  readonly title: string;
  /** Only for reading out. */
  readonly isTitleHidden?: boolean;
  /** Column heads. */
  readonly heads?: readonly string[];
  readonly rows: readonly SheetRow[];
}

/** An SVG file of charts in rows and columns. Charts of a row are as high as the highest of them. */
export function sheet({ title, isTitleHidden = false, heads, rows }: SheetLayout): string {
  const isLabelled = rows.some(({ label }) => label !== undefined);
  const left = MARGIN + (isLabelled ? 22 : 0);
  const columns = Math.max(...rows.map(({ charts }) => charts.length));
  const widths = Array.from({ length: columns }, (_, j) =>
    Math.max(...rows.map(({ charts }) => size(charts[j]).width)),
  );
  const heights = rows.map(({ charts }) => Math.max(...charts.map((one) => size(one).height)));
  const xs = offsets(left, widths);
  const titleBottom = MARGIN + (isTitleHidden ? 0 : TITLE);
  const ys = offsets(titleBottom + (heads === undefined ? 0 : HEAD), heights);
  const [width, height] = [(xs.at(-1) as number) - GAP + MARGIN, (ys.at(-1) as number) - GAP + MARGIN];
  const page = element('svg', { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' });
  page.append(element('title', {}, title), element('rect', { width, height, fill: 'white' }));
  if (!isTitleHidden) page.append(text(title, MARGIN, MARGIN + 18, { 'font-size': 18, 'font-weight': 'bold' }));
  heads?.forEach((head, j) => {
    const middle = (xs[j] as number) + (widths[j] as number) / 2;
    page.append(text(head, middle, titleBottom + 14, { 'font-size': 14, 'text-anchor': 'middle' }));
  });
  rows.forEach(({ label, charts }, i) => {
    const top = ys[i] as number;
    if (label !== undefined) {
      const [x, y] = [MARGIN + 10, top + (heights[i] as number) / 2];
      page.append(text(label, x, y, { 'font-size': 14, 'text-anchor': 'middle', transform: `rotate(-90 ${x} ${y})` }));
    }
    charts.forEach((one, j) => {
      one.setAttribute('x', String(xs[j]));
      one.setAttribute('y', String(top));
      page.append(one);
    });
  });
  return new XMLSerializer().serializeToString(page);
}

/** The SVG as a PNG file, of so many pixels for each unit of the SVG. */
export function pngOf(svg: string, density = 2): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: 72 * density })
    .png({ palette: true, dither: 0, effort: 1 })
    .toBuffer();
}

function size(one: SVGSVGElement | undefined): { width: number; height: number } {
  return { width: Number(one?.getAttribute('width') ?? 0), height: Number(one?.getAttribute('height') ?? 0) };
}

/** Where things of these lengths start, with gaps between, and where the next would. */
function offsets(first: number, lengths: readonly number[]): number[] {
  const places = [first];
  for (const length of lengths) places.push((places.at(-1) as number) + length + GAP);
  return places;
}

function text(words: string, x: number, y: number, attributes: Record<string, string | number>): Element {
  return element('text', { x, y, fill: COLORS.ink, 'font-family': FONT, ...attributes }, words);
}

function element(name: string, attributes: Record<string, string | number>, words = ''): Element {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== 'xmlns') made.setAttribute(key, String(value));
  }
  made.textContent = words;
  return made as unknown as Element;
}
