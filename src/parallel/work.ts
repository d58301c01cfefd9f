// Long work in steps. It is written once, as a generator that yields every few milliseconds; whoever
// drives it decides what happens between two steps: nothing (the synchronous calls), a turn of the event
// loop, or other threads doing the part that was yielded. So all of them give the same bits.
import { type JoinPart, POINTS, type PointSet, type Queries, type SelfJoin } from '../core/backend.js';

/** Work on rows that can be done in any parts, in any order, here or by other threads. */
export interface Work {
  readonly rows: number;
  /** What a row costs, in multiplications: how many are taken at once. Need not be exact. */
  readonly cost: number;
  /** How far the whole job is, from 0 to 1, before and after. */
  readonly progress: readonly [number, number];
  /** Does rows from … to − 1 here. */
  run(from: number, to: number): void;
  /** The same for a thread that is given the points. */
  readonly elsewhere?: PointsTask;
}

export type PointsQuestion = 'curvature' | 'sharpness' | 'neighbors';

/** A question to a point set, and where the answers go. */
export interface PointsTask {
  readonly points: PointSet;
  readonly queries: Queries;
  readonly question: PointsQuestion;
  readonly k: number;
  /** Where the points are to be joined: what the rows of the work are then, see `selfJoinWork`. */
  readonly join?: SelfJoin;
  /** Takes the answers for rows from `from` on. */
  take(from: number, answers: Answers): void;
}

/** What a part of the work gave: scores, or k neighbours a row. */
export type Answers =
  | { readonly scores: Float64Array; readonly indices?: never; readonly distances?: never }
  | { readonly scores?: never; readonly indices: Uint32Array; readonly distances: Float64Array };

/** A part of a job: work to share, how far it is (0 to 1), or nothing but a good moment to pause. */
export type Step = Work | number | undefined;

/** A job in steps. */
export type Steps<Result> = Generator<Step, Result, undefined>;

/** Does all of a job at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (typeof value === 'object') value.run(0, value.rows);
  }
}

/** A job as a part of a larger one, which is so far (0 to 1) before and after it. */
export function* within<Result>(steps: Steps<Result>, before: number, after: number): Steps<Result> {
  const place = (done: number): number => before + (after - before) * done;
  let next = steps.next();
  while (!next.done) {
    try {
      const { value } = next;
      if (typeof value === 'object') yield { ...value, progress: [place(value.progress[0]), place(value.progress[1])] };
      else yield value === undefined ? undefined : place(value);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next();
  }
  return next.value;
}

/** What has one number a row for an answer. */
type ScoreQuestion = Exclude<PointsQuestion, 'neighbors'>;

/** The scores of rows, or of the points themselves, exactly as the equation gives them. */
export function curvatureWork(
  points: PointSet,
  queries: Queries,
  k: number,
  scores: Float64Array,
  progress: readonly [number, number],
): Work {
  return scoreWork('curvature', points, queries, k, scores, progress);
}

function scoreWork(
  question: ScoreQuestion,
  points: PointSet,
  queries: Queries,
  k: number,
  scores: Float64Array,
  progress: readonly [number, number],
): Work {
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
      take: (from, answers) => scores.set(answers.scores as Float64Array, from),
    },
  };
}

/** The k nearest points of rows, or of the points themselves. */
export function neighborsWork(
  points: PointSet,
  queries: Queries,
  k: number,
  indices: Uint32Array,
  distances: Float64Array,
  progress: readonly [number, number],
): Work {
  return {
    rows: indices.length / k,
    cost: costOf(points),
    progress,
    run: (from, to) =>
      points.neighbors(queries, from, to, k, indices.subarray(from * k, to * k), distances.subarray(from * k, to * k)),
    elsewhere: {
      points,
      queries,
      question: 'neighbors',
      k,
      take(from, answers) {
        indices.set(answers.indices as Uint32Array, from * k);
        distances.set(answers.distances as Float64Array, from * k);
      },
    },
  };
}

/**
 * Work on all points, as work on their join where there is one: its rows are blockPairs first, then blocks of
 * points to settle.
 * @param resolve Takes results of points from … to − 1 over from a join whose blockPairs were made here.
 */
export function* selfJoinWork(work: Work, resolve: (join: SelfJoin, from: number, to: number) => void): Steps<void> {
  const { points, k } = work.elsewhere as PointsTask;
  const join = points.selfJoin(k);
  const elsewhere = { ...(work.elsewhere as PointsTask), ...(join && { join }) };
  if (!join?.hasRoom) {
    yield { ...work, elsewhere };
    return;
  }
  const { blockPairs, block } = join;
  const rows = blockPairs + Math.ceil(points.count / block);
  const run = (from: number, to: number): void => {
    if (from < blockPairs) join.collect(from, Math.min(to, blockPairs));
    const first = Math.max(0, from - blockPairs) * block;
    if (to > blockPairs) resolve(join, first, Math.min(points.count, (to - blockPairs) * block));
  };
  const cost = (work.cost * work.rows) / rows;
  try {
    yield { ...work, rows, cost, run, elsewhere };
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
  return selfJoinWork(curvatureWork(points, POINTS, k, scores, progress), (join, from, to) =>
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
  return selfJoinWork(scoreWork('sharpness', points, POINTS, k, values, progress), (join, from, to) =>
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
  return selfJoinWork(neighborsWork(points, POINTS, k, indices, distances, progress), (join, from, to) =>
    join.neighbors(from, to, indices.subarray(from * k, to * k), distances.subarray(from * k, to * k)),
  );
}

/** How far a job is when so many rows of a part of it are done. */
export function along({ rows, progress: [before, after] }: Pick<Work, 'rows' | 'progress'>, done: number): number {
  return before + ((after - before) * done) / rows;
}

/** Answers one part of a task. */
export function answer(
  points: PointSet,
  queries: Queries,
  question: PointsQuestion,
  from: number,
  to: number,
  k: number,
): Answers {
  const answers = emptyAnswers(question, to - from, k);
  if (answers.scores) points[question as ScoreQuestion](queries, from, to, k, answers.scores);
  else points.neighbors(queries, from, to, k, answers.indices, answers.distances);
  return answers;
}

/** The same for a part of a join, when all have visited it. */
export function answerPart(join: SelfJoin, part: JoinPart, question: PointsQuestion, k: number): Answers {
  const { from, to, candidates } = part;
  const answers = emptyAnswers(question, to - from, k);
  if (answers.scores) join[question as ScoreQuestion](from, to, answers.scores, candidates);
  else join.neighbors(from, to, answers.indices, answers.distances, candidates);
  return answers;
}

function emptyAnswers(question: PointsQuestion, rows: number, k: number): Answers {
  if (question !== 'neighbors') return { scores: new Float64Array(rows) };
  return { indices: new Uint32Array(rows * k), distances: new Float64Array(rows * k) };
}

/** Whether a task asks about the points themselves. */
export function isAboutPoints(queries: Queries): queries is typeof POINTS {
  return queries === POINTS;
}

/** What it costs a row to be compared with all points. */
export function costOf({ count, columns, kernel }: PointSet): number {
  const isPlain = kernel.name === 'linear' || kernel.name === 'rbf' || kernel.name === 'laplacian';
  return count * (isPlain ? columns + 8 : 2 * columns + 60);
}
