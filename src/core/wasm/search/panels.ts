// What a search needs of points beside their rows is made in calls of a few milliseconds: panels, for a search that
// looks at all of them. For a tree see tree.ts.
import { inBlocks, type Steps } from '../../steps.js';
import { type Exports, PANEL_WIDTH } from '../contract.js';
import type { Arena } from '../memory/arena.js';
import type { SearchCall } from './search-call.js';

/** Points in memory, and a way to call the core about them: they may have moved out by then. */
export interface Maker {
  readonly loops: Exports;
  readonly searchCall: SearchCall;
  /** Where the core reads what it is told of them. */
  readonly call: number;
  readonly step: (work: () => void) => void;
  readonly arena: Arena;
}

export function* makePanels({ loops, searchCall, call, step }: Maker): Steps<void> {
  const { count, columns } = searchCall;
  searchCall.unit = 0;
  yield* inBlocks(count, columns, (from, to) => step(() => loops.findScale(call, from, to)));
  // In whole panels, of which none has more than 16 points.
  yield* inBlocks(Math.ceil(count / PANEL_WIDTH), PANEL_WIDTH * columns, (from, to) =>
    step(() => loops.packPoints(call, PANEL_WIDTH * from, Math.min(PANEL_WIDTH * to, count))),
  );
}
