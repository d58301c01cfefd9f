// The solver's memory and its calls. Everything lies in one segment that is given back when it is done; most
// of it holds kernel rows, as f32. Where the rows of all support vectors fit, sums are taken from them;
// otherwise they are computed anew, to the same bits.
//
//   frame | panels | squares | α | gradient | diagonal | pairs | tile | support | sums | slots | kernel rows
import { CurvadError } from '../errors.js';
import {
  type Problem,
  patienceFor,
  reachableTolerance,
  rowsAt,
  type Solution,
  sumInSteps,
  supportOf,
} from '../svm-problem.js';
import type { Arena, Segment } from './arena.js';
import { type Exports, NONE, SmoStatus, SVM_PANEL_WIDTH, SvmFrame as SvmFrameLayout } from './contract.js';
import { type Core, coreFor, giveBack } from './core.js';
import { type Layout, layOut } from './layout.js';
import { MemoryRecord } from './record.js';
import { WasmSupportVectors } from './support-vectors.js';
import { fillPanels, frameFor, padded, type SvmFrame } from './svm-frame.js';

/** Kernel rows needed at once: two being used, and two being made. */
const FEWEST_SLOTS = 4;
/** Products in one call: a few milliseconds. */
const BUDGET = 2e7;
/** What a kernel value costs beside its columns, and what adding it to a sum does, in products. */
const KERNEL_COST = 30;
const ADDING_COST = 4;
/** Steps are counted in 32 bits. */
const MOST_ITERATIONS = 2 ** 32 - 2;

export function* solve(shared: Core, problem: Problem): Generator<undefined, Solution> {
  const { kernel, alphas, columns, cacheSize } = problem;
  const frame = frameFor(kernel, alphas.length, columns);
  const core = coreFor(shared, Math.min(cacheSize, 4 * alphas.length ** 2));
  const segment = allocate(core.arena, frame, cacheSize);
  try {
    return yield* new Solver(core, problem, frame, segment.start).solve();
  } finally {
    core.arena.free(segment);
    if (core !== shared) giveBack(core);
  }
}

/** Takes as many kernel rows as the cache holds, or fewer where there is no room for them. */
function allocate(arena: Arena, frame: SvmFrame, cacheSize: number): Segment {
  const wanted = Math.floor(cacheSize / (padded(frame.count) * 4));
  let slots = Math.max(FEWEST_SLOTS, Math.min(wanted, frame.count));
  for (;;) {
    const layout = layOutProblem(frame, slots);
    try {
      const segment = arena.allocate(layout.total);
      frame.slots = slots;
      Object.assign(frame, layout.at(segment.start));
      return segment;
    } catch (error) {
      const isMemory = error instanceof CurvadError && error.code === 'OUT_OF_MEMORY';
      if (!isMemory || slots === FEWEST_SLOTS) throw error;
      slots = Math.max(FEWEST_SLOTS, slots >> 1);
    }
  }
}

function layOutProblem({ count, columns }: SvmFrame, slots: number): Layout<keyof SvmFrame> {
  const vector = padded(count) * 8;
  const sizes: Partial<SvmFrame> = {
    panels: vector * columns,
    squares: vector,
    coefficients: vector,
    gradients: vector,
    diagonal: vector,
    pairs: columns * 16,
    tile: SVM_PANEL_WIDTH * 16,
    support: count * 4,
    evenSums: vector,
    oddSums: vector,
    slotOf: count * 4,
    pointOf: slots * 4,
    lastUses: slots * 4,
    rows: slots * padded(count) * 4,
  };
  return layOut(sizes, SvmFrameLayout.size);
}

class Solver {
  readonly #core: Core;
  readonly #loops: Exports;
  readonly #problem: Problem;
  readonly #frame: SvmFrame;
  /** Where the frame lies. */
  readonly #at: number;
  readonly #record: MemoryRecord<typeof SvmFrameLayout>;

  constructor(core: Core, problem: Problem, frame: SvmFrame, at: number) {
    this.#core = core;
    this.#loops = core.loops;
    this.#problem = problem;
    this.#frame = frame;
    this.#at = at;
    this.#record = new MemoryRecord(core.arena, SvmFrameLayout, at);
    this.#fill();
  }

