// The fit of detect: all rows, or a sample of them by which all are scored, with a bar that tells how long it takes, and
// what would be faster where that is long.
import { Random } from '../../core/random/random.js';
import type { AnyDetector, Progress as FitProgress } from '../../index.js';
import { EncodedTable } from '../../tables/reader.js';
import type { Arguments } from '../arguments.js';
import type { Input } from '../input.js';
import { duration, type Progress, type Terminal } from '../terminal.js';

export interface Fitting {
  readonly threads: number | undefined;
  /** Rows to fit on, drawn at random; all where it is undefined or there are no more. */
  readonly sample: number | undefined;
  readonly seed: number;
}

export interface FittedInput {
  /** Of all rows: those of the sample have their training scores. */
  readonly scores: Float64Array;
  readonly seconds: number;
  /** Rows that it was fitted on. */
  readonly rows: number;
}

/** Seconds from which on a word about faster ways is worth it. */
const LONG = 10;
/** What a row without shape costs at least, in nanoseconds of a processor. */
const SHAPELESS = 16_000;
/** How much of the search must be done before that can be told. */
const TRIED = 0.03;
/** Rows that --sample is named with. */
const ENOUGH = 100_000;
/** Rows below which a sample says too little. */
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
  /** Which rows of the matrix, ascending. */
  readonly indices: Uint32Array;
  readonly rows: EncodedTable;
}

/** Rows drawn at random, every choice equally likely; undefined where all would be. */
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

/** Says once, early, that a fit takes long because no search helps, and what does. */
class Advice {
  readonly #terminal: Terminal;
  readonly #progress: Progress;
  readonly #rows: number;
  readonly #cpu = process.cpuUsage();
  /** How far the fit was when the search began. */
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
    // Not by the clock: other programs do not make rows shapeless.
    const { user, system } = process.cpuUsage(this.#cpu);
    if (search === 'tree' && ((user + system) * 1e3) / done / this.#rows < SHAPELESS) return;
    this.#isGiven = true;
    const why =
      search === 'tree' ? 'the search can leave little out' : 'no search helps: every row is compared with all others';
    const fewer = this.#rows > ENOUGH ? `--sample ${ENOUGH} fits on so many rows and scores all; ` : '';
    const inexact = 'knn, lof and cad have --approximate, which may miss neighbours within a bound';
    this.#terminal.note(
      `about ${duration(remaining)} left, as these rows have little shape: ${why}. ${fewer}${inexact}`,
    );
  }
}
