// Values on a grid, square by square: assembly/grid-cells.ts tells how. So a cell costs little more than its k nearest
// points, whatever the number of points and columns.
import type { PointSet } from '../../backend.js';
import type { Grid, GridQuestionName, GridValues } from '../../landscape/grid.js';
import type { Build } from '../build.js';
import { GridCall, GridWant } from '../contract.js';
import { type Core, coreOf } from '../core.js';
import { layOut } from '../memory/layout.js';
import { MemoryRecord } from '../memory/record.js';

/** Cells across a square that is scored without a pause. */
const SQUARE = 32;
/** Lists of a square and of what it is quartered into: 32, 16, 8, 4 and 2 cells across. */
const LISTS = 6;
/** Bytes of the head of a list. */
const HEAD = 32;
/** Of more points, or values, cells are searched for one by one: squares do not pay for copies of them. */
const [MOST_POINTS, MOST_VALUES] = [2 ** 17, 2 ** 21];

const WANTED: Readonly<Record<GridQuestionName, number>> = {
  curvature: GridWant.CURVATURE,
  sharpness: GridWant.SHARPNESS,
  kthDistances: GridWant.KTH_SQUARE,
};

export function wasmGridValues(build: Build): GridValues {
  const core = coreOf(build);
  return function* (question) {
    const { points, queries: grid, k, values } = question;
    const { count, columns } = points;
    const isSmall = count <= MOST_POINTS && count * columns <= MOST_VALUES && count < 2 * grid.rows;
    if (points.kernel.name !== 'linear' || (points.tree?.share ?? 1) < 1 || !isSmall || k > count) {
      yield question;
      return;
    }
    const squares = new Squares(core, points, grid, k, WANTED[question.about]);
    try {
      for (const [i, corner] of squares.corners.entries()) {
        if (i > 0) yield i / squares.corners.length;
        squares.score(corner, values);
      }
    } finally {
      squares.release();
    }
  };
}

class Squares {
  readonly corners: ReadonlyArray<readonly [x: number, y: number]>;
  readonly #core: Core;
  readonly #grid: Grid;
  readonly #record: MemoryRecord<typeof GridCall>;
  readonly #values: number;
  readonly #release: () => void;

  constructor(core: Core, points: PointSet, grid: Grid, k: number, wants: number) {
    this.#core = core;
    this.#grid = grid;
    const { width, height, xs, ys, features, at: row } = grid;
    this.corners = cornersOf(width, height);
    const { count, columns } = points;
    const layout = layOut(sizesOf({ count, columns, k, width, height }));
    const { arena, loops } = core;
    const segment = arena.allocate(layout.total);
    this.#release = () => arena.free(segment);
    const { record, ...parts } = layout.at(segment.start);
    this.#values = parts.values / 8;
    const { reals } = arena;
    reals.set(points.rows(), parts.rows / 8);
    reals.set(xs, parts.xs / 8);
    reals.set(ys, parts.ys / 8);
    reals.set(row, parts.row / 8);
    new Uint8Array(arena.buffer, parts.marks, count).fill(0);
    const [across, up] = features;
    const shape = { count, columns, neighbors: k, wants, width, height, across, up };
    this.#record = new MemoryRecord(arena, GridCall, record);
    this.#record.write({ ...parts, ...shape, left: 0, bottom: 0, size: SQUARE, betweenEnd: 0 });
    loops.listAll(this.#record.address);
  }

  release(): void {
    this.#release();
  }

  score([x, y]: readonly [x: number, y: number], values: Float64Array): void {
    const { width, height } = this.#grid;
    this.#core.loops.scoreCells(this.#record.address, x, y);
    const { reals } = this.#core.arena;
    const across = Math.min(SQUARE, width - x);
    for (let line = 0; line < Math.min(SQUARE, height - y); line++) {
      const from = this.#values + line * SQUARE;
      values.set(reals.subarray(from, from + across), (y + line) * width + x);
    }
  }
}

function cornersOf(width: number, height: number): ReadonlyArray<readonly [x: number, y: number]> {
  const corners: Array<readonly [x: number, y: number]> = [];
  for (let y = 0; y < height; y += SQUARE) for (let x = 0; x < width; x += SQUARE) corners.push([x, y]);
  return corners;
}

interface Shape {
  readonly count: number;
  readonly columns: number;
  readonly k: number;
  readonly width: number;
  readonly height: number;
}

/** Bytes of each part. */
function sizesOf({ count, columns, k, width, height }: Shape) {
  const room = count + (count % 2);
  return {
    record: GridCall.size,
    rows: count * columns * 8,
    xs: width * 8,
    ys: height * 8,
    row: columns * 8,
    lists: LISTS * (HEAD + room * 28),
    squares: room * 8,
    marks: count,
    some: room * 8,
    between: room * 4 + 4,
    nearest: k * 8,
    places: k * 4,
    before: k * 4,
    sum: columns * 8,
    edge: columns * 8,
    values: SQUARE * SQUARE * 8,
  };
}
