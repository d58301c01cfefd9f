// Names and round numbers along the edges of a picture, legible on any ground.
import { short } from '../numbers.js';
import { theme } from '../theme.js';
import { type Frame, ticks } from './frame.js';

interface Place {
  readonly left: number;
  readonly top: number;
  readonly align: CanvasTextAlign;
  readonly baseline: CanvasTextBaseline;
}

/** A text with an edge in the colour of the ground. */
export function write(
  context: CanvasRenderingContext2D,
  text: string,
  { left, top, align, baseline }: Place,
  colour: string,
): void {
  context.textAlign = align;
  context.textBaseline = baseline;
  context.lineJoin = 'round';
  context.lineWidth = 3.5;
  context.strokeStyle = theme().ground;
  context.strokeText(text, left, top);
  context.fillStyle = colour;
  context.fillText(text, left, top);
}

export function drawAxes(
  context: CanvasRenderingContext2D,
  frame: Frame,
  axes: { readonly x: string; readonly y: string },
  time: string | undefined,
): void {
  const { ink } = theme();
  const { bounds, width, height } = frame;
  const told = (axis: string, value: number): string => (axis === time ? day(value) : short(value));
  context.font = '11px system-ui, sans-serif';
  for (const x of ticks(bounds.x, width / 90)) {
    const left = frame.toScreenX(x);
    if (left > 40 && left < width - 30)
      write(context, told(axes.x, x), { left, top: height - 3, align: 'center', baseline: 'bottom' }, ink);
  }
  for (const y of ticks(bounds.y, height / 60)) {
    const top = frame.toScreenY(y);
    if (top > 24 && top < height - 22)
      write(context, told(axes.y, y), { left: 5, top, align: 'left', baseline: 'middle' }, ink);
  }
  context.font = '600 12px system-ui, sans-serif';
  write(context, `${axes.x} →`, { left: width - 8, top: height - 18, align: 'right', baseline: 'bottom' }, ink);
  write(context, `↑ ${axes.y}`, { left: 6, top: 6, align: 'left', baseline: 'top' }, ink);
}

export const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
