// Queries of point sets as work that can run here, or on threads that store the same points.
import { type JoinPart, PLACES, POINTS, type PointSet, type Queries, type SelfJoin } from '../core/backend.js';
import type { Steps, Work } from '../core/steps.js';

/** Work that threads which store the points can do as well. */
export interface PointsWork extends Work {
  readonly elsewhere: PointsTask;
}

/** Whether other threads can do the work. */
export function isPointsWork(work: Work): work is PointsWork {
  return 'elsewhere' in work;
}

export type PointsQuestion = 'curvature' | 'sharpness' | 'kthDistances' | 'neighbors';

/** The search for the k points nearest to rows, or to the points themselves. */
export interface Nearest {
  readonly points: PointSet;
  readonly queries: Queries;
  readonly k: number;
}

/** A search with the question to answer from the nearest points. */
export interface Asked extends Nearest {
  readonly question: PointsQuestion;
}

/** A query of a point set, with the destination of the answers. */
export interface PointsTask extends Asked {
  /** Set if the points are joined with themselves; for the rows of such work see `selfJoinWork`. */
  readonly join?: SelfJoin;
  /** Stores the answers for rows from `from` on, or for the rows in `order`. */
  take(from: number, answers: Answers, order?: Uint32Array): void;
}

/** The result of a part of the work: scores, or k neighbours per row. */
export type Answers =
  | { readonly scores: Float64Array; readonly indices?: never; readonly distances?: never }
  | { readonly scores?: never; readonly indices: Uint32Array; readonly distances: Float64Array };

/** Questions whose answer is one number per row. */
type ScoreQuestion = Exclude<PointsQuestion, 'neighbors'>;

/** Questions that a self-join answers with one number per point. */
type JoinScoreQuestion = Exclude<ScoreQuestion, 'kthDistances'>;

/** The scores of rows, or of the points themselves, exactly as the equation gives them. */
export function curvatureWork(nearest: Nearest, scores: Float64Array, progress: readonly [number, number]): PointsWork {
  return scoreWork('curvature', nearest, scores, progress);
}

/** The distances of rows to their k-th nearest points, as the core compares them. */
export function kthDistancesWork(
  nearest: Nearest,
  distances: Float64Array,
  progress: readonly [number, number],
): PointsWork {
  return scoreWork('kthDistances', nearest, distances, progress);
}

/** One number a row. */
export function scoreWork(
  question: ScoreQuestion,
  { points, queries, k }: Nearest,
  scores: Float64Array,
  progress: readonly [number, number],
): PointsWork {
  return {
    rows: scores.length,
    cost: costOf(points),
    progress,
    run: (from, to) => points[question](queries, from, to, k, scores.subarray(from, to)),
    elsewhere: {
      points,
      queries,
      question,
      k,
      take: (from, answers, order) => copyRows(answers.scores as Float64Array, scores, 1, from, order),
    },
  };
}

/** The k nearest points of rows, or of the points themselves. */
export function neighborsWork(
  { points, queries, k }: Nearest,
  indices: Uint32Array,
  distances: Float64Array,
  progress: readonly [number, number],
): PointsWork {
  return {
    rows: indices.length / k,
    cost: costOf(points),
    progress,
    run: (from, to) =>
      points.neighbors(queries, from, to, k, {
        indices: indices.subarray(from * k, to * k),
        distances: distances.subarray(from * k, to * k),
      }),
    elsewhere: {
      points,
      queries,
      question: 'neighbors',
      k,
      take(from, answers, order) {
        copyRows(answers.indices as Uint32Array, indices, k, from, order);
        copyRows(answers.distances as Float64Array, distances, k, from, order);
      },
    },
  };
}

/** Copies rows of `width` values each to their positions. */
function copyRows<Values extends Uint32Array | Float64Array>(
  values: Values,
  to: Values,
  width: number,
  from: number,
  order?: Uint32Array,
): void {
  if (order === undefined) {
    to.set(values, from * width);
    return;
  }
  for (let i = 0; i < order.length; i++) {
    const at = (order[i] as number) * width;
    for (let j = 0; j < width; j++) to[at + j] = values[i * width + j] as number;
  }
}

/** Points answered at a time in tree order. */
const BLOCK = 512;

/** Work on all points in tree order, in which consecutive points are close to each other. */
function inPlaces(work: PointsWork, order: Uint32Array, block: number): PointsWork {
  const { points, question, k, take } = work.elsewhere;
  const asked: Asked = { points, queries: PLACES, question, k };
  const run = (from: number, to: number): void => {
    for (let first = from; first < to; first += block) {
      const end = Math.min(first + block, to);
      take(first, answer(asked, first, end), order.subarray(first, end));
    }
  };
  const takePlaces = (from: number, answers: Answers): void => {
    const rows = answers.scores ? answers.scores.length : answers.indices.length / k;
    take(from, answers, order.subarray(from, from + rows));
  };
  return { ...work, run, elsewhere: { ...asked, take: takePlaces } };
}

