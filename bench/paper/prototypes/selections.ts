// The columns of Table 3: how curvad selects the rows that stay, from the training rows of a fold. A ranking
// method stands there once for each share; a retaining one decides itself.
import { DROP3, ENN, InverseCAD, IRMD, type PrototypeSelector, PSA, SDM, ShellExtraction, SOS } from 'curvad';
import { selectRows } from '../models/model.js';
import { SEED } from './evaluate.js';
import type { Problem, Task } from './problems.js';
import { RANKING, type RankingName, RETAINING, type RetainingName } from './published.js';

export const SHARES = [20, 50, 70] as const;

export type Selection =
  | { readonly method: RankingName /** In percent. */; readonly share: (typeof SHARES)[number] }
  | { readonly method: RetainingName; readonly share?: undefined };

const SELECTORS: Readonly<Record<RankingName | Exclude<RetainingName, 'NR'>, PrototypeSelector>> = {
  iCAD: new InverseCAD({ precision: 'double' }),
  'K-iCAD rbf': new InverseCAD({ kernel: 'rbf', precision: 'double' }),
  'K-iCAD poly': new InverseCAD({ kernel: 'polynomial', precision: 'double' }),
  IRMD: new IRMD(),
  PSA: new PSA({ seed: SEED }),
  SOS: new SOS(),
  SE: new ShellExtraction(),
  SDM: new SDM(),
  ENN: new ENN(),
  DROP3: new DROP3(),
};

/** ENN and DROP3 need classes. */
export function selectionsFor(task: Task): Selection[] {
  const isPossible = (method: RetainingName) => task === 'classification' || (method !== 'ENN' && method !== 'DROP3');
  return [
    ...RANKING.flatMap((method) => SHARES.map((share) => ({ method, share }))),
    ...RETAINING.filter(isPossible).map((method) => ({ method })),
  ];
}

/**
 * The rows that stay, of the training rows: by class for classification, of all rows otherwise. Columns are
 * not scaled.
 */
export function select(problem: Problem, selection: Selection, train: Uint32Array): Uint32Array {
  return timedSelect(problem, selection, train).rows;
}

/** The rows that stay, and how long the selector took, without what goes before and after. */
export function timedSelect(
  problem: Problem,
  { method, share }: Selection,
  train: Uint32Array,
): { rows: Uint32Array; seconds: number } {
  if (method === 'NR') return { rows: train, seconds: 0 };
  const X = selectRows(problem.X, train);
  const y = given(problem, train);
  const selector = SELECTORS[method];
  const start = performance.now();
  const places = share === undefined ? selector.retain(X, y) : selector.select(X, y, { keep: share / 100 });
  const seconds = (performance.now() - start) / 1000;
  return { rows: places.map((place) => train[place] as number), seconds };
}

/** What a selector is told beside the rows: classes, or targets. */
function given(problem: Problem, train: Uint32Array) {
  if (problem.task === 'clustering') return undefined;
  if (problem.task === 'regression') return { targets: selectRows(problem.Y, train) };
  return Array.from(train, (row) => problem.labels[row] as number);
}
