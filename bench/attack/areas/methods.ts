// Every detector on tables on which methods break: WebAssembly beside the js backend, one row beside all, a file beside
// its model, a table beside a matrix, to the bit; and beside the definitions, with plain loops, where those can tell.
import { load } from 'curvad';
import type { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, codeOf, promise } from '../attack.js';
import { type AnyDetector, type DrawnDetector, drawDetector, fewerOptions, makeDetector, same } from '../detectors.js';
import { type Drawn, drawTable, type Table } from '../tables.js';
import { checkDefinition } from '../truth.js';
import { chance, shorter } from '../values.js';

interface Plan {
  readonly detector: DrawnDetector;
  readonly table: Drawn;
  /** Which promise is looked at beside the backends. */
  readonly question: number;
}

/** What a fit gave: all of it must be the same. */
interface Outcome {
  readonly ending: string;
  readonly scores: ArrayLike<number>;
  readonly threshold: number;
  readonly fresh: ArrayLike<number>;
}

const QUESTIONS = 6;

class Methods implements Attack<Plan> {
  draw(random: Random): Plan {
    const isLarge = chance(random, 0.05);
    const first = drawDetector(random);
    return {
      // Its fit takes as long as twenty others.
      detector: first.kind === 'EllipticEnvelope' ? drawDetector(random) : first,
      table: drawTable(random, isLarge ? 700 : 60, isLarge ? 60 : 9),
      question: random.integer(QUESTIONS),
    };
  }

  run({ detector: drawn, table, question }: Plan): string {
    using detector = makeDetector(drawn, 'wasm');
    using other = makeDetector(drawn, 'js');
    const [outcome, reference] = [fitted(detector, table), fitted(other, table)];
    compare('js', outcome, reference);
    if (outcome.ending !== 'fitted') return outcome.ending;
    promise(
      Array.from(outcome.scores).every(Number.isFinite) && Array.from(outcome.fresh).every(Number.isFinite),
      () => 'a score is not finite',
    );
    if (question === 0) checkAlone(detector, table.fresh, outcome.fresh);
    if (question === 1) checkFile(detector, table, outcome);
    if (question === 2) checkShapes(drawn, table, outcome);
    if (question === 3) checkOutput(detector, table.fresh, outcome.fresh);
    if (question >= 4) checkDefinition(drawn, table, outcome);
    return 'fitted';
  }

  *smaller(plan: Plan): Generator<Plan> {
    for (const rows of shorter(plan.table.rows, 1)) yield { ...plan, table: { ...plan.table, rows } };
    for (const fresh of shorter(plan.table.fresh, 1)) yield { ...plan, table: { ...plan.table, fresh } };
    for (const detector of fewerOptions(plan.detector)) yield { ...plan, detector };
    for (let j = 0; j < (plan.table.rows[0]?.length ?? 0); j++) {
      const without = (table: Table): Table => table.map((row) => row.filter((_, column) => column !== j));
      const { rows, fresh } = plan.table;
      yield { ...plan, table: { ...plan.table, rows: without(rows), fresh: without(fresh) } };
    }
  }
}

/** Fits and scores; an error of the fresh rows is a part of the outcome. */
function fitted(detector: AnyDetector, { rows, fresh }: Drawn): Outcome {
  try {
    detector.fit(rows);
  } catch (error) {
    return { ending: codeOf(error), scores: [], threshold: 0, fresh: [] };
  }
  const { scores, threshold } = detector;
  let scored: ArrayLike<number>;
  try {
    scored = detector.score(fresh);
  } catch (error) {
    promise(codeOf(error) === 'VALUE_TOO_LARGE', () => `fresh rows are refused: ${(error as Error).message}`);
    scored = [];
  }
  return { ending: 'fitted', scores, threshold, fresh: scored };
}

function compare(what: string, a: Outcome, b: Outcome): void {
  promise(a.ending === b.ending, () => `${what} ends with ${b.ending} instead of ${a.ending}`);
  promise(same(a.scores, b.scores), () => `${what} has other scores: ${difference(a.scores, b.scores)}`);
  promise(Object.is(a.threshold, b.threshold), () => `${what} has the threshold ${b.threshold}, not ${a.threshold}`);
  promise(same(a.fresh, b.fresh), () => `${what} scores new rows otherwise: ${difference(a.fresh, b.fresh)}`);
}

function difference(a: ArrayLike<number>, b: ArrayLike<number>): string {
  const i = Array.from(a).findIndex((value, at) => !Object.is(value, b[at]));
  return `${b[i]} instead of ${a[i]} at ${i}`;
}

/** A row's score does not depend on what else is in the call. */
function checkAlone(detector: AnyDetector, fresh: Table, scores: ArrayLike<number>): void {
  if (scores.length === 0) return;
  const alone = fresh.map((row) => detector.score([row])[0] as number);
  promise(same(alone, scores), () => `alone, a row scores otherwise: ${difference(scores, alone)}`);
  const backwards = Array.from(detector.score([...fresh].reverse())).reverse();
  promise(same(backwards, scores), () => `in another order, a row scores otherwise: ${difference(scores, backwards)}`);
}

/** What was saved and loaded is the same. */
function checkFile(detector: AnyDetector, { fresh }: Drawn, outcome: Outcome): void {
  const bytes = detector.toBytes();
  for (const backend of ['wasm', 'js'] as const) {
    using again = load(bytes, { backend });
    const { scores, threshold } = again;
    const scored = outcome.fresh.length === 0 ? [] : again.score(fresh);
    compare(`loaded with ${backend}, it`, outcome, { ending: 'fitted', scores, threshold, fresh: scored });
    promise(same(again.toBytes(), bytes), () => 'saved again, it is another file');
  }
}

/** Rows may come as typed arrays, as one array, or with names. */
function checkShapes(drawn: DrawnDetector, { kind, rows, fresh }: Drawn, outcome: Outcome): void {
  const columns = rows[0]?.length ?? 0;
  const flat = (table: Table) => ({ data: Float64Array.from(table.flat()), rows: table.length, columns });
  const typed = (table: Table) => table.map((row) => Float64Array.from(row));
  const named = (table: Table) => table.map((row) => Object.fromEntries(row.map((value, j) => [`c${j}`, value])));
  for (const shape of [flat, typed, named]) {
    using detector = makeDetector(drawn);
    const shaped = { kind, rows: shape(rows) as unknown as Table, fresh: shape(fresh) as unknown as Table };
    compare(`as ${shape.name} rows, it`, outcome, fitted(detector, shaped));
  }
}

/** Scores into an array that is too long: the rest of it is left alone. */
function checkOutput(detector: AnyDetector, fresh: Table, scores: ArrayLike<number>): void {
  if (scores.length === 0) return;
  const output = new Float64Array(fresh.length + 2).fill(7);
  detector.scoreInto(fresh, output);
  promise(same(output.subarray(0, fresh.length), scores), () => 'scoreInto scores otherwise');
  promise(output.at(-1) === 7 && output.at(-2) === 7, () => 'scoreInto writes behind the last row');
}

export const methods: Area = {
  name: 'methods',
  about:
    'every detector has the same bits on each backend, alone, loaded and in every shape, and those of its definition',
  share: 14,
  patience: 120, // a solver without room for its cache
  begin: async () => attack(new Methods()),
};
