// The solver's memory and calls. Everything is in one segment that is freed at the end; most of it stores kernel rows, as
// f32. If the rows of all support vectors fit, sums are computed from them; otherwise kernel values are recomputed, to the
// same bits.
//
//   call | panels | squares | α | gradient | diagonal | pairs | tile | support | sums | slots | kernel rows

import { CurvadError } from '../../errors.js';
import type { Steps } from '../../steps.js';
import {
  type Problem,
  patienceFor,
  reachableTolerance,
  rowsAt,
  type Solution,
  sumOfRows,
  supportOf,
} from '../../svm/problem.js';
import { type Exports, NONE, SmoStatus, SVM_PANEL_WIDTH, SvmCall as SvmCallLayout } from '../contract.js';
import { type Core, coreFor, giveBack } from '../core.js';
import type { Arena, Segment } from '../memory/arena.js';
import { type Layout, layOut } from '../memory/layout.js';
import { MemoryRecord } from '../memory/record.js';
import { WasmSupportVectors } from './support-vectors.js';
import { callFor, fillPanels, padded, type SvmCall } from './svm-call.js';

/** Kernel rows needed at once: two being used, and two being made. */
const FEWEST_SLOTS = 4;
/** Products in one call: a few milliseconds. */
const BUDGET = 2e7;
/** Extra cost of a kernel value, and cost of adding it to a sum, in products. */
const KERNEL_COST = 30;
const ADDING_COST = 4;
/** Steps are counted in 32 bits. */
const MOST_ITERATIONS = 2 ** 32 - 2;

export function* solve(shared: Core, problem: Problem): Steps<Solution> {
  const { kernel, alphas, columns, cacheSize } = problem;
  const call = callFor(kernel, alphas.length, columns);
  const core = coreFor(shared, Math.min(cacheSize, 4 * alphas.length ** 2));
  const segment = allocate(core.arena, call, cacheSize);
  try {
    return yield* new Solver(core, problem, call, segment.start).solve();
  } finally {
    core.arena.free(segment);
    if (core !== shared) giveBack(core);
  }
}

/** Allocates as many kernel rows as the cache size allows, or fewer if memory is short. */
function allocate(arena: Arena, call: SvmCall, cacheSize: number): Segment {
  const wanted = Math.floor(cacheSize / (padded(call.count) * 4));
  let slots = Math.max(FEWEST_SLOTS, Math.min(wanted, call.count));
  for (;;) {
    const layout = layOutProblem(call, slots);
    try {
      const segment = arena.allocate(layout.total);
      call.slots = slots;
      Object.assign(call, layout.at(segment.start));
      return segment;
    } catch (error) {
      const isMemory = error instanceof CurvadError && error.code === 'OUT_OF_MEMORY';
      if (!isMemory || slots === FEWEST_SLOTS) throw error;
      slots = Math.max(FEWEST_SLOTS, slots >> 1);
    }
  }
}

