// An explanation, for programs and for people.
import type { PathEnd } from './path.js';

/** A feature that changes between a row and its counterfactual. */
export interface FeatureChange {
  readonly feature: number;
  readonly name: string | undefined;
  readonly from: number;
  readonly to: number;
  /** to − from, in the units of the input. */
  readonly change: number;
  /** The change in standard deviations of the training rows; infinite where the feature is constant there. */
  readonly inDeviations: number;
}

/** The end of the path: the nearest the row got to being normal. */
export interface Counterfactual {
  readonly row: Float64Array;
  /** The detector's score of it. */
  readonly score: number;
  /** Whether the detector labels it normal. */
  readonly isNormal: boolean;
  /** Whether it is the row itself. */
  readonly isUnmoved: boolean;
  readonly iterations: number;
  /** Why the path ended, and where that is not at a normal row, what it means. */
  readonly end: PathEnd;
  readonly why: string | undefined;
}

export interface ExplanationParts {
  /** The row explained. */
  readonly row: Float64Array;
  /** The training row it is, if it is one. */
  readonly trainingRow: number | undefined;
  readonly score: number;
  /** Scores above it are anomalies. */
  readonly threshold: number;
  /** 1 for an anomaly. */
  readonly label: 0 | 1;
  /** The training rows that span its polyhedron, nearest first; distances are of scaled rows with `standardize`. */
  readonly neighbors: ReadonlyArray<{ readonly index: number; readonly distance: number }>;
  readonly counterfactual: Counterfactual;
  /** What differs in the counterfactual: the most, in standard deviations, first. */
  readonly changes: readonly FeatureChange[];
}

/** Changes told in words, at most. */
const MOST_TOLD = 8;

export class Explanation implements ExplanationParts {
  readonly row: Float64Array;
  readonly trainingRow: number | undefined;
  readonly score: number;
  readonly threshold: number;
  readonly label: 0 | 1;
  readonly neighbors: ExplanationParts['neighbors'];
  readonly counterfactual: Counterfactual;
  readonly changes: readonly FeatureChange[];

  constructor(parts: ExplanationParts) {
    ({
      row: this.row,
      trainingRow: this.trainingRow,
      score: this.score,
      threshold: this.threshold,
      label: this.label,
      neighbors: this.neighbors,
      counterfactual: this.counterfactual,
      changes: this.changes,
    } = parts);
  }

  /** The explanation in words. */
  toString(): string {
    const lines = [this.#verdict(), this.#neighborhood()];
    if (this.label === 1 || this.changes.length > 0) lines.push(...this.#wayOut());
    return lines.join('\n');
  }

  #verdict(): string {
    const what = this.trainingRow === undefined ? 'This row' : `Training row ${this.trainingRow}`;
    const verdict = this.label === 1 ? 'an anomaly' : 'normal';
    const side = this.label === 1 ? 'above' : 'not above';
    return `${what} is ${verdict}: its score ${short(this.score)} is ${side} the threshold ${short(this.threshold)}.`;
  }

  #neighborhood(): string {
    const nearest = this.neighbors[0];
    const farthest = this.neighbors[this.neighbors.length - 1];
    if (nearest === undefined || farthest === undefined) return '';
    const distances = `${short(nearest.distance)} to ${short(farthest.distance)} away`;
    return `Its ${this.neighbors.length} nearest training rows are ${distances}; the nearest is row ${nearest.index}.`;
  }

  #wayOut(): string[] {
    const { isNormal, score, why } = this.counterfactual;
    const head = isNormal
      ? `It would be normal (score ${short(score)}) with`
      : `No normal row was found: ${why}. The path ended (score ${short(score)}) at`;
    if (this.changes.length === 0) return [isNormal ? 'Nothing has to change.' : `No normal row was found: ${why}.`];
    const told = this.changes.slice(0, MOST_TOLD).map((change) => `  ${inWords(change)}`);
    const left = this.changes.length - told.length;
    if (left > 0) told.push(`  and smaller changes of ${left} more ${left === 1 ? 'feature' : 'features'}`);
    return [head, ...told];
  }
}

function inWords({ feature, name, from, to, change, inDeviations }: FeatureChange): string {
  const deviations = Number.isFinite(inDeviations)
    ? `${signed(inDeviations)} standard deviations`
    : 'the feature is constant in the training rows';
  return `${name ?? `feature ${feature}`}: ${short(from)} → ${short(to)} (${signed(change)}; ${deviations})`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function signed(value: number): string {
  return value > 0 ? `+${short(value)}` : short(value);
}
