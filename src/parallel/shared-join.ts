// A join of points that several threads make: each visits some pairs of blocks and collects candidates for all
// points; then every point is settled by one thread, among the candidates that all of them collected.
import type { Candidates, PointsJoin } from '../core/backend.js';
import { type Control, handOut } from './hand-out.js';
import type { Colleague } from './pool.js';
import type { PointsTask, Work } from './work.js';

/** How far a join is when its first visits are made, and all of them. */
const HOMES = 0.1;
const COLLECTED = 0.9;
/** What it costs to settle a point, in multiplications for each column. */
const SETTLING = 40;

export interface SharedJoin extends PointsTask {
  readonly join: PointsJoin;
  readonly key: number;
  /** Has a thread hold the points. */
  hold(thread: Colleague): Promise<void>;
}

export async function joinInThreads(
  run: Control,
  threads: readonly Colleague[],
  { cost, progress: [before, after] }: Work,
  { points, join, question, k, key, hold, take }: SharedJoin,
): Promise<void> {
  const { homes, visits, block } = join;
  const place = (share: number): number => before + (after - before) * share;
  const visit = (first: number) => async (thread: Colleague, from: number, to: number) => {
    await thread.call({ task: 'visit', key, k, from: first + from, to: first + to }).reply;
    return () => {};
  };
  const begin = async (thread: Colleague): Promise<void> => {
    await hold(thread);
    await thread.call({ task: 'visit', key, k, from: 0, to: 0 }).reply;
  };
  const first = { rows: homes, cost, progress: [before, place(HOMES)] } as const;
  await handOut(run, threads, first, 1, begin, visit(0));
  const known = await Promise.all(threads.map((thread) => thread.call({ task: 'bounds', key }).reply));
  const others = { rows: visits - homes, cost, progress: [place(HOMES), place(COLLECTED)] } as const;
  await handOut(run, threads, others, 1, (thread) => thread.call({ task: 'limit', key, known }).reply, visit(homes));
  const lists = await Promise.all(threads.map((thread) => thread.call({ task: 'gather', key }).reply));
  run.signal?.throwIfAborted();
  const offsets = lists.map(({ counts }) => blockOffsets(counts, block));
  const perBlock = SETTLING * block * points.columns;
  const settling = {
    rows: Math.ceil(points.count / block),
    cost: perBlock,
    progress: [place(COLLECTED), after],
  } as const;
  await handOut(
    run,
    threads,
    settling,
    1,
    async () => {},
    async (thread, from, to) => {
      const [first, end] = [from * block, Math.min(points.count, to * block)];
      const parts = lists.map(
        (list, i): Candidates => ({
          bounds: list.bounds.slice(first, end),
          counts: list.counts.slice(first, end),
          indices: list.indices.slice(offsets[i]?.[from], offsets[i]?.[to]),
        }),
      );
      const transfer = parts.flatMap(({ bounds, counts, indices }) => [bounds.buffer, counts.buffer, indices.buffer]);
      const message = { task: 'settle', key, question, k, from: first, to: end, lists: parts } as const;
      const answers = await thread.call(message, transfer as ArrayBuffer[]).reply;
      return () => take(first, answers);
    },
  );
}

/** Where the candidates of each block begin, and where those of the last end. */
function blockOffsets(counts: Uint32Array, block: number): number[] {
  const offsets = [0];
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    sum += counts[i] as number;
    if ((i + 1) % block === 0 || i + 1 === counts.length) offsets.push(sum);
  }
  return offsets;
}