function layOutProblem({ count, columns }: SvmCall, slots: number): Layout<keyof SvmCall> {
  const vector = padded(count) * 8;
  const sizes: Partial<SvmCall> = {
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
  return layOut(sizes, SvmCallLayout.size);
}

class Solver {
  readonly #core: Core;
  readonly #loops: Exports;
  readonly #problem: Problem;
  readonly #call: SvmCall;
  /** The address of the record. */
  readonly #at: number;
  readonly #record: MemoryRecord<typeof SvmCallLayout>;

  constructor(core: Core, problem: Problem, call: SvmCall, at: number) {
    this.#core = core;
    this.#loops = core.loops;
    this.#problem = problem;
    this.#call = call;
    this.#at = at;
    this.#record = new MemoryRecord(core.arena, SvmCallLayout, at);
    this.#fill();
  }

  *solve(): Steps<Solution> {
    const { kernel, alphas, tolerance, maxIterations } = this.#problem;
    const { arena } = this.#core;
    const call = this.#call;
    const start = yield* this.#sums();
    arena.reals.set(
      start.map((sum) => sum * kernel.unit),
      call.gradients / 8,
    );
    this.#update({
      tolerance: reachableTolerance(tolerance, start) * kernel.unit,
      bestGap: Infinity,
      patience: patienceFor(call.count),
    });
    this.#loops.startSmo(this.#at);
    const limit = Math.min(maxIterations, MOST_ITERATIONS);
    while (this.#loops.iterateSmo(this.#at, limit, BUDGET) === SmoStatus.RUNNING && this.#iterations < limit) yield;
    const coefficients = call.coefficients / 8;
    alphas.set(arena.reals.subarray(coefficients, coefficients + call.count));
    const iterations = this.#iterations;
    return { sums: yield* this.#sums(), iterations };
  }

  get #iterations(): number {
    return this.#record.word('iterations');
  }

  /** Changes fields of the record; the module's own counters are kept. */
  #update(fields: Partial<SvmCall>): void {
    for (const name of ['slotsUsed', 'clock', 'iterations'] as const) {
      this.#call[name] = this.#record.word(name);
    }
    Object.assign(this.#call, fields);
    this.#record.write(this.#call);
  }

  #fill(): void {
    const call = this.#call;
    const { arena } = this.#core;
    fillPanels(arena, call, this.#problem.rows);
    const { reals, words } = arena;
    const length = padded(call.count);
    // Padding can neither grow nor shrink.
    reals.fill(Number.NaN, call.coefficients / 8, call.coefficients / 8 + length);
    reals.set(this.#problem.alphas, call.coefficients / 8);
    reals.fill(0, call.gradients / 8, call.gradients / 8 + length);
    reals.fill(0, call.diagonal / 8, call.diagonal / 8 + length);
    words.fill(NONE, call.slotOf / 4, call.slotOf / 4 + call.count);
    words.fill(0, call.rows / 4, call.rows / 4 + length);
    this.#record.write(call);
    this.#loops.prepareDiagonal(this.#at);
  }

  /** Σ_j α_j k(x_i, x_j) of every row. */
  *#sums(): Steps<Float64Array> {
    const support = supportOf(this.#problem.alphas);
    return yield* support.length <= this.#call.slots ? this.#sumsOfRows(support) : this.#sumsAnew(support);
  }

  *#sumsOfRows(support: Uint32Array): Steps<Float64Array> {
    const call = this.#call;
    const { arena } = this.#core;
    const length = padded(call.count);
    arena.words.set(support, call.support / 4);
    for (const at of [call.evenSums / 8, call.oddSums / 8]) arena.reals.fill(0, at, at + length);
    this.#update({ supportCount: support.length });
    this.#loops.touchSupport(this.#at);
    const { keepSupport, sumKernelRows } = this.#loops;
    yield* this.#inParts(support.length, length * (call.columns + KERNEL_COST), keepSupport);
    yield* this.#inParts(support.length, length * ADDING_COST, sumKernelRows);
    const { reals } = arena;
    const [even, odd] = [call.evenSums / 8, call.oddSums / 8];
    return Float64Array.from(
      this.#problem.alphas,
      (_, i) => ((reals[even + i] as number) + (reals[odd + i] as number)) / call.unit,
    );
  }

  /** Calls a loop over support vectors in steps of a multiple of eight, each within the budget. */
  *#inParts(count: number, cost: number, loop: (call: number, from: number, to: number) => void): Steps<void> {
    const part = Math.max(SVM_PANEL_WIDTH, padded(Math.floor(BUDGET / cost)));
    for (let from = 0; from < count; from += part) {
      loop(this.#at, from, Math.min(from + part, count));
      yield;
    }
  }

  *#sumsAnew(support: Uint32Array): Steps<Float64Array> {
    const { rows: data, columns, kernel, alphas } = this.#problem;
    const coefficients = Float64Array.from(support, (index) => alphas[index] as number);
    const vectors = new WasmSupportVectors(this.#core, rowsAt(data, columns, support), columns, coefficients, kernel);
    const sums = new Float64Array(alphas.length);
    try {
      yield* sumOfRows(vectors, data, sums);
    } finally {
      vectors.release();
    }
    return sums;
  }
}
