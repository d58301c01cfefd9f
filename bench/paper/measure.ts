// One cell of a table, measured: curvad by cross-validation on the paper's folds, and the released program's
// number for the same folds where it is wanted.
import { crossValidate } from 'curvad';
import { releasedAreas } from './as-published.js';
import type { DataSet } from './data.js';
import { paperFolds } from './folds.js';
import type { Method } from './methods.js';
import type { MethodName, Phase } from './published.js';
import { type Spread, scaled, spreadOf } from './spread.js';

/** A data set of the tables. */
export interface Subject {
  /** The name of its files. */
  readonly name: string;
  readonly folds: number;
  /** The name of its row in Table 1. */
  readonly published?: string;
  /** The released program read it as bytes, and never converted them. */
  readonly isBytes?: boolean;
}

export const SUBJECTS: readonly Subject[] = [
  { name: 'speech', folds: 10, published: 'Speech' },
  { name: 'optdigits', folds: 10, published: 'Optdigits' },
  { name: 'arrhythmia', folds: 10 },
  { name: 'letter', folds: 10, published: 'Arrhythmia', isBytes: true },
  { name: 'wine', folds: 2, published: 'Wine' },
  { name: 'musk', folds: 10, published: 'Musk' },
];

export interface Measured {
  readonly method: MethodName;
  /** AUC in percent. */
  readonly defined: Readonly<Record<Phase, Spread>>;
  readonly seconds: Readonly<Record<Phase, Spread>>;
  /** AUC in percent; undefined where it was not asked for. */
  readonly asPublished: Readonly<Record<Phase, Spread>> | undefined;
}

export function measure(
  set: DataSet,
  subject: Subject,
  method: Method,
  k: number,
  wantsAsPublished: boolean,
): Measured {
  const folds = paperFolds(set.rows, subject.folds);
  const found = crossValidate(() => method.make(k), set, set.labels, { folds });
  const [missing] = found.missing;
  if (missing) throw new Error(`${set.name}, fold ${missing.fold}, ${missing.part}: ${missing.reason}`);
  const { train, test } = found.metrics.rocAuc;
  const defined = { train: scaled(train, 100), test: scaled(test, 100) };
  return {
    method: method.name,
    defined,
    seconds: { train: found.fitSeconds, test: found.scoreSeconds },
    asPublished: wantsAsPublished ? asPublished(set, subject, method, k, defined) : undefined,
  };
}

/** Only CAD and kernel CAD depart from their definition in the released program. */
function asPublished(
  set: DataSet,
  { folds, isBytes = false }: Subject,
  { released }: Method,
  k: number,
  defined: Record<Phase, Spread>,
): Record<Phase, Spread> {
  if (released === undefined) return defined;
  const areas = releasedAreas(set, paperFolds(set.rows, folds), { k, kernel: released, isBytes });
  return { train: spreadOf(areas.train), test: spreadOf(areas.test) };
}
