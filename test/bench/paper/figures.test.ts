// The figures are files a browser can show, and show what the detectors say: marks are counted and measured in
// the SVG, pixels in the pictures.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paper } from '../../../bench/paper/command.js';
import { drawFigures } from '../../../bench/paper/plots/draw.js';
import { colorScale, pictureOf, rasterOf } from '../../../bench/paper/plots/raster.js';
import { Progress } from '../../../bench/paper/progress.js';
import { OUTLIERS, type SyntheticSet, syntheticSets } from '../../../bench/paper/synthetic.js';
import { CAD, InverseCAD } from '../../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'curvad-figures-'));
afterAll(() => rmSync(folder, { recursive: true }));
const quiet = new Progress({ write: () => undefined });
const set = syntheticSets()[1] as SyntheticSet;
const rows = [...set.rows];
let section: string;

beforeAll(async () => {
  const lines = await drawFigures({ sets: [set], frey: undefined, folder, progress: quiet });
  section = lines.join('\n');
});

const file = (name: string): Buffer => readFileSync(join(folder, name));
/** Parsed as XML, which refuses what is not well formed. */
const svg = (name: string): Document =>
  new JSDOM(file(`${name}.svg`), { contentType: 'image/svg+xml' }).window.document;
const NAMES = ['equal-detection', 'equal-landscape', 'scree', 'ranking'];

