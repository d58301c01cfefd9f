// Table 3, measured: folds split once and shared by all methods; every selection made and timed first, with
// nothing else running; then every model on every reduced training set, in several processes.
import type { Fold } from 'curvad';
import { paperFolds } from '../folds.js';
import { type Spread, spreadOf } from '../spread.js';
import { isImitated, selectAsPublished } from './as-published.js';
import { MODELS } from './evaluate.js';
import { type Evaluation, evaluateAll } from './evaluations.js';
import type { Problem } from './problems.js';
import { type Selection, select, selectionsFor, timedSelect } from './selections.js';

export const FOLDS = 10;
/** Folds that the slowest model sees in a quick run. */
export const QUICK_FOLDS = 5;
export const SLOWEST = 'MLP';

export interface Wanted {
  /** Imitate the released program, too. */
  readonly asPublished: boolean;
  /** The slowest model sees few folds. */
  readonly quick: boolean;
  readonly processes: number;
  /** Where evaluations are kept; in memory only if undefined. */
  readonly file?: URL;
  /** Called once, with the number of steps to come. */
  onPlan(steps: number): void;
  onStep(label: string): void;
}

/** A column of the table for one data set, by one of two protocols. */
export interface Measured {
  readonly problem: string;
  readonly selection: Selection;
  readonly isAsPublished: boolean;
  /** Of one call; undefined where nothing is selected. */
  readonly seconds: Spread | undefined;
  /** Share of the training rows, in percent. */
  readonly kept: Spread;
  /** By model. */
  readonly scores: Readonly<Record<string, Spread>>;
}

/** A selection in all folds. */
interface Selected {
  readonly problem: Problem;
  readonly selection: Selection;
  readonly isAsPublished: boolean;
  readonly folds: readonly Fold[];
  /** Of each fold: the rows kept, and the time it took. */
  readonly rows: readonly Uint32Array[];
  readonly seconds: readonly number[];
}

export async function measureAll(problems: readonly Problem[], wanted: Wanted): Promise<Measured[]> {
  const models = problems.flatMap(({ task }) => MODELS[task]);
  wanted.onPlan(problems.length + models.reduce((sum, model) => sum + foldsFor(model, wanted.quick), 0));
  const selected = problems.flatMap((problem) => {
    wanted.onStep(`${problem.name}: selecting`);
    return selectAll(problem, wanted.asPublished);
  });
  const runs = problems.flatMap((problem) =>
    MODELS[problem.task].flatMap((model) =>
      Array.from({ length: foldsFor(model, wanted.quick) }, (_, fold) =>
        selected.filter((one) => one.problem === problem).map((one): Run => ({ selected: one, model, fold })),
      ).flat(),
    ),
  );
  // The longest first, so that no process is left alone with one in the end.
  runs.sort((a, b) => Number(b.model === SLOWEST) - Number(a.model === SLOWEST));
  const scores = await evaluateAll(problems, runs.map(evaluationOf), {
    processes: wanted.processes,
    onDone: stepsOf(runs, wanted.onStep),
    ...(wanted.file && { file: wanted.file }),
  });
  const scoreOf = new Map(runs.map((run, i) => [run, scores[i] as number]));
  return selected.map((one) => summary(one, runs, scoreOf));
}

/** By all methods, on the same folds. */
function selectAll(problem: Problem, asPublished: boolean): Selected[] {
  const folds = paperFolds(problem.X.rows, FOLDS);
  return selectionsFor(problem.task).flatMap((selection) => {
    const first = (folds[0] as Fold).train;
    select(problem, selection, first); // untimed: the first call compiles
    const timed = folds.map(({ train }) => timedSelect(problem, selection, train));
    const own = { problem, selection, folds, seconds: timed.map(({ seconds }) => seconds) };
    const defined = { ...own, isAsPublished: false, rows: timed.map(({ rows }) => rows) };
    if (!asPublished || !isImitated(problem, selection)) return [defined];
    const imitated = folds.map(({ train }) => selectAsPublished(problem, selection, train));
    return [defined, { ...own, isAsPublished: true, rows: imitated }];
  });
}

/** A model on a reduced training set. */
interface Run {
  readonly selected: Selected;
  readonly model: string;
  readonly fold: number;
}

function foldsFor(model: string, quick: boolean): number {
  return quick && model === SLOWEST ? QUICK_FOLDS : FOLDS;
}

function evaluationOf({ selected: { problem, folds, rows }, model, fold }: Run): Evaluation {
  const { train, test } = folds[fold] as Fold;
  const kept = rows[fold] as Uint32Array;
  const fitted = problem.task === 'classification' ? withTestClasses(kept, train, test, problem.labels) : kept;
  return { problem: problem.name, model, train: fitted, test };
}

/**
 * If the kept rows have another number of classes than the test rows, the first training row of every test
 * class is appended, whether it was kept or not.
 */
export function withTestClasses(
  kept: Uint32Array,
  train: Uint32Array,
  test: Uint32Array,
  labels: ArrayLike<number>,
): Uint32Array {
  const classesOf = (rows: Uint32Array) => new Set(Array.from(rows, (row) => labels[row] as number));
  const tested = classesOf(test);
  if (classesOf(kept).size === tested.size) return kept;
  const firsts = [...tested]
    .sort((a, b) => a - b)
    .map((label) => train.find((row) => labels[row] === label))
    .filter((row) => row !== undefined);
  return Uint32Array.of(...kept, ...firsts);
}

/** Reports a step when all runs of a data set, a model and a fold are done. */
function stepsOf(runs: readonly Run[], onStep: (label: string) => void): (place: number) => void {
  const labelOf = ({ selected, model, fold }: Run) => `${selected.problem.name}: ${model}, fold ${fold + 1}`;
  const left = new Map<string, number>();
  for (const run of runs) left.set(labelOf(run), (left.get(labelOf(run)) ?? 0) + 1);
  return (place) => {
    const label = labelOf(runs[place] as Run);
    const count = (left.get(label) as number) - 1;
    left.set(label, count);
    if (count === 0) onStep(label);
  };
}

function summary(one: Selected, runs: readonly Run[], scoreOf: ReadonlyMap<Run, number>): Measured {
  const { problem, selection, isAsPublished, folds, rows, seconds } = one;
  const shares = rows.map(({ length }, fold) => (100 * length) / (folds[fold] as Fold).train.length);
  const scores = MODELS[problem.task].map((model) => {
    const own = runs.filter((run) => run.selected === one && run.model === model);
    return [model, spreadOf(own.map((run) => scoreOf.get(run) as number))] as const;
  });
  return {
    problem: problem.name,
    selection,
    isAsPublished,
    seconds: selection.method === 'NR' ? undefined : spreadOf(seconds),
    kept: spreadOf(shares),
    scores: Object.fromEntries(scores),
  };
}
