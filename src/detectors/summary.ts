// What every detector can do with its scores beside labels: the highest of them, and a word about itself.

import { wholeNumber } from '../core/options.js';
import type { Rows } from '../tables/reader.js';
import { Method } from './method.js';

/** What JSON.stringify makes of a detector. Its model is in `toBytes()`. */
export interface DetectorSummary {
  readonly detector: string;
  /** The options given. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly isFitted: boolean;
  readonly rows?: number;
  readonly columns?: number;
  /** Training rows with scores above the threshold. */
  readonly anomalies?: number;
  /** Null where all training scores are equal. */
  readonly threshold?: number | null;
}

export abstract class Summary<Fitted> extends Method<Fitted> {
  /** @internal Options as they were given. */
  protected abstract readonly givenOptions: Readonly<Record<string, unknown>>;
  abstract readonly scores: Float64Array;
  abstract readonly labels: Uint8Array;
  abstract readonly threshold: number;
  /** @internal Columns of the training rows. */
  abstract readonly width: number;
  protected abstract readonly kind: string;
  abstract fit(rows: Rows): this;

  /** Whether there is a model: not before fit, nor after dispose. */
  get isFitted(): boolean {
    try {
      return this.scores.length > 0;
    } catch {
      return false;
    }
  }

  /** Learns from rows and labels them: `fit(rows).labels`. */
  fitPredict(rows: Rows): Uint8Array {
    return this.fit(rows).labels;
  }

  /** Training rows with the highest scores, the highest first; of equal scores the lower row first. Default 10. */
  top(count = 10): Uint32Array {
    const { scores } = this;
    const rows = Uint32Array.from(scores.keys());
    const most = Math.min(rows.length, wholeNumber(count, 'count', 1, 10, 'COUNT_INVALID'));
    const least = scores.slice().sort()[rows.length - most] as number;
    return rows
      .filter((row) => (scores[row] as number) >= least)
      .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
      .slice(0, most);
  }

  /** What it is, for programs: the options given and, once it is fitted, what became of the rows. */
  toJSON(): DetectorSummary {
    const { kind, isFitted } = this;
    const options = { ...this.givenOptions };
    if (!isFitted) return { detector: kind, options, isFitted };
    const { scores, threshold, labels, width: columns } = this;
    const anomalies = labels.reduce((sum, label) => sum + label, 0);
    const finite = Number.isFinite(threshold) ? threshold : null;
    return { detector: kind, options, isFitted, rows: scores.length, columns, anomalies, threshold: finite };
  }

  /** What it is, in words: "KNN of 303 rows × 5 columns: 12 anomalies (4.0 %), scores above 4.912". */
  override toString(): string {
    return inWords(this.toJSON());
  }
}

function inWords({ detector, rows, columns, anomalies, threshold }: DetectorSummary): string {
  if (rows === undefined || anomalies === undefined) return `${detector}, not fitted`;
  const of = `${detector} of ${rows} rows × ${columns} ${columns === 1 ? 'column' : 'columns'}`;
  if (threshold === null || threshold === undefined) return `${of}: all scores are equal, nothing is an anomaly`;
  const share = `${((100 * anomalies) / rows).toFixed(1)} %`;
  const found = `${anomalies} ${anomalies === 1 ? 'anomaly' : 'anomalies'} (${share})`;
  return `${of}: ${found}, scores above ${Number(threshold.toPrecision(4))}`;
}