  *solve(): Generator<undefined, Solution> {
    const { kernel, alphas, tolerance, maxIterations } = this.#problem;
    const { arena } = this.#core;
    const frame = this.#frame;
    const start = yield* this.#sums();
    arena.reals.set(
      start.map((sum) => sum * kernel.unit),
      frame.gradients / 8,
    );
    this.#update({
      tolerance: reachableTolerance(tolerance, start) * kernel.unit,
      bestGap: Infinity,
      patience: patienceFor(frame.count),
    });
    this.#loops.startSmo(this.#at);
    const limit = Math.min(maxIterations, MOST_ITERATIONS);
    while (this.#loops.iterateSmo(this.#at, limit, BUDGET) === SmoStatus.RUNNING && this.#iterations < limit) yield;
    const coefficients = frame.coefficients / 8;
    alphas.set(arena.reals.subarray(coefficients, coefficients + frame.count));
    const iterations = this.#iterations;
    return { sums: yield* this.#sums(), iterations };
  }

  get #iterations(): number {
    return this.#record.word('iterations');
  }

  /** Changes fields of the frame; the module's own counters stay as they are. */
  #update(fields: Partial<SvmFrame>): void {
    for (const name of ['slotsUsed', 'clock', 'iterations'] as const) {
      this.#frame[name] = this.#record.word(name);
    }
    Object.assign(this.#frame, fields);
    this.#record.write(this.#frame);
  }

  #fill(): void {
    const frame = this.#frame;
    const { arena } = this.#core;
    fillPanels(arena, frame, this.#problem.rows);
    const { reals, words } = arena;
    const length = padded(frame.count);
    // Padding can neither grow nor shrink.
    reals.fill(Number.NaN, frame.coefficients / 8, frame.coefficients / 8 + length);
    reals.set(this.#problem.alphas, frame.coefficients / 8);
    reals.fill(0, frame.gradients / 8, frame.gradients / 8 + length);
    reals.fill(0, frame.diagonal / 8, frame.diagonal / 8 + length);
    words.fill(NONE, frame.slotOf / 4, frame.slotOf / 4 + frame.count);
    words.fill(0, frame.rows / 4, frame.rows / 4 + length);
    this.#record.write(frame);
    this.#loops.prepareDiagonal(this.#at);
  }

  /** Σ_j α_j k(x_i, x_j) of every row. */
  *#sums(): Generator<undefined, Float64Array> {
    const support = supportOf(this.#problem.alphas);
    return yield* support.length <= this.#frame.slots ? this.#sumsOfRows(support) : this.#sumsAnew(support);
  }

  *#sumsOfRows(support: Uint32Array): Generator<undefined, Float64Array> {
    const frame = this.#frame;
    const { arena } = this.#core;
    const length = padded(frame.count);
    arena.words.set(support, frame.support / 4);
    for (const at of [frame.evenSums / 8, frame.oddSums / 8]) arena.reals.fill(0, at, at + length);
    this.#update({ supportCount: support.length });
    this.#loops.touchSupport(this.#at);
    const { keepSupport, sumKernelRows } = this.#loops;
    yield* this.#inParts(support.length, length * (frame.columns + KERNEL_COST), keepSupport);
    yield* this.#inParts(support.length, length * ADDING_COST, sumKernelRows);
    const { reals } = arena;
    const [even, odd] = [frame.evenSums / 8, frame.oddSums / 8];
    return Float64Array.from(
      this.#problem.alphas,
      (_, i) => ((reals[even + i] as number) + (reals[odd + i] as number)) / frame.unit,
    );
  }

  /** Calls a loop over support vectors in steps of eight or more, each within the budget. */
  *#inParts(
    count: number,
    cost: number,
    loop: (frame: number, from: number, to: number) => void,
  ): Generator<undefined, void> {
    const part = Math.max(SVM_PANEL_WIDTH, padded(Math.floor(BUDGET / cost)));
    for (let from = 0; from < count; from += part) {
      loop(this.#at, from, Math.min(from + part, count));
      yield;
    }
  }

  *#sumsAnew(support: Uint32Array): Generator<undefined, Float64Array> {
    const { rows: data, columns, kernel, alphas } = this.#problem;
    const coefficients = Float64Array.from(support, (index) => alphas[index] as number);
    const vectors = new WasmSupportVectors(this.#core, rowsAt(data, columns, support), columns, coefficients, kernel);
    const sums = new Float64Array(alphas.length);
    try {
      yield* sumInSteps(vectors, data, sums);
    } finally {
      vectors.release();
    }
    return sums;
  }
}
