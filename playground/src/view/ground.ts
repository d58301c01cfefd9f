// The landscape as a picture: darker where a row would belong less, with a line where normal ends.
import type { LandscapeReply } from '../engine/protocol.js';
import type { Theme } from '../theme.js';

export function paintGround(canvas: HTMLCanvasElement, landscape: LandscapeReply, theme: Theme): void {
  const { width, height, levels, above } = landscape;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = packed(theme);
  const border = colours[256] as number;
  for (let j = 0; j < height; j++) {
    const line = (height - 1 - j) * width;
    for (let i = 0; i < width; i++) {
      const cell = line + i;
      const isAbove = above[cell];
      const isBorder = (i > 0 && above[cell - 1] !== isAbove) || (j > 0 && above[cell + width] !== isAbove);
      pixels[j * width + i] = isBorder ? border : (colours[levels[cell] as number] as number);
    }
  }
  context.putImageData(image, 0, 0);
}

const known = new WeakMap<Theme, Uint32Array>();

/** The colours of the ground as pixels, and that of the border after them. */
function packed(theme: Theme): Uint32Array {
  const there = known.get(theme);
  if (there !== undefined) return there;
  const { landscape } = theme;
  const colours = new Uint32Array(257);
  for (let level = 0; level < 256; level++) colours[level] = pack(landscape, 3 * level);
  colours[256] = pack(Uint8Array.from([0x6a, 0x4c, 0x93]), 0);
  known.set(theme, colours);
  return colours;
}

/** A pixel as little-endian machines hold it, which all that run browsers are. */
export const pack = (colours: Uint8Array, at: number): number =>
  ((255 << 24) | ((colours[at + 2] as number) << 16) | ((colours[at + 1] as number) << 8) | (colours[at] as number)) >>>
  0;
