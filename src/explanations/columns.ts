// Which columns make a row stand out. Where the score is a distance or a curvature of columns, each has an exact share
// of it; otherwise it counts by how much the score falls when the column takes the value that rows like it have.
import type { AnyDetector } from '../detectors/detector.js';
import type { Standing } from '../detectors/standing.js';
import type { Reference } from './reference.js';

/**
 * What shares are shares of: the detector's 'distance' or 'curvature'; the 'fall' of the score when one column after
 * the other takes its typical value; or, where no single column lowers the score, squared 'deviation' from those values.
 */
export type Basis = 'distance' | 'curvature' | 'fall' | 'deviation';

/** A column of a row that is explained. */
export interface ColumnShare {
  readonly feature: number;
  readonly name: string | undefined;
  readonly value: number;
  /** The median in the rows that are most like it otherwise. */
  readonly typical: number;
  /** value − typical, in standard deviations of the training rows; infinite where the column is constant there. */
  readonly inDeviations: number;
  /** From 0 to 1; all columns together 1, unless nothing sets the row apart. */
  readonly share: number;
}

/** Rows that say what is typical. */
const ALIKE = 16;
/** Deviations beyond this are all as large. */
const FARTHEST = 1e6;

export function columnsOf(
  detector: AnyDetector,
  reference: Reference,
  { row, score, standing }: { row: Float64Array; score: number; standing: Standing | undefined },
  names: readonly string[] | undefined,
): { basis: Basis; columns: ColumnShare[] } {
  const isFixed = Array.from(row, () => false);
  const typical = reference.typical(reference.alike(row, ALIKE, isFixed));
  const { basis, contributions } =
    standing?.contributions !== undefined
      ? { basis: standing.basis, contributions: standing.contributions }
      : fallsOf(detector, reference, { row, score }, typical);
  const sum = contributions.reduce((total, value) => total + value, 0);
  const columns = Array.from(row, (value, feature) => ({
    feature,
    name: names?.[feature],
    value,
    typical: typical[feature] as number,
    inDeviations: inDeviations(value - (typical[feature] as number), reference.deviations[feature] as number),
    share: sum > 0 ? (contributions[feature] as number) / sum : 0,
  }));
  const weight = ({ share, inDeviations: d }: ColumnShare): number =>
    (share + 1 / row.length) * Math.min(Math.abs(d), FARTHEST) ** 2;
  const byWeight = (a: ColumnShare, b: ColumnShare): number =>
    weight(b) - weight(a) || b.share - a.share || a.feature - b.feature;
  return { basis, columns: columns.sort(byWeight) };
}

function fallsOf(
  detector: AnyDetector,
  reference: Reference,
  { row, score }: { row: Float64Array; score: number },
  typical: Float64Array,
): { basis: Basis; contributions: Float64Array } {
  const { scale } = reference;
  const { columns } = reference;
  const data = new Float64Array(columns * columns);
  for (let j = 0; j < columns; j++) {
    data.set(row, j * columns);
    data[j * columns + j] = typical[j] as number;
  }
  const falls = detector.score({ data, rows: columns, columns }).map((other) => Math.max(0, score - other));
  if (falls.some((fall) => fall > 0)) return { basis: 'fall', contributions: falls };
  const squares = row.map((value, j) => Math.min(1e150, (value - (typical[j] as number)) / (scale[j] as number)) ** 2);
  return { basis: 'deviation', contributions: squares };
}

/** A difference in standard deviations; infinite in a column that has none. */
export function inDeviations(difference: number, deviation: number): number {
  return difference === 0 ? 0 : difference / deviation;
}
