// What `npm run paper` can do. A new job is a file and a line here.
import type { DataSet } from './data.js';
import type { RegressionData } from './facebook.js';
import { figures } from './figures.js';
import type { Progress } from './progress.js';
import { table1 } from './table1.js';
import { table2 } from './table2.js';
import { table3 } from './table3.js';

/** What a job is given. */
export interface Context {
  /** A data set, or undefined where the folder has none of that name. */
  data(name: string): DataSet | undefined;
  /** The Facebook metrics, or undefined where the folder has none. */
  facebook(): RegressionData | undefined;
  /** Imitate the released program, too. */
  readonly asPublished: boolean;
  /** Where pictures go. */
  readonly folder: string;
  /** Leave out what takes longest, for a job that can. */
  readonly quick: boolean;
  /** Use nothing that a run before has kept. */
  readonly fresh: boolean;
  /** How many processes may work at once. */
  readonly processes: number;
  readonly progress: Progress;
}

export interface Job {
  /** A line for the list of jobs, and the heading of its section. */
  readonly title: string;
  /** It draws pictures: for it, --out is a folder. */
  readonly draws?: boolean;
  /** It has something to do where no folder with data sets is named. */
  readonly isDataOptional?: boolean;
  /** Whether it can be quick. */
  readonly hasQuick?: boolean;
  /** The lines of its section, in Markdown. */
  run(context: Context): readonly string[] | Promise<readonly string[]>;
}

/** In the order of their sections. */
export const JOBS: Readonly<Record<string, Job>> = { table1, table2, table3, figures };