/**
 * Work on all points, as a self-join if there is one: its rows are the pairs of blocks to collect candidates from,
 * and then the blocks of points to resolve.
 * @param resolve Takes the results of points from … to − 1 of a join whose candidates were collected here.
 */
export function* selfJoinWork(
  work: PointsWork,
  resolve: (join: SelfJoin, from: number, to: number) => void,
): Steps<void> {
  const { points, question, k } = work.elsewhere;
  const { order } = points;
  const join = points.selfJoin(k);
  const ordered = order === undefined ? work : inPlaces(work, order, join === undefined ? BLOCK : points.count);
  const elsewhere = { ...ordered.elsewhere, ...(join && { join }) };
  if (!join?.hasRoom) {
    const separate: PointsWork = { ...ordered, elsewhere };
    yield separate;
    return;
  }
  const settle = (from: number, to: number): void => {
    if (order === undefined) resolve(join, from, to);
    else elsewhere.take(from, answerPart(join, { from, to, candidates: undefined }, question, k));
  };
  const { blockPairs, block } = join;
  const rows = blockPairs + Math.ceil(points.count / block);
  const run = (from: number, to: number): void => {
    if (from < blockPairs) join.collect(from, Math.min(to, blockPairs));
    const first = Math.max(0, from - blockPairs) * block;
    if (to > blockPairs) settle(first, Math.min(points.count, (to - blockPairs) * block));
  };
  const cost = (work.cost * work.rows) / rows;
  const joint: PointsWork = { ...work, rows, cost, run, elsewhere };
  try {
    yield joint;
  } finally {
    join.release();
  }
}

/** The scores of all points. */
export function curvatureOfPoints(
  points: PointSet,
  k: number,
  scores: Float64Array,
  progress: readonly [number, number],
): Steps<void> {
  return selfJoinWork(curvatureWork({ points, queries: POINTS, k }, scores, progress), (join, from, to) =>
    join.curvature(from, to, scores.subarray(from, to)),
  );
}

/** How sharp all points are, from 0 to 1. */
export function sharpnessOfPoints(
  points: PointSet,
  k: number,
  values: Float64Array,
  progress: readonly [number, number],
): Steps<void> {
  return selfJoinWork(scoreWork('sharpness', { points, queries: POINTS, k }, values, progress), (join, from, to) =>
    join.sharpness(from, to, values.subarray(from, to)),
  );
}

/** The k nearest others of all points. */
export function neighborsOfPoints(
  points: PointSet,
  k: number,
  indices: Uint32Array,
  distances: Float64Array,
  progress: readonly [number, number],
): Steps<void> {
  return selfJoinWork(neighborsWork({ points, queries: POINTS, k }, indices, distances, progress), (join, from, to) =>
    join.neighbors(from, to, indices.subarray(from * k, to * k), distances.subarray(from * k, to * k)),
  );
}

/** Answers one part of a task. */
export function answer({ points, queries, question, k }: Asked, from: number, to: number): Answers {
  const answers = emptyAnswers(question, to - from, k);
  if (answers.scores) points[question as ScoreQuestion](queries, from, to, k, answers.scores);
  else points.neighbors(queries, from, to, k, answers);
  return answers;
}

/** Answers for one part of a self-join whose candidates are complete. */
export function answerPart(join: SelfJoin, part: JoinPart, question: PointsQuestion, k: number): Answers {
  const { from, to, candidates } = part;
  const answers = emptyAnswers(question, to - from, k);
  if (answers.scores) join[question as JoinScoreQuestion](from, to, answers.scores, candidates);
  else join.neighbors(from, to, answers.indices, answers.distances, candidates);
  return answers;
}

function emptyAnswers(question: PointsQuestion, rows: number, k: number): Answers {
  if (question !== 'neighbors') return { scores: new Float64Array(rows) };
  return { indices: new Uint32Array(rows * k), distances: new Float64Array(rows * k) };
}

/** Multiplications in a nanosecond. */
const PER_NANOSECOND = 10;

/** Cost of comparing a row with all points, or with those that a tree does not rule out. */
export function costOf({ count, columns, kernel, tree }: PointSet): number {
  if (tree !== undefined) return tree.effort * PER_NANOSECOND;
  const isPlain = kernel.name === 'linear' || kernel.name === 'rbf' || kernel.name === 'laplacian';
  return count * (isPlain ? columns + 8 : 2 * columns + 60);
}
