// Draws rows: few of them as shapes with an outline, many as pixels, some thousands at a time so that the page stays
// awake. Flagged rows have another shape, and come last, on top.
import type { Theme } from '../theme.js';
import type { Frame } from './frame.js';
import { pack } from './ground.js';

export interface Rows {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly levels: Uint8Array | undefined;
  readonly scores: Float64Array | undefined;
  readonly threshold: number;
  /** 1 for rows that are to be seen, 0 for those that fade; undefined where all are to be seen. */
  readonly shown: Uint8Array | undefined;
}

/** Up to so many rows are drawn as shapes. */
const MOST_SHAPES = 4000;
/** Pixels of rows drawn at a time. */
const AT_A_TIME = 150_000;

export const areShapes = ({ x }: Rows): boolean => x.length <= MOST_SHAPES;

export function drawShapes(
  context: CanvasRenderingContext2D,
  rows: Rows,
  frame: Frame,
  theme: Theme,
  radius = rows.x.length > 1500 ? 2.6 : 3.4,
): void {
  for (const wantsFlagged of [false, true]) {
    for (let row = 0; row < rows.x.length; row++) {
      const isFlagged = (rows.scores?.[row] ?? Number.NEGATIVE_INFINITY) > rows.threshold;
      if (isFlagged !== wantsFlagged) continue;
      const [left, top] = [frame.toScreenX(rows.x[row] as number), frame.toScreenY(rows.y[row] as number)];
      if (!(left > -9 && top > -9 && left < frame.width + 9 && top < frame.height + 9)) continue;
      context.globalAlpha = rows.shown === undefined || rows.shown[row] === 1 ? 1 : 0.14;
      drawShape(context, left, top, radius, isFlagged, colourOf(theme, rows.levels?.[row] ?? 0), theme);
    }
  }
  context.globalAlpha = 1;
}

export function drawShape(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  radius: number,
  isFlagged: boolean,
  colour: string,
  theme: Theme,
): void {
  context.beginPath();
  if (isFlagged) {
    const r = radius * 1.7;
    context.moveTo(left, top - r);
    context.lineTo(left + r, top);
    context.lineTo(left, top + r);
    context.lineTo(left - r, top);
    context.closePath();
    context.fillStyle = theme.flagged;
    context.strokeStyle = theme.outline;
    context.lineWidth = 1.2;
  } else {
    context.arc(left, top, radius, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.strokeStyle = theme.ground;
    context.lineWidth = 0.7;
  }
  context.fill();
  context.stroke();
}

const colours = new WeakMap<Theme, string[]>();

function colourOf(theme: Theme, level: number): string {
  let list = colours.get(theme);
  if (list === undefined) {
    const { rows } = theme;
    list = Array.from({ length: 256 }, (_, i) => `rgb(${rows[3 * i]} ${rows[3 * i + 1]} ${rows[3 * i + 2]})`);
    colours.set(theme, list);
  }
  return list[level] as string;
}

/** Rows as pixels of an image, from `from` on; returns the row to go on with. */
export function plotPixels(
  image: ImageData,
  rows: Rows,
  frame: Frame,
  theme: Theme,
  from: number,
  wantsFlagged: boolean,
): number {
  const pixels = new Uint32Array(image.data.buffer);
  const ratio = image.width / frame.width;
  const palette = new Uint32Array(256).map((_, level) => pack(theme.rows, 3 * level));
  const flagged = hex(theme.flagged);
  const end = Math.min(rows.x.length, from + AT_A_TIME);
  const { width, height } = image;
  for (let row = from; row < end; row++) {
    const isFlagged = (rows.scores?.[row] ?? Number.NEGATIVE_INFINITY) > rows.threshold;
    if (isFlagged !== wantsFlagged) continue;
    if (rows.shown !== undefined && rows.shown[row] === 0) continue;
    const left = Math.round(frame.toScreenX(rows.x[row] as number) * ratio);
    const top = Math.round(frame.toScreenY(rows.y[row] as number) * ratio);
    if (!(left >= 3 && top >= 3 && left < width - 3 && top < height - 3)) continue;
    const at = top * width + left;
    if (isFlagged) {
      for (let step = -2; step <= 2; step++) {
        pixels[at + step] = flagged;
        pixels[at + step * width] = flagged;
      }
    } else {
      const colour = palette[rows.levels?.[row] ?? 0] as number;
      pixels[at] = colour;
      pixels[at + 1] = colour;
      pixels[at + width] = colour;
      pixels[at + width + 1] = colour;
    }
  }
  return end;
}

function hex(colour: string): number {
  const value = Number.parseInt(colour.slice(1), 16);
  return pack(Uint8Array.of(value >> 16, (value >> 8) & 255, value & 255), 0);
}
