// Definitions of detectors, with plain loops and nothing of the library, on rows as they come. Where rounding alone
// decides (rows whose neighbours are equally far but for the last digits), nothing is said.
import { type KernelOptions, manhattanDistance, paperScores, squaredDistance } from '../../test/support/data.js';
import { promise } from './attack.js';
import type { DrawnDetector } from './detectors.js';
import type { Drawn, Table } from './tables.js';

interface Scores {
  readonly scores: ArrayLike<number>;
  readonly fresh: ArrayLike<number>;
}

/** Promised of KNN and LOF, relative. */
const TOLERANCE = 1e-6;
/** Promised of CAD. */
const CLOSE = 1e-9;
/** Tables without far values: their rows are held as they are. */
const TAME = [
  'gaussian',
  'small whole numbers',
  'zeros and ones',
  'few distinct rows',
  'equal rows but one',
  'one direction',
  'clusters far apart',
  'a grid',
  'negative zeros',
];

export function checkDefinition({ kind, options }: DrawnDetector, table: Drawn, got: Scores): void {
  if (options['standardize'] === true || (kind !== 'LandmarkCAD' && options['precision'] === 'single')) return;
  if (kind === 'KNN') checkDistances(options, table, got);
  if (kind === 'CAD' && options['precision'] === 'double' && TAME.includes(table.kind)) checkPaper(options, table, got);
}

function checkDistances(options: DrawnDetector['options'], { rows, fresh }: Drawn, got: Scores): void {
  const k = (options['neighbors'] as number | undefined) ?? 10;
  const isMean = options['aggregate'] === 'mean';
  const distance = (x: readonly number[], y: readonly number[]): number =>
    options['metric'] === 'manhattan' ? manhattanDistance(x, y) : lengthOf(x, y);
  const expected = (x: readonly number[], self: number): number => {
    const nearest = rows
      .filter((_, i) => i !== self)
      .map((y) => distance(x, y))
      .sort((a, b) => a - b)
      .slice(0, k);
    return isMean ? nearest.reduce((sum, value) => sum + value / k, 0) : (nearest[k - 1] as number);
  };
  // Squares below and above what a double holds are not distances any more.
  const isHeld = (value: number): boolean => value === 0 || (value > 1e-150 && value < 1e150);
  const noise = roundingOf([...rows, ...fresh]) + (options['precision'] === 'double' ? 0 : singleNoise(rows, distance));
  const check = (what: string, table: Table, scores: ArrayLike<number>, isSelf: boolean): void => {
    for (let i = 0; i < scores.length; i++) {
      const truth = expected(table[i] as number[], isSelf ? i : -1);
      const score = scores[i] as number;
      promise(
        !isHeld(truth) || Math.abs(score - truth) <= TOLERANCE * truth + noise,
        () => `${what} ${i} is ${truth} from its neighbours, and scores ${score}`,
      );
    }
  };
  check('row', rows, got.scores, true);
  check('new row', fresh, got.fresh, false);
}

/** The length of a difference whose squares may not be held. */
function lengthOf(x: readonly number[], y: readonly number[]): number {
  const most = Math.max(...x.map((value, j) => Math.abs(value - (y[j] as number))));
  if (most === 0) return 0;
  const scaled = (row: readonly number[]): number[] => row.map((value) => value / most);
  return most > 1e140 || most < 1e-140
    ? most * Math.sqrt(squaredDistance(scaled(x), scaled(y)))
    : Math.sqrt(squaredDistance(x, y));
}

/** What moving columns to their middle may cost: the last digits of what is far. */
function roundingOf(rows: Table): number {
  return rows.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0) * 2 ** -50;
}

/** What rows lose that are held in single precision: digits of what is between most of them, not of the farthest. */
function singleNoise(rows: Table, distance: (x: readonly number[], y: readonly number[]) => number): number {
  const from = rows[0] as number[];
  const distances = rows.map((row) => distance(row, from)).sort((a, b) => a - b);
  return (distances[Math.floor(distances.length / 2)] as number) * 2 ** -21;
}

function checkPaper(options: DrawnDetector['options'], { rows, fresh }: Drawn, got: Scores): void {
  const { kernel = 'linear', gamma, degree, coef0, neighbors = 10 } = options;
  const given = { kernel, gamma, degree, coef0 } as unknown as KernelOptions;
  const k = neighbors as number;
  for (const [queries, scores] of [
    [undefined, got.scores],
    [fresh, got.fresh],
  ] as const) {
    if (scores.length === 0) continue;
    const truth = paperScores(rows, k, definedOnly(given), queries);
    for (let i = 0; i < scores.length; i++) {
      if (truth.ambiguous.has(i) || isLastDigits((queries ?? rows)[i] as number[], rows)) continue;
      // Which way is up, the orientation says.
      const [score, expected] = [Math.abs(scores[i] as number), Math.abs(truth.scores[i] as number)];
      promise(
        Math.abs(score - expected) <= CLOSE * (k * k + Math.abs(expected)),
        () => `row ${i} scores ${score}, by its definition ${expected}`,
      );
    }
  }
}

/** Whether a row differs from another in its last digits alone: the direction of that edge is rounding. */
function isLastDigits(row: readonly number[], rows: Table): boolean {
  const size = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return rows.some((other) => {
    const apart = Math.max(...row.map((value, j) => Math.abs(value - (other[j] as number))));
    return apart > 0 && apart < size * 1e-8;
  });
}

function definedOnly<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}
