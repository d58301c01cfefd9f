// An explanation, for programs and for people.
import type { Basis, ColumnShare } from './columns.js';

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

/** The row with the smallest change found that makes it normal, or else the nearest to normal that was found. */
export interface Counterfactual {
  readonly row: Float64Array;
  /** The detector's score of it. */
  readonly score: number;
  /** Whether the detector labels it normal. */
  readonly isNormal: boolean;
  /** Whether it is about as near to normal training rows as most of them are to each other. */
  readonly isPlausible: boolean;
  /** Whether it is the row itself. */
  readonly isUnmoved: boolean;
  /** Why it is not normal, or not plausible. */
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
  /** What the shares of columns are shares of. */
  readonly basis: Basis;
  /** All columns, those that set the row apart first. */
  readonly columns: readonly ColumnShare[];
  /**
   * The nearest training rows, nearest first, by the distances of the detector; where it keeps none, the nearest of
   * the normal rows that were kept, in standard deviations.
   */
  readonly neighbors: ReadonlyArray<{ readonly index: number; readonly distance: number }>;
  readonly counterfactual: Counterfactual;
  /** What differs in the counterfactual: the most, in standard deviations, first. */
  readonly changes: readonly FeatureChange[];
}

/** Columns and changes told in words, at most. */
const MOST_COLUMNS = 5;
const MOST_CHANGES = 8;
/** Smaller shares are not told. */
const LEAST_SHARE = 0.03;

const OF: Readonly<Record<Basis, string>> = {
  distance: 'its distance',
  curvature: 'its curvature',
  fall: 'what its score would fall by',
  deviation: 'its deviation',
};

export class Explanation implements ExplanationParts {
  readonly row: Float64Array;
  readonly trainingRow: number | undefined;
  readonly score: number;
  readonly threshold: number;
  readonly label: 0 | 1;
  readonly basis: Basis;
  readonly columns: readonly ColumnShare[];
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
      basis: this.basis,
      columns: this.columns,
      neighbors: this.neighbors,
      counterfactual: this.counterfactual,
      changes: this.changes,
    } = parts);
  }

  /** Plain data: arrays, and null for what JSON has not (undefined, infinite). */
  toJSON(): unknown {
    const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
    const named = <Part extends { name: string | undefined; inDeviations: number }>(part: Part) => ({
      ...part,
      name: part.name ?? null,
      inDeviations: finite(part.inDeviations),
    });
    const { row, why, ...counterfactual } = this.counterfactual;
    return {
      ...this,
      row: [...this.row],
      trainingRow: this.trainingRow ?? null,
      threshold: finite(this.threshold),
      columns: this.columns.map(named),
      counterfactual: { row: [...row], ...counterfactual, why: why ?? null },
      changes: this.changes.map(named),
    };
  }

  /** The explanation in words. */
  toString(): string {
    const lines = [this.#verdict(), ...this.#reasons(), this.#neighborhood()];
    if (this.label === 1 || this.changes.length > 0) lines.push(...this.#wayOut());
    return lines.filter((line) => line !== '').join('\n');
  }

  #verdict(): string {
    const what = this.trainingRow === undefined ? 'This row' : `Training row ${this.trainingRow}`;
    const verdict = this.label === 1 ? 'an anomaly' : 'normal';
    const side = this.label === 1 ? 'above' : 'not above';
    return `${what} is ${verdict}: its score ${short(this.score)} is ${side} the threshold ${short(this.threshold)}.`;
  }

  #reasons(): string[] {
    const isTelling = ({ share, value, typical }: ColumnShare): boolean =>
      share >= LEAST_SHARE && short(value) !== short(typical);
    const told = this.columns.filter(isTelling).slice(0, MOST_COLUMNS);
    if (told.length === 0) return [];
    const of = OF[this.basis];
    const lines = told.map(({ feature, name, value, typical, share }, i) => {
      const percent = `${Math.round(share * 100)} %${i === 0 ? ` of ${of}` : ''}`;
      return `  ${name ?? `feature ${feature}`}: ${short(value)}, where rows like it have ${short(typical)} (${percent})`;
    });
    return [this.label === 1 ? 'It stands out by' : 'What sets it apart most is', ...lines];
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
    const failure = `No normal row was found: ${why}.`;
    if (this.changes.length === 0) return [isNormal ? 'Nothing has to change.' : failure];
    const head = isNormal
      ? `It would be normal (score ${short(score)}) with`
      : `${failure} The nearest to it (score ${short(score)}) has`;
    const told = this.changes.slice(0, MOST_CHANGES).map((change) => `  ${inWords(change)}`);
    const left = this.changes.length - told.length;
    if (left > 0) told.push(`  and smaller changes of ${left} more ${left === 1 ? 'feature' : 'features'}`);
    if (isNormal && why !== undefined) told.push(`But ${why}.`);
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
