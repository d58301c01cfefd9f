// Windows and series: rows as they come, with missing values and rows that are refused in between, saved and loaded in
// the middle. Scores go on as if nothing had happened, and a window's are those of a fit on its rows.
import { CAD, KNN, LandmarkCAD, LOF } from 'curvad';
import { SeriesDetector, SlidingWindow, type WindowDetector } from 'curvad/streams';
import type { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, codeOf, promise } from '../attack.js';
import { same } from '../detectors.js';
import { drawTable, type Table } from '../tables.js';
import { chance, EDGE_VALUES, pick, shorter } from '../values.js';

const KINDS = { CAD, KNN, LOF, LandmarkCAD };

interface Plan {
  readonly kind: keyof typeof KINDS | 'series';
  readonly standardize: boolean;
  readonly window: number;
  readonly rows: Table;
  /** After this row it is saved and loaded. */
  readonly savedAt: number;
  /** Something that is no row, before a row of a place. */
  readonly odd: { readonly at: number; readonly value: unknown };
}

type Stream = SlidingWindow | SeriesDetector;

class Streams implements Attack<Plan> {
  draw(random: Random): Plan {
    const { rows } = drawTable(random, 80, 4);
    return {
      kind: pick(random, ['CAD', 'KNN', 'LOF', 'LandmarkCAD', 'series']),
      standardize: chance(random, 0.3),
      window: 6 + random.integer(40),
      rows,
      savedAt: random.integer(rows.length),
      odd: { at: random.integer(rows.length), value: pick(random, EDGE_VALUES) },
    };
  }

  run(plan: Plan): string {
    const [plain, disturbed] = [this.#made(plan), this.#made(plan)];
    let other = disturbed;
    let refusals = 0;
    try {
      for (const [i, row] of plan.rows.entries()) {
        if (plan.odd.at === i) disturb(other, plan.odd.value, row.length);
        const [a, b] = [outcomeOf(plain, row), outcomeOf(other, row)];
        promise(Object.is(a, b), () => `row ${i} scores ${b} instead of ${a} after a row that is none, or a load`);
        promise(plain.isAlarm === other.isAlarm, () => `row ${i} is an alarm of one stream alone`);
        if (typeof a === 'string') refusals++;
        if (plan.savedAt === i) other = again(other);
      }
      if (plain instanceof SlidingWindow && plain.isReady) checkFit(plan, plain);
      promise(same(plain.toBytes(), other.toBytes()), () => 'two equal streams are saved as different files');
    } finally {
      for (const stream of [plain, disturbed, other]) if (stream instanceof SlidingWindow) stream.dispose();
    }
    return `${plan.kind}${refusals > 0 ? ', rows refused' : ''}`;
  }

  *smaller(plan: Plan): Generator<Plan> {
    for (const rows of shorter(plan.rows, 1)) yield { ...plan, rows };
    if (plan.standardize) yield { ...plan, standardize: false };
  }

  #made({ kind, standardize, window }: Plan): Stream {
    if (kind === 'series') return new SeriesDetector({ window, warmup: 5, memory: 30, neighbors: 3 });
    return new SlidingWindow(detectorOf(kind, standardize), { window, memory: 30, warmup: 5 });
  }
}

function detectorOf(kind: keyof typeof KINDS, standardize: boolean): WindowDetector {
  // The precision is said: a fit would find out, and a window cannot change its mind.
  return kind === 'LandmarkCAD'
    ? new LandmarkCAD({ landmarks: 4, neighbors: 3 })
    : new KINDS[kind]({ neighbors: 3, precision: 'double', standardize });
}

/** The score, or the code of the error. */
function outcomeOf(stream: Stream, row: readonly number[]): number | string {
  try {
    return stream.update(row);
  } catch (error) {
    return codeOf(error);
  }
}

/** Gives a stream what is no row of so many values: it must not be taken for one. */
function disturb(stream: Stream, value: unknown, columns: number): void {
  const bad = chanceOfRow(value) ? Array(columns).fill(null) : value;
  if (stream instanceof SeriesDetector && typeof bad === 'number') return;
  try {
    const score = stream.update(bad as never);
    promise(Number.isNaN(score), () => `${JSON.stringify(bad)} has the score ${score}`);
  } catch (error) {
    codeOf(error);
  }
}

/** Lists of numbers may be right: in their place a row without values is given. */
const chanceOfRow = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'length' in value && (value as { length: number }).length > 0;

function again(stream: Stream): Stream {
  const file = stream.toBytes();
  const loaded = stream instanceof SlidingWindow ? SlidingWindow.load(file) : SeriesDetector.load(file);
  promise(same(loaded.toBytes(), file), () => 'loaded and saved again, a stream is another file');
  return loaded;
}

/** A window scores as the detector that was fitted on its rows. */
function checkFit({ kind, standardize, rows }: Plan, window: SlidingWindow): void {
  if (kind === 'series' || kind === 'LandmarkCAD') return; // its landmarks are drawn by the order of rows
  // A fit moves columns with far values by their medians; a window does not (docs/streams.md).
  if (rows.flat().some((value) => Math.abs(value) > 1e9)) return;
  const columns = window.columns as number;
  using fitted = detectorOf(kind, standardize);
  const row = rows[0] as number[];
  let expected: Float64Array;
  try {
    fitted.fit({ data: window.rows(), rows: window.count, columns });
    expected = fitted.score([row]);
  } catch (error) {
    codeOf(error);
    return;
  }
  promise(isNear(window.score([row])[0] as number, expected[0] as number), () => {
    return `a window scores ${window.score([row])[0]}, a fit on its rows ${expected[0]}`;
  });
}

const isNear = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

export const streams: Area = {
  name: 'streams',
  about: 'windows and series go on with the same scores when they are saved, loaded, and given what is no row',
  share: 6,
  begin: async () => attack(new Streams()),
};
