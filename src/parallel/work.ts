// Long work in steps. It is written once, as a generator that yields every few milliseconds; whoever
// drives it decides what happens between two steps: nothing (the synchronous calls), a turn of the event
// loop, or other threads doing the part that was yielded. So all of them give the same bits.
import { POINTS, type PointSet, type Queries } from '../core/backend.js';

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

export type PointsQuestion = 'curvature' | 'neighbors';

/** A question to a point set, and where the answers go. */
export interface PointsTask {
  readonly points: PointSet;
  readonly queries: Queries;
  readonly question: PointsQuestion;
  readonly k: number;
  /** Takes the answers for rows from `from` on. */
  take(from: number, answers: Answers): void;
}

/** What a part of the work gave: scores, or k neighbours a row. */
export interface Answers {
  readonly scores?: Float64Array;
  readonly indices?: Uint32Array;
  readonly distances?: Float64Array;
}

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

/** The scores of rows, or of the points themselves, exactly as the equation gives them. */
export function curvatureWork(
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
    run: (from, to) => points.curvature(queries, from, to, k, scores.subarray(from, to)),
    elsewhere: {
      points,
      queries,
      question: 'curvature',
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

/** How far a job is when so many rows of a part of it are done. */
export function along({ rows, progress: [before, after] }: Work, done: number): number {
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
  const count = to - from;
  if (question === 'curvature') {
    const scores = new Float64Array(count);
    points.curvature(queries, from, to, k, scores);
    return { scores };
  }
  const indices = new Uint32Array(count * k);
  const distances = new Float64Array(count * k);
  points.neighbors(queries, from, to, k, indices, distances);
  return { indices, distances };
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
