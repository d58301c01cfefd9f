// The line where normal ends: marching squares over the cells of a landscape.

/** Edges of a square that the line crosses, for each pattern of corners above the level: pairs of edges. */
const CROSSED: ReadonlyArray<readonly number[]> = [
  [],
  [3, 0],
  [0, 1],
  [3, 1],
  [1, 2],
  [3, 0, 1, 2],
  [0, 2],
  [3, 2],
  [2, 3],
  [2, 0],
  [0, 1, 2, 3],
  [2, 1],
  [1, 3],
  [1, 0],
  [0, 3],
  [],
];

/** Segments x, y, x, y, … between the middles of cells: whole numbers are the middles, 0 that of the first. */
export function contourOf(values: Float64Array, width: number, height: number, level: number): Float32Array {
  const segments: number[] = [];
  for (let j = 0; j + 1 < height; j++) {
    const line = j * width;
    for (let i = 0; i + 1 < width; i++) {
      const at = line + i;
      const [a, b] = [values[at] as number, values[at + 1] as number];
      const [d, c] = [values[at + width] as number, values[at + width + 1] as number];
      const pattern = (a > level ? 1 : 0) | (b > level ? 2 : 0) | (c > level ? 4 : 0) | (d > level ? 8 : 0);
      if (pattern === 0 || pattern === 15) continue;
      for (const edge of CROSSED[pattern] as readonly number[]) {
        if (edge === 0) segments.push(i + share(a, b, level), j);
        else if (edge === 1) segments.push(i + 1, j + share(b, c, level));
        else if (edge === 2) segments.push(i + share(d, c, level), j + 1);
        else segments.push(i, j + share(a, d, level));
      }
    }
  }
  return Float32Array.from(segments);
}

const share = (from: number, to: number, level: number): number => (level - from) / (to - from);
