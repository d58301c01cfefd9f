// The lines of Table 3: for each data set the time, the share kept, and each model at each share; in each line
// a cell for each method, with what was measured by either protocol and what the paper prints.
import type { Spread } from '../spread.js';
import { MODELS } from './evaluate.js';
import type { Measured } from './measure.js';
import type { Subject, Task } from './problems.js';
import { type Printed, publishedRanking, publishedRetaining, RANKING, RETAINING } from './published.js';
import { SHARES } from './selections.js';

/** What the numbers of a line are. */
export type Quantity = 'seconds' | 'kept' | 'accuracy' | 'error' | 'Rand index';

export interface Cell {
  readonly method: string;
  readonly defined: Spread | undefined;
  /** Undefined where it was not asked for, or is the same. */
  readonly asPublished: Spread | undefined;
  readonly paper: Printed | undefined;
}

export interface Line {
  readonly data: string;
  /** The model, 'seconds' or 'kept'. */
  readonly what: string;
  /** In percent; undefined where it does not matter. */
  readonly share: number | undefined;
  readonly quantity: Quantity;
  readonly cells: readonly Cell[];
}

const QUANTITIES: Readonly<Record<Task, Quantity>> = {
  classification: 'accuracy',
  regression: 'error',
  clustering: 'Rand index',
};

/** The left half of the table: methods that rank. */
export function rankingLines({ name: data, task, published }: Subject, measured: readonly Measured[]): Line[] {
  const find = (method: string, share: number, isAsPublished: boolean) =>
    measured.find(
      (one) =>
        one.problem === data &&
        one.selection.method === method &&
        one.selection.share === share &&
        one.isAsPublished === isAsPublished,
    );
  const time = RANKING.map((method) => ({
    method,
    defined: meanOf(SHARES.map((share) => find(method, share, false)?.seconds)),
    asPublished: undefined,
    paper: publishedRanking(published, 'time', undefined, method),
  }));
  const scores = MODELS[task].flatMap((model) =>
    SHARES.map((share) => {
      const cells = RANKING.map((method) => ({
        method,
        defined: find(method, share, false)?.scores[model],
        asPublished: find(method, share, true)?.scores[model],
        paper: publishedRanking(published, model, share, method),
      }));
      return { data, what: model, share, quantity: QUANTITIES[task], cells };
    }),
  );
  return [{ data, what: 'seconds', share: undefined, quantity: 'seconds', cells: time }, ...scores];
}

/** The right half: methods that decide what stays, and no reduction. */
export function retainingLines({ name: data, task, published }: Subject, measured: readonly Measured[]): Line[] {
  const find = (method: string, isAsPublished: boolean) =>
    measured.find(
      (one) =>
        one.problem === data &&
        one.selection.method === method &&
        one.selection.share === undefined &&
        one.isAsPublished === isAsPublished,
    );
  const line = (
    what: string,
    printedAs: string,
    quantity: Quantity,
    pick: (one: Measured | undefined) => Spread | undefined,
  ): Line => {
    const cells = RETAINING.map((method) => ({
      method,
      defined: pick(find(method, false)),
      asPublished: quantity === 'seconds' ? undefined : pick(find(method, true)),
      paper: publishedRetaining(published, printedAs, method),
    }));
    return { data, what, share: undefined, quantity, cells };
  };
  return [
    line('seconds', 'time', 'seconds', (one) => one?.seconds),
    line('kept', 'kept', 'kept', (one) => (one?.selection.method === 'NR' ? undefined : one?.kept)),
    ...MODELS[task].map((model) => line(model, model, QUANTITIES[task], (one) => one?.scores[model])),
  ];
}

/** Of the same call at several shares. */
function meanOf(spreads: ReadonlyArray<Spread | undefined>): Spread | undefined {
  const known = spreads.filter((spread) => spread !== undefined);
  if (known.length === 0) return undefined;
  const mean = (pick: (spread: Spread) => number) => known.reduce((sum, one) => sum + pick(one), 0) / known.length;
  return { mean: mean((one) => one.mean), std: mean((one) => one.std) };
}
