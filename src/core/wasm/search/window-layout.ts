// The memory of a window: the ring of places twice, and lists of places with the distances measured for them.
import { type Layout, layOut } from '../memory/layout.js';

export type Part = 'points' | 'panels' | 'weights' | 'constants' | 'reaches' | 'row' | 'list' | 'some' | 'distances';

/** @param bytes Of a stored number. */
export function layOutWindow(places: number, columns: number, bytes: number): Layout<Part> {
  const all = 2 * places;
  return layOut({
    points: all * columns * bytes,
    panels: all * Math.ceil(columns / 2) * 4,
    weights: all * 4,
    constants: all * 4,
    reaches: all * 4,
    row: columns * 8 + 8,
    list: places * 4,
    some: places * 4,
    distances: places * 8,
  });
}