describe('the folder of figures', () => {
  it('has each as SVG and as PNG of twice the size, and a page with all of them', async () => {
    const wanted = [...NAMES.flatMap((name) => [`${name}.svg`, `${name}.png`]), 'index.html'];
    expect(readdirSync(folder).sort()).toEqual(wanted.sort());
    const page = new JSDOM(file('index.html')).window.document;
    expect([...page.images].map((image) => image.getAttribute('src'))).toEqual(NAMES.map((name) => `${name}.svg`));
    for (const caption of page.querySelectorAll('figcaption'))
      expect(caption.textContent).toMatch(/^Figure \d\. \S.{80}/);
    for (const name of NAMES) {
      const { width, height } = await sharp(file(`${name}.png`)).metadata();
      const root = svg(name).documentElement;
      expect([width, height]).toEqual(['width', 'height'].map((side) => 2 * Number(root.getAttribute(side))));
    }
  });

  it('needs nothing from elsewhere', () => {
    for (const name of NAMES) {
      const addresses = [...svg(name).querySelectorAll('image')].map((image) => image.getAttribute('href') ?? '');
      expect(addresses.every((address) => address.startsWith('data:image/png;base64,'))).toBe(true);
      const markup = file(`${name}.svg`)
        .toString()
        .replace(/base64,[^"]*/g, '');
      expect(markup.match(/<style|NaN|undefined|http:(?!\/\/www\.w3\.org)/g)).toBeNull();
    }
  });

  it('says what is missing where there is no film, on the page and in the results', () => {
    expect(section).toMatch(/### Denoising\n\nDenoising is not shown: there is no data set frey/);
    expect(file('index.html').toString()).toContain('Denoising is not shown: there is no data set frey');
  });
});

describe('a figure of detection', () => {
  it('marks as many rows normal and anomalous as the three detectors label so', () => {
    const labels = (['linear', 'rbf', 'polynomial'] as const).flatMap((kernel) => [
      ...new CAD({ kernel }).fit(rows).labels,
    ]);
    const anomalies = labels.filter((label) => label === 1).length;
    const document = svg('equal-detection');
    // One of each is in the key.
    expect(document.querySelectorAll('circle[r="2"]').length).toBe(labels.length - anomalies);
    expect(document.querySelectorAll('[aria-label="dot"][stroke="#D55E00"] path').length).toBe(anomalies + 1);
  });
});

describe('a figure of landscapes', () => {
  it('draws a path for each flagged row, and counts those that end normal', () => {
    const flagged = [...new CAD().fit(rows).labels].filter((label) => label === 1).length;
    const lines = svg('equal-landscape').querySelectorAll('[aria-label="line"] [stroke="#D55E00"] path');
    expect(lines.length).toBe(2 * flagged);
    const [, all, fixed, searched] =
      section.match(/\| Two equal clusters \| +(\d+) \| +(\d+) \(\d+ %\) \| +(\d+) \(/) ?? [];
    expect(Number(all)).toBe(flagged);
    expect(Number(searched)).toBeGreaterThanOrEqual(0.95 * flagged);
    expect(Number(fixed)).toBeLessThan(flagged);
  });
});

describe('the figure of rankings', () => {
  it('makes the first of the ranking the largest marker and the last the smallest, at the places of their rows', () => {
    const { indices } = new InverseCAD().rank(rows);
    const [chart] = svg('ranking').querySelectorAll('svg svg');
    const dots = [...(chart as Element).querySelectorAll('circle')].map((dot) =>
      ['cx', 'cy', 'r'].map((name) => Number(dot.getAttribute(name))),
    );
    expect(dots.length).toBe(rows.length);
    const byRadius = dots.toSorted((a, b) => (b[2] as number) - (a[2] as number));
    for (const place of [0, -1]) {
      const [x, y] = rows[indices.at(place) as number] as readonly [number, number];
      const [cx, cy] = byRadius.at(place) as [number, number];
      expect(cx).toBeCloseTo(28 + (264 * (x + 7)) / 14, 1);
      expect(cy).toBeCloseTo(4 + (264 * (7 - y)) / 14, 1);
    }
  });
});

describe('the scree plots', () => {
  it('fall from left to right, with every outlier marked as one', () => {
    const [chart] = svg('scree').querySelectorAll('svg svg');
    const others = [...(chart as Element).querySelectorAll('circle')].map((dot) => Number(dot.getAttribute('cy')));
    expect(others.length).toBe(rows.length - OUTLIERS);
    expect(others.every((y, i) => i === 0 || y >= (others[i - 1] as number))).toBe(true);
    expect((chart as Element).querySelectorAll('[stroke="#D55E00"] path').length).toBe(OUTLIERS);
    const { labels, threshold } = new CAD().fit(rows);
    const above = labels.reduce((sum, label) => sum + label, 0);
    expect(chart?.textContent).toContain(`${above} above ${threshold.toFixed(1)}`);
  });
});

describe('a picture of values', () => {
  const pixelsOf = async (address: string) =>
    sharp(Buffer.from(address.replace(/^.*,/, ''), 'base64'))
      .raw()
      .toBuffer({ resolveWithObject: true });

  it('has its first row at the bottom, and the ends of the colour scheme at the ends of the scale', async () => {
    const scale = colorScale('greys', [0, 5]);
    const { data, info } = await pixelsOf(await rasterOf({ values: [0, 1, 2, 3, 4, 5], width: 3, height: 2 }, scale));
    expect([info.width, info.height]).toEqual([3, 2]);
    const red = Array.from({ length: 6 }, (_, i) => data[i * info.channels] as number);
    const [top, bottom] = [red.slice(0, 3), red.slice(3)];
    const darkening = [...bottom, ...top];
    expect(darkening[0]).toBe(255);
    expect(darkening[5]).toBe(0);
    expect(darkening.every((value, i) => i === 0 || value < (darkening[i - 1] as number))).toBe(true);
  });

  it('shows an image with whole squares for pixels, clamped', async () => {
    const image = { width: 2, height: 1, pixels: Float64Array.of(-20, 300) };
    const { data, info } = await pixelsOf(await pictureOf(image, 3));
    expect([info.width, info.height]).toEqual([6, 3]);
    const line = Array.from({ length: 6 }, (_, i) => data[i * info.channels]);
    expect(line).toEqual([0, 0, 0, 255, 255, 255]);
  });
});

describe('npm run paper -- figures', () => {
  it('cannot share --out with tables', async () => {
    const words = ['table1', 'figures', '--out', join(folder, 'nowhere')];
    await expect(paper(words, folder, quiet)).rejects.toThrow('--out is a folder for figures and a file for tables');
    expect(readdirSync(folder)).not.toContain('nowhere');
  });
});
