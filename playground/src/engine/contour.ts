// The line where normal ends: marching squares over the cells of a landscape, and what they find joined to lines. A
// picture of a few long lines is drawn in half the time that it takes for thousands of short ones.

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

/** Lines x, y, x, y, … between the middles of cells, NaN, NaN after each: whole numbers are the middles, 0 that of the first. */
export function contourOf(values: Float64Array, width: number, height: number, level: number): Float32Array {
  const pieces = piecesOf(values, width, height, level);
  // At most two pieces meet in an edge: what they are combined, without the one, is the other.
  const meeting = new Int32Array(2 * values.length);
  const ends = new Uint8Array(2 * values.length);
  pieces.forEach((edge, i) => {
    meeting[edge] = (meeting[edge] as number) ^ (i >> 1);
    ends[edge] = (ends[edge] as number) + 1;
  });
  const wasTaken = new Uint8Array(pieces.length / 2);
  const line: number[] = [];
  const put = (edge: number): void => {
    const at = edge >> 1;
    const [i, j] = [at % width, Math.floor(at / width)];
    const from = values[at] as number;
    if (edge % 2 === 0) line.push(i + share(from, values[at + 1] as number, level), j);
    else line.push(i, j + share(from, values[at + width] as number, level));
  };
  const follow = (piece: number, edge: number): void => {
    put(edge);
    while (wasTaken[piece] === 0) {
      wasTaken[piece] = 1;
      edge = (pieces[2 * piece] as number) ^ (pieces[2 * piece + 1] as number) ^ edge;
      put(edge);
      if (ends[edge] === 1) break;
      piece = (meeting[edge] as number) ^ piece;
    }
    line.push(Number.NaN, Number.NaN);
  };
  // Lines that end at a border first, then those that are closed.
  for (const most of [1, 2])
    pieces.forEach((edge, i) => {
      if (wasTaken[i >> 1] === 0 && (ends[edge] as number) <= most) follow(i >> 1, edge);
    });
  return Float32Array.from(line);
}

/** Pairs of edges that the line goes through: twice the cell at the lower or left end, and 1 for those that go up. */
function piecesOf(values: Float64Array, width: number, height: number, level: number): number[] {
  const pieces: number[] = [];
  for (let j = 0; j + 1 < height; j++) {
    const line = j * width;
    for (let i = 0; i + 1 < width; i++) {
      const at = line + i;
      const pattern =
        ((values[at] as number) > level ? 1 : 0) |
        ((values[at + 1] as number) > level ? 2 : 0) |
        ((values[at + width + 1] as number) > level ? 4 : 0) |
        ((values[at + width] as number) > level ? 8 : 0);
      if (pattern === 0 || pattern === 15) continue;
      for (const edge of CROSSED[pattern] as readonly number[])
        pieces.push(2 * (edge === 1 ? at + 1 : edge === 2 ? at + width : at) + (edge & 1));
    }
  }
  return pieces;
}

const share = (from: number, to: number, level: number): number => (level - from) / (to - from);
