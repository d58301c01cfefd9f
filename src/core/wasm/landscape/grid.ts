// Scores a grid tile by tile: the points near the middle of a tile are listed once, and the list serves the cells around it
// (assembly/anchored-list.ts detects when it does not suffice). A cell then costs a few distances instead of one for every
// point. Remaining cells, where points are denser than cells, are searched as usual.
import type { PointSet } from '../../backend.js';
import type { RowSource } from '../../input/matrix.js';
import type { Grid, GridCurvature, GridStep } from '../../landscape/grid.js';
import type { Build } from '../build.js';
import { type Core, coreOf } from '../core.js';
import { layOut } from '../memory/layout.js';
import { AnchoredPoints, listSizes } from './anchored-list.js';

/** Cells of a tile: TILE × TILE. */
const TILE = 8;
/** Approximate number of tiles whose lists are searched together. */
const STRIP = 128;
/** Tiles scored between pauses. */
const AT_A_TIME = 4;
/** Progress when the tiles are done. */
const IN_TILES = 0.5;
/** Share of missed cells above which tiles are not worth it. */
const TOO_MANY = 0.5;

export function wasmGridCurvature(build: Build): GridCurvature {
  const core = coreOf(build);
  return function* (points, grid, k, scores) {
    const count = Math.min(points.count, 4 * k + 8);
    if (points.kernel.name !== 'linear') {
      yield { about: 'curvature', queries: grid, k, scores, progress: [0, 1] };
      return;
    }
    const tiles = new Tiles(core, points, grid, k, count);
    let missing: number[];
    try {
      missing = yield* tiles.score(scores);
    } finally {
      tiles.release();
    }
    if (missing.length === 0) return;
    const restScores = new Float64Array(missing.length);
    const rest = new SomeCells(grid, missing);
    yield { about: 'curvature', queries: rest, k, scores: restScores, progress: [IN_TILES, 1] };
    for (const [i, cell] of missing.entries()) scores[cell] = restScores[i] as number;
  };
}

/** Some cells of a grid as rows. */
class SomeCells implements RowSource {
  readonly #grid: Grid;
  readonly #cells: readonly number[];

  constructor(grid: Grid, cells: readonly number[]) {
    this.#grid = grid;
    this.#cells = cells;
  }

  get rows(): number {
    return this.#cells.length;
  }

  get columns(): number {
    return this.#grid.columns;
  }

  read(row: number, into: Float64Array, at: number): void {
    this.#grid.read(this.#cells[row] as number, into, at);
  }
}

class Tiles {
  readonly #core: Core;
  readonly #points: PointSet;
  readonly #grid: Grid;
  readonly #list: AnchoredPoints;
  readonly #release: () => void;
  readonly #at: Record<'cells' | 'scores' | 'misses', number>;
  readonly #missing: number[] = [];

  constructor(core: Core, points: PointSet, grid: Grid, neighbors: number, count: number) {
    this.#core = core;
    this.#points = points;
    this.#grid = grid;
    const cells = TILE * TILE;
    const layout = layOut({
      ...listSizes(points.columns, neighbors, count),
      cells: cells * points.columns * 8,
      scores: cells * 8,
      misses: cells * 4,
    });
    const segment = core.arena.allocate(layout.total);
    this.#at = layout.at(segment.start);
    this.#list = new AnchoredPoints(core.arena, layout.at(segment.start), points, neighbors, count);
    this.#release = () => core.arena.free(segment);
  }

  release(): void {
    this.#release();
  }

  /** Scores the cells it can, and returns the others. */
  *score(scores: Float64Array): Generator<GridStep, number[], undefined> {
    const { width, height } = this.#grid;
    const tiles: Array<[x: number, y: number]> = [];
    for (let y = 0; y < height; y += TILE) for (let x = 0; x < width; x += TILE) tiles.push([x, y]);
    let seen = 0;
    for (let first = 0; first < tiles.length; first += STRIP) {
      const strip = tiles.slice(first, first + STRIP);
      const place = (IN_TILES * first) / tiles.length;
      if (this.#missing.length > TOO_MANY * seen) {
        for (const tile of strip) this.#missing.push(...this.#cellsOf(tile));
      } else yield* this.#scoreStrip(strip, scores, place);
      seen += strip.length * TILE * TILE;
    }
    return this.#missing;
  }

  *#scoreStrip(
    tiles: ReadonlyArray<[x: number, y: number]>,
    scores: Float64Array,
    done: number,
  ): Generator<GridStep, void, undefined> {
    const { width, height } = this.#grid;
    const { count } = this.#list;
    const middles = tiles.map(
      ([x, y]) => Math.min(y + TILE / 2, height - 1) * width + Math.min(x + TILE / 2, width - 1),
    );
    const anchors = new SomeCells(this.#grid, middles);
    const indices = new Uint32Array(tiles.length * count);
    const distances = new Float64Array(tiles.length * count);
    yield { about: 'neighbors', queries: anchors, k: count, indices, distances, progress: [done, done] };
    for (const [i, tile] of tiles.entries()) {
      if (i % AT_A_TIME === AT_A_TIME - 1) yield;
      this.#list.fill(anchors, i, indices, distances, i * count);
      this.#scoreTile(this.#cellsOf(tile), scores);
    }
  }

  #scoreTile(cells: readonly number[], scores: Float64Array): void {
    const { columns } = this.#points;
    const { reals, words } = this.#core.arena;
    const { cells: rows, scores: results, misses } = this.#at;
    const count = cells.length;
    for (let i = 0; i < count; i++) this.#grid.read(cells[i] as number, reals, rows / 8 + i * columns);
    const missing = this.#core.loops.scoreFromList(this.#list.address, rows, count, results, misses);
    for (let i = 0; i < count; i++) scores[cells[i] as number] = reals[results / 8 + i] as number;
    for (let i = 0; i < missing; i++) this.#missing.push(cells[words[misses / 4 + i] as number] as number);
  }

  /** The cells of a tile in boustrophedon order, so that consecutive cells are adjacent. Tiles are cut at the edge. */
  #cellsOf([x, y]: [x: number, y: number]): number[] {
    const { width, height } = this.#grid;
    const cells: number[] = [];
    const end = Math.min(x + TILE, width);
    for (let line = y; line < Math.min(y + TILE, height); line++) {
      const isBack = (line - y) % 2 === 1;
      for (let column = x; column < end; column++) cells.push(line * width + (isBack ? x + end - 1 - column : column));
    }
    return cells;
  }
}
