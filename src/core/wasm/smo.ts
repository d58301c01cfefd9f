// The solver's memory and its calls. Everything lies in one segment that is given back when it is done; what
// is left of the cache after the points goes to kernel rows, which are kept as f32.
//
//   frame | panels | squares | α | gradient | diagonal | pairs | tile | slots | kernel rows
import { CurvadError } from '../errors.js';
import { type Problem, squaresOf, unitOf } from '../svm-problem.js';
import type { Segment } from './arena.js';
import type { Core } from './core.js';
import {
  fillPanels,
  frameFor,
  layOutSvm,
  PANEL,
  padded,
  readField,
  type SvmFrame,
  type SvmLayout,
  type SvmLoops,
  writeSvmFrame,
} from './svm-frame.js';

/** Kernel rows needed at once: two being used, and two being made. */
const FEWEST_SLOTS = 4;
const NONE = 0xffffffff;
/** Products in one call: a few milliseconds. */
const BUDGET = 2e7;
const RUNNING = 0;
/** Steps are counted in 32 bits. */
const MOST_ITERATIONS = 2 ** 32 - 2;

export function solve(core: Core, problem: Problem): number {
  const { arena } = core;
  const loops = core.exports as unknown as SvmLoops;
  const frame = frameFor(problem.kernel, problem.rows, problem.columns);
  frame.unit = unitOf(problem.kernel, squaresOf(problem.rows, problem.columns));
  frame.tolerance = problem.tolerance * frame.unit;
  const segment = allocate(core, frame, problem.cacheSize);
  try {
    fill(core, frame, problem);
    const { start } = segment;
    writeSvmFrame(arena, start, frame);
    loops.prepareDiagonal(start);
    loops.startSmo(start);
    const limit = Math.min(problem.maxIterations, MOST_ITERATIONS);
    while (loops.iterateSmo(start, limit, BUDGET) === RUNNING && readField(arena, start, 'iterations') < limit);
    const at = frame.coefficients / 8;
    problem.alphas.set(arena.reals.subarray(at, at + frame.count));
    return readField(arena, start, 'iterations');
  } finally {
    arena.free(segment);
  }
}

/** Takes as many kernel rows as the cache holds, or fewer where there is no room for them. */
function allocate({ arena }: Core, frame: SvmFrame, cacheSize: number): Segment {
  const wanted = Math.floor(cacheSize / (padded(frame.count) * 4));
  for (
    let slots = Math.max(FEWEST_SLOTS, Math.min(wanted, frame.count));
    ;
    slots = Math.max(FEWEST_SLOTS, slots >> 1)
  ) {
    const layout = layOut(frame, slots);
    try {
      const segment = arena.allocate(layout.total);
      frame.slots = slots;
      layout.place(frame, segment.start);
      return segment;
    } catch (error) {
      const isMemory = error instanceof CurvadError && error.code === 'OUT_OF_MEMORY';
      if (!isMemory || slots === FEWEST_SLOTS) throw error;
    }
  }
}

function layOut({ count, columns }: SvmFrame, slots: number): SvmLayout {
  const vector = padded(count) * 8;
  return layOutSvm({
    panels: vector * columns,
    squares: vector,
    coefficients: vector,
    gradients: vector,
    diagonal: vector,
    pairs: columns * 16,
    tile: PANEL * 16,
    slotOf: count * 4,
    pointOf: slots * 4,
    lastUses: slots * 4,
    rows: slots * padded(count) * 4,
  });
}

function fill({ arena }: Core, frame: SvmFrame, { rows, alphas, gradient }: Problem): void {
  fillPanels(arena, frame, rows);
  const { reals, words } = arena;
  const length = padded(frame.count);
  // Padding can neither grow nor shrink.
  reals.fill(Number.NaN, frame.coefficients / 8, frame.coefficients / 8 + length);
  reals.set(alphas, frame.coefficients / 8);
  reals.fill(0, frame.gradients / 8, frame.gradients / 8 + length);
  reals.set(
    gradient.map((value) => value * frame.unit),
    frame.gradients / 8,
  );
  reals.fill(0, frame.diagonal / 8, frame.diagonal / 8 + length);
  words.fill(NONE, frame.slotOf / 4, frame.slotOf / 4 + frame.count);
  words.fill(0, frame.rows / 4, frame.rows / 4 + length);
}
