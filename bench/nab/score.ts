// The score of the Numenta Anomaly Benchmark. Rows are added from the highest score down; after each distinct score
// the total is what that score as threshold would give, so one pass over the sorted rows finds the best threshold.

export interface Labelled {
  readonly rows: number;
  /** First and last row of each labelled window, in order. */
  readonly windows: ReadonlyArray<readonly [first: number, last: number]>;
}

export interface Profile {
  readonly name: string;
  readonly hit: number;
  readonly miss: number;
  readonly falseAlarm: number;
}

export const PROFILES: readonly Profile[] = [
  { name: 'standard', hit: 1, miss: 1, falseAlarm: 0.11 },
  { name: 'reward low FP', hit: 1, miss: 1, falseAlarm: 0.22 },
  { name: 'reward low FN', hit: 1, miss: 2, falseAlarm: 0.11 },
];

/** What a detection at one row is worth. */
interface Row {
  score: number;
  /** Number of its window in the corpus, or −1 outside of windows. */
  window: number;
  worth: number;
}

const sigmoid = (y: number): number => 2 / (1 + Math.exp(5 * y)) - 1;

/** Rows at the start of a series that do not count. */
export function probation(rows: number): number {
  return Math.min(Math.floor(0.15 * rows), 750);
}

/** Worth of a detection at row i, before the weights of a profile; windows are numbered from `first`. */
function judge({ windows }: Labelled, i: number, first: number): Omit<Row, 'score'> {
  let before: readonly [number, number] | undefined;
  for (const [number, window] of windows.entries()) {
    const [left, right] = window;
    if (i > right) before = window;
    else if (i >= left) {
      const worth = sigmoid(-(right - i + 1) / (right - left + 1)) / sigmoid(-1);
      return { window: first + number, worth };
    }
  }
  const past = before === undefined ? Infinity : (i - before[1]) / (before[1] - before[0]);
  return { window: -1, worth: past > 3 ? -1 : sigmoid(past) };
}

function judgedRows(series: readonly Labelled[], scores: ReadonlyArray<ArrayLike<number>>): Row[] {
  const rows: Row[] = [];
  let first = 0;
  for (const [s, one] of series.entries()) {
    for (let i = probation(one.rows); i < one.rows; i++)
      rows.push({ score: scores[s]?.[i] as number, ...judge(one, i, first) });
    first += one.windows.length;
  }
  return rows.sort((a, b) => b.score - a.score);
}

export interface Result {
  /** 100 for every window found at once without a false alarm, 0 for no detection at all. */
  readonly score: number;
  readonly threshold: number;
}

/** The score of a corpus, at the threshold that scores best or at a given one. */
export function nabScore(
  series: readonly Labelled[],
  scores: ReadonlyArray<ArrayLike<number>>,
  profile: Profile,
  given?: number,
): Result {
  const windows = series.reduce((sum, one) => sum + one.windows.length, 0);
  const rows = judgedRows(series, scores);
  const counted = new Set(rows.map(({ window }) => window).filter((window) => window >= 0));
  const best = new Float64Array(windows).fill(-profile.miss);
  let total = -profile.miss * counted.size;
  let result = {
    total: given === undefined || given > (rows[0]?.score ?? 0) ? total : Number.NaN,
    threshold: Infinity,
  };
  for (const [i, { score, window, worth }] of rows.entries()) {
    if (given !== undefined && score < given) break;
    if (window < 0) total += worth * profile.falseAlarm;
    else if (worth * profile.hit > (best[window] as number)) {
      total += worth * profile.hit - (best[window] as number);
      best[window] = worth * profile.hit;
    }
    const isLast = rows[i + 1]?.score !== score;
    if (isLast && (given !== undefined || total > result.total)) result = { total, threshold: score };
  }
  const none = -profile.miss * windows;
  return { score: (100 * (result.total - none)) / (profile.hit * windows - none), threshold: result.threshold };
}
