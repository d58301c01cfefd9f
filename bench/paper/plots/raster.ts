// Pictures of pixels within charts: a grid of values by a colour scale, or the pixels of an image, as PNG files
// in the address itself, so that an SVG file is complete.
import * as Plot from '@observablehq/plot';
import sharp, { type Sharp } from 'sharp';
import { clamped, type GreyImage } from '../images.js';

/** A colour for every value. */
export interface ColorScale {
  readonly domain: readonly [low: number, high: number];
  color(value: number): readonly [red: number, green: number, blue: number];
}

/** A colour scheme of Plot over an interval, in so many shades. */
export function colorScale(scheme: Plot.ColorScheme, domain: readonly [number, number], shadeCount = 256): ColorScale {
  const scale = Plot.scale({ color: { type: 'linear', scheme, domain: [0, shadeCount - 1] } });
  const shades = Array.from({ length: shadeCount }, (_, i) => rgb(scale.apply(i) as string));
  const [low, high] = domain;
  const color = (value: number): readonly [number, number, number] => {
    const share = high > low ? (value - low) / (high - low) : 0;
    return shades[Math.round(Math.min(1, Math.max(0, share)) * (shadeCount - 1))] as [number, number, number];
  };
  return { domain, color };
}

/** A grid whose first row is the lowest, as those of landscapes are. */
export interface ValueGrid {
  readonly values: ArrayLike<number>;
  readonly width: number;
  readonly height: number;
}

/** The least and the greatest value. */
export function rangeOf({ values }: ValueGrid): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i] as number);
    high = Math.max(high, values[i] as number);
  }
  return [low, high];
}

/** The address of a picture of a grid. */
export async function rasterOf(
  { values, width, height }: ValueGrid,
  { color }: Pick<ColorScale, 'color'>,
): Promise<string> {
  const pixels = new Uint8Array(3 * width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const value = values[(height - 1 - row) * width + column] as number;
      pixels.set(color(value), 3 * (row * width + column));
    }
  }
  return addressOf(sharp(pixels, { raw: { width, height, channels: 3 } }).png({ compressionLevel: 9 }));
}

/** The address of a grey image, each pixel a square of `scale` pixels. */
export function pictureOf({ width, height, pixels }: GreyImage, scale: number): Promise<string> {
  const levels = Uint8Array.from(clamped(pixels), Math.round);
  const enlarged = sharp(levels, { raw: { width, height, channels: 1 } }).resize(width * scale, height * scale, {
    kernel: 'nearest',
  });
  return addressOf(enlarged.toColourspace('b-w').png());
}

async function addressOf(file: Sharp): Promise<string> {
  return `data:image/png;base64,${(await file.toBuffer()).toString('base64')}`;
}

/** The channels of "rgb(1, 2, 3)" or "#010203". */
function rgb(color: string): readonly [number, number, number] {
  const channels = color.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    : (color.match(/\d+/g) ?? []).map(Number);
  return [channels[0] ?? 0, channels[1] ?? 0, channels[2] ?? 0];
}
