// The selections behind the published cells, where the released program departs from what it means to do: the
// lists of the rows of the classes are one shared list. What is decided about the i-th row of any class is
// written to the i-th training row, counted class after class: so that mostly rows of the first class are
// judged, by decisions about others. PSA loses its order by several defects at once, which amounts to drawing
// rows of each class at random. DROP3 is a variant (released-drop3.ts).
import { selectRows } from '../models/model.js';
import { RandomState } from '../numpy-random.js';
import { SEED } from './evaluate.js';
import type { Problem } from './problems.js';
import { releasedDrop3 } from './released-drop3.js';
import { type Selection, select } from './selections.js';

/** Neighbours that vote in DROP3. */
const VOTERS = 3;

/** How the program comes to its decisions: by marking rows that stay, or by striking out rows that go. */
type Marking = 'staying' | 'going';

/** Undefined where the program does what it means to do, as far as is known. */
function departureOf({ task }: Problem, { method, share }: Selection): Marking | 'random' | 'variant' | undefined {
  if (task !== 'classification') return undefined;
  if (share !== undefined) return method === 'SE' ? 'going' : method === 'PSA' ? 'random' : undefined;
  if (method === 'DROP3') return 'variant';
  return method === 'iCAD' || method === 'K-iCAD rbf' || method === 'K-iCAD poly' ? 'staying' : undefined;
}

/** Whether the released program departs from the definition here. */
export function isImitated(problem: Problem, selection: Selection): boolean {
  return departureOf(problem, selection) !== undefined;
}

/** The rows that the released program keeps of the training rows. */
export function selectAsPublished(problem: Problem, selection: Selection, train: Uint32Array): Uint32Array {
  const departure = departureOf(problem, selection);
  if (departure === 'variant' && problem.task === 'classification') return variantOfDrop3(problem, train);
  const kept = select(problem, selection, train);
  if (departure === undefined || departure === 'variant' || problem.task === 'regression') return kept;
  if (departure === 'random') return asManyAtRandom(kept, train, problem.labels);
  return onSharedList(kept, train, problem.labels, departure);
}

function variantOfDrop3({ X, labels }: Extract<Problem, { X: unknown; labels: unknown }>, train: Uint32Array) {
  const own = Array.from(train, (row) => labels[row] as number);
  return Uint32Array.from(releasedDrop3(selectRows(X, train), own, VOTERS), (place) => train[place] as number);
}

/** As many rows of each class as were kept. */
function asManyAtRandom(kept: Uint32Array, train: Uint32Array, labels: ArrayLike<number>): Uint32Array {
  const left = new Map<number, number>();
  for (const row of kept) left.set(labels[row] as number, (left.get(labels[row] as number) ?? 0) + 1);
  const drawn = new RandomState(SEED).permutation(train.length).map((place) => train[place] as number);
  return drawn.filter((row) => {
    const count = left.get(labels[row] as number) ?? 0;
    left.set(labels[row] as number, count - 1);
    return count > 0;
  });
}

/** What becomes of a correct selection on a shared list. */
export function onSharedList(
  kept: Uint32Array,
  train: Uint32Array,
  labels: ArrayLike<number>,
  marking: Marking,
): Uint32Array {
  const classes = [...new Set(Array.from(train, (row) => labels[row] as number))].sort((a, b) => a - b);
  const members = classes.map((label) => train.filter((row) => labels[row] === label));
  const isKept = new Set(kept);
  // Where all rows are out at first, a later class overwrites; where all are in, what one strikes out stays out.
  const stays = new Array<boolean>(train.length).fill(marking === 'going');
  for (const rows of members) {
    rows.forEach((row, place) => {
      stays[place] = isKept.has(row) && (marking === 'staying' || (stays[place] as boolean));
    });
  }
  const grouped = members.flatMap((rows) => Array.from(rows));
  return Uint32Array.from(grouped.filter((_, place) => stays[place]));
}
