// The four data sets of Table 3, with what is to be predicted from each: classes, twelve numbers, or clusters.
import type { DataSet } from '../data.js';
import type { RegressionData } from '../facebook.js';
import type { Table } from '../models/model.js';

/** Clustering is told the classes only to see how well it found them. */
export type Problem = {
  /** The name of its files. */
  readonly name: string;
  readonly X: Table;
} & (
  | { readonly task: 'classification' | 'clustering'; readonly labels: ArrayLike<number> }
  | { readonly task: 'regression'; readonly Y: Table }
);
export type Task = Problem['task'];

/** A data set of the table. */
export interface Subject {
  readonly name: string;
  readonly task: Task;
  /** The name of its rows in the paper. */
  readonly published: string;
}

export const SUBJECTS: readonly Subject[] = [
  { name: 'pima', task: 'classification', published: 'Pima' },
  { name: 'segment', task: 'classification', published: 'ImageSegment' },
  { name: 'facebook', task: 'regression', published: 'Facebook' },
  { name: 'iris', task: 'clustering', published: 'Iris' },
];

/** Where the data sets come from: undefined for one that is not there. */
export interface Sources {
  data(name: string): DataSet | undefined;
  facebook(): RegressionData | undefined;
}

export function readProblem({ name, task }: Subject, sources: Sources): Problem | undefined {
  if (task === 'regression') {
    const found = sources.facebook();
    return found && { name, task, X: found.X, Y: found.Y };
  }
  const found = sources.data(name);
  return found && { name, task, X: found, labels: found.labels };
}
