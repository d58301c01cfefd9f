// The fit of detect: on all rows, or on a sample by which all are scored. Shows progress with the time left, and names
// faster options when it takes long.
import { Random } from '../../core/random/random.js';
import type { AnyDetector, Progress as FitProgress } from '../../index.js';
import { EncodedTable } from '../../tables/reader.js';
import type { Arguments } from '../arguments.js';
import type { Input } from '../input.js';
import { duration, type Progress, type Terminal } from '../terminal.js';

export interface Fitting {
  readonly threads: number | undefined;
  /** Number of rows to fit on, drawn at random; undefined for all. */
  readonly sample: number | undefined;
  readonly seed: number;
}

export interface FittedInput {
  /** Scores of all rows; rows of the sample have their training scores. */
  readonly scores: Float64Array;
  readonly seconds: number;
  /** Number of rows it was fitted on. */
  readonly rows: number;
}

/** Seconds above which faster options are named. */
const LONG = 10;
/** Least cost of a row that no search helps with, in nanoseconds of one core. */
const SHAPELESS = 16_000;
/** Share of the search that must be done before this can be judged. */
const TRIED = 0.03;
/** The --sample that is recommended. */
const ENOUGH = 100_000;
/** Least number of rows in a useful sample. */
const FEWEST = 50;

export function fittingOf(given: Arguments): Fitting {
  const sample = given.wholeNumber('sample', FEWEST);
  const seed = given.wholeNumber('seed', 0) ?? 0;
  return { threads: given.wholeNumber('threads', 0), sample, seed };
}

/** Fits a detector and scores all rows. */
export async function fitInput(
  detector: AnyDetector,
  input: Input,
  fitting: Fitting,
  terminal: Terminal,
): Promise<FittedInput> {
  const { matrix, encoded } = input;
  const start = performance.now();
  const secondsSince = (): number => (performance.now() - start) / 1000;
  const threads = fitting.threads === undefined ? {} : { threads: fitting.threads };
  const drawn = fitting.sample === undefined ? undefined : sampleOf(input, fitting.sample, fitting.seed);
  const rows = drawn?.rows ?? encoded;
  const fitted = drawn?.indices.length ?? matrix.rows;
  const progress = terminal.progress('Fitting', fitted, 'rows');
  const advice = new Advice(terminal, progress, fitted);
  try {
    await detector.fitAsync(rows, { ...threads, onProgress: (now) => advice.take(now) });
  } finally {
    progress.end();
  }
  if (drawn === undefined) return { scores: detector.scores, seconds: secondsSince(), rows: fitted };
  const scoring = terminal.progress('Scoring', matrix.rows, 'rows');
  try {
    const onProgress = ({ done }: FitProgress): void => scoring.update(done);
    const scores = await detector.scoreAsync(matrix, { ...threads, onProgress });
    for (const [i, row] of drawn.indices.entries()) scores[row] = detector.scores[i] as number;
    return { scores, seconds: secondsSince(), rows: fitted };
  } finally {
    scoring.end();
  }
}

interface Sample {
  /** Ascending row indices. */
  readonly indices: Uint32Array;
  readonly rows: EncodedTable;
}

/** Row indices drawn uniformly at random; undefined if all rows would be drawn. */
function sampleOf({ matrix, recipe }: Input, count: number, seed: number): Sample | undefined {
  const { data, rows, columns } = matrix;
  if (count >= rows) return undefined;
  const all = Uint32Array.from({ length: rows }, (_, row) => row);
  new Random(seed).choose(all, count);
  const indices = all.slice(0, count).sort();
  const values = new Float64Array(count * columns);
  for (const [i, row] of indices.entries()) values.set(data.subarray(row * columns, (row + 1) * columns), i * columns);
  const encoded = { data: values, rows: count, columns, kept: undefined, notes: [] };
  return { indices, rows: new EncodedTable(recipe, encoded, count) };
}

/** Says once, early, that a fit takes long because no search helps, and what would help. */
class Advice {
  readonly #terminal: Terminal;
  readonly #progress: Progress;
  readonly #rows: number;
  readonly #cpu = process.cpuUsage();
  /** Progress of the fit when the search began. */
  #begun: number | undefined;
  #isGiven = false;

  constructor(terminal: Terminal, progress: Progress, rows: number) {
    this.#terminal = terminal;
    this.#progress = progress;
    this.#rows = rows;
  }

  take({ done, search }: FitProgress): void {
    this.#progress.update(done);
    if (this.#isGiven || search === undefined) return;
    this.#begun ??= done;
    const { seconds, remaining } = this.#progress;
    if (done < this.#begun + TRIED || remaining === undefined || seconds + remaining < LONG) return;
    // Not by wall-clock time, which depends on what else the machine runs.
    const { user, system } = process.cpuUsage(this.#cpu);
    if (search === 'tree' && ((user + system) * 1e3) / done / this.#rows < SHAPELESS) return;
    this.#isGiven = true;
    const why = search === 'tree' ? 'the search can skip little' : 'every row must be compared with all others';
    const fewer = this.#rows > ENOUGH ? `--sample ${ENOUGH} fits on a sample and scores all rows; ` : '';
    const inexact = 'for knn, lof and cad, --approximate may miss neighbours, within a bound';
    this.#terminal.note(
      `about ${duration(remaining)} left, as these rows have little structure: ${why}. ${fewer}${inexact}`,
    );
  }
}
