// Paints a landscape: light where rows are normal, dark where they are anomalous.
import { CurvadError } from '../core/errors.js';
import type { Landscape } from './canvas.js';

/** From normal to anomalous, with decreasing lightness, so that it works for colour-blind readers. */
const RAMP: ReadonlyArray<readonly [red: number, green: number, blue: number]> = [
  [0xf4, 0xf7, 0xfa],
  [0xd5, 0xe3, 0xee],
  [0xb9, 0xcf, 0xe3],
  [0xb4, 0xb6, 0xd6],
  [0xbd, 0x93, 0xbb],
  [0xc3, 0x6b, 0x92],
  [0xb8, 0x40, 0x5f],
  [0x96, 0x20, 0x3a],
  [0x6b, 0x0f, 0x22],
];

/**
 * The colours of a landscape, as canvases and PNG have them: red, green, blue and opacity of each cell, the line with
 * the largest y first. Cells are coloured by their rank, as scores are far from evenly spread.
 */
export function landscapePixels({ values, width, height }: Landscape): Uint8ClampedArray<ArrayBuffer> {
  const sorted = values.slice().sort();
  const pixels = new Uint8ClampedArray(4 * values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = values[(height - 1 - y) * width + x] as number;
      paintCell(pixels, 4 * (y * width + x), rankOf(value, sorted) / sorted.length);
    }
  }
  return pixels;
}

/** The part of a canvas that is used: an HTMLCanvasElement, an OffscreenCanvas, or one of a library. */
export interface PaintableCanvas {
  width: number;
  height: number;
  getContext(kind: '2d'): unknown;
}

interface Context {
  createImageData(width: number, height: number): { readonly data: Uint8ClampedArray };
  putImageData(image: { readonly data: Uint8ClampedArray }, x: number, y: number): void;
}

/** Paints a landscape on a canvas, one pixel per cell; its displayed size is up to CSS. */
export function paintLandscape(landscape: Landscape, canvas: PaintableCanvas): void {
  canvas.width = landscape.width;
  canvas.height = landscape.height;
  const context = canvas.getContext('2d') as Context | null;
  if (context === null) {
    throw new CurvadError('CANVAS_INVALID', 'the canvas has no 2d context: it already has another kind');
  }
  const image = context.createImageData(landscape.width, landscape.height);
  image.data.set(landscapePixels(landscape));
  context.putImageData(image, 0, 0);
}

function paintCell(pixels: Uint8ClampedArray, at: number, share: number): void {
  const place = share * (RAMP.length - 1);
  const below = Math.floor(place);
  const from = RAMP[below] as (typeof RAMP)[number];
  const to = RAMP[Math.min(RAMP.length - 1, below + 1)] as (typeof RAMP)[number];
  for (const part of [0, 1, 2] as const) pixels[at + part] = from[part] + (to[part] - from[part]) * (place - below);
  pixels[at + 3] = 255;
}

/** The number of smaller values among sorted ones. */
function rankOf(value: number, sorted: Float64Array): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
