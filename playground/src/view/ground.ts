// The landscape as a picture: more purple where a row would belong less, with a line where normal ends.
import type { LandscapeReply } from '../engine/protocol.js';
import type { Theme } from '../theme.js';
import type { Frame } from './frame.js';

/** Paints the cells, a pixel each. */
export function paintGround(canvas: HTMLCanvasElement, { width, height, levels }: LandscapeReply, theme: Theme): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const colours = packed(theme);
  for (let j = 0; j < height; j++) {
    // The lowest y comes first in a landscape, and last on a screen.
    const line = (height - 1 - j) * width;
    for (let i = 0; i < width; i++) pixels[j * width + i] = colours[levels[line + i] as number] as number;
  }
  context.putImageData(image, 0, 0);
}

/** Draws the painted cells where they belong, and the line around what is normal. */
export function drawGround(
  context: CanvasRenderingContext2D,
  painted: HTMLCanvasElement,
  { bounds, width, height, contour }: LandscapeReply,
  frame: Frame,
  theme: Theme,
): void {
  const [left, right] = [frame.toScreenX(bounds.x[0]), frame.toScreenX(bounds.x[1])];
  const [top, bottom] = [frame.toScreenY(bounds.y[1]), frame.toScreenY(bounds.y[0])];
  context.imageSmoothingEnabled = true;
  context.drawImage(painted, left, top, right - left, bottom - top);
  const [cellWidth, cellHeight] = [(right - left) / width, (bottom - top) / height];
  const across = (i: number): number => left + ((contour[i] as number) + 0.5) * cellWidth;
  const up = (i: number): number => bottom - ((contour[i] as number) + 0.5) * cellHeight;
  context.strokeStyle = theme.border;
  context.lineWidth = frame.width > 400 ? 1.8 : 1.2;
  context.lineJoin = 'round';
  let isBegun = false;
  for (let i = 0; i < contour.length; i += 2) {
    if (Number.isNaN(contour[i])) {
      context.stroke();
      isBegun = false;
      continue;
    }
    if (!isBegun) context.beginPath();
    context.lineTo(across(i), up(i + 1));
    isBegun = true;
  }
}

const known = new WeakMap<Theme, Uint32Array>();

/** The colours of the ground as pixels. */
function packed(theme: Theme): Uint32Array {
  const there = known.get(theme);
  if (there !== undefined) return there;
  const colours = Uint32Array.from({ length: 256 }, (_, level) => pack(theme.landscape, 3 * level));
  known.set(theme, colours);
  return colours;
}

/** A pixel as little-endian machines hold it, which all that run browsers are. */
export const pack = (colours: Uint8Array, at: number): number =>
  ((255 << 24) | ((colours[at + 2] as number) << 16) | ((colours[at + 1] as number) << 8) | (colours[at] as number)) >>>
  0;
