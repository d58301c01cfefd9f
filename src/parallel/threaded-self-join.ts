// A self-join by several threads. The points are split into parts, which are paired round-robin, so that no two threads
// work on the same part at the same time. The candidates of a part go with it from thread to thread, so every thread has
// the best bounds known so far and collects nothing twice.

import type { JoinPart, SelfJoin } from '../core/backend.js';
import { along, type Work } from '../core/steps.js';
import { AHEAD, type Control, orAborted } from './hand-out.js';
import type { WorkerHandle } from './pool.js';
import type { PointsTask } from './work.js';

/** Most multiplications for a pair of parts: about ten milliseconds. */
const MEETING = 4e8;
/** Parts for each thread if there are enough points, so that a free pair is always available. */
const PARTS = 5;

export interface SelfJoinTask extends PointsTask {
  readonly join: SelfJoin;
  readonly key: number;
  /** Sends the points to a thread. */
  hold(thread: WorkerHandle): Promise<void>;
}

/** Two parts to pair, one to pair with itself, or one to resolve. */
interface Round {
  readonly parts: readonly number[];
  readonly isLast: boolean;
}

export async function selfJoinInThreads(
  run: Control,
  threads: readonly WorkerHandle[],
  { progress }: Work,
  { points, join, question, k, key, hold, take }: SelfJoinTask,
): Promise<void> {
  const parts = deal(points.count, points.columns, join.unit, threads.length);
  const rounds = tournament(parts.length);
  const schedule = new Schedule(rounds);
  const play = async (thread: WorkerHandle, { parts: numbers, isLast }: Round): Promise<() => void> => {
    const present = numbers.map((number) => parts[number] as JoinPart);
    const transfer = present.flatMap(({ candidates }) => (candidates ? [candidates.buffer as ArrayBuffer] : []));
    const [part] = present as [JoinPart];
    if (isLast) {
      const answers = await thread.call({ task: 'resolve', key, question, k, part }, transfer).reply;
      return () => take(part.from, answers);
    }
    const candidates = await thread.call({ task: 'exchange', key, k, parts: present }, transfer).reply;
    return () => {
      for (const [i, number] of numbers.entries())
        parts[number] = { ...(present[i] as JoinPart), candidates: candidates[i] };
    };
  };
  const serve = async (thread: WorkerHandle, isReady: Promise<void>): Promise<void> => {
    await isReady;
    for (let round = await schedule.next(); round !== undefined; round = await schedule.next()) {
      const takeOver = await play(thread, round);
      if (schedule.hasStopped) return;
      takeOver();
      run.report(along({ rows: rounds.length, progress }, schedule.finish(round)));
    }
  };
  const all = threads.flatMap((thread) => {
    const isReady = hold(thread);
    return Array.from({ length: AHEAD }, () => serve(thread, isReady));
  });
  try {
    await orAborted(run, Promise.all(all));
  } finally {
    schedule.stop();
  }
}

/** Parts of about equal size. */
function deal(count: number, columns: number, unit: number, threads: number): JoinPart[] {
  const most = Math.min(Math.sqrt(MEETING / columns), count / (PARTS * threads));
  const size = Math.max(1, Math.floor(most / unit)) * unit;
  const parts: JoinPart[] = [];
  for (let from = 0; from < count; from += size) {
    parts.push({ from, to: Math.min(count, from + size), candidates: undefined });
  }
  return parts;
}

/** Pairs every part with itself, every two parts once (round-robin by the circle method), and finally resolves every part. */
function tournament(count: number): Round[] {
  const alone = (isLast: boolean) => Array.from({ length: count }, (_, i): Round => ({ parts: [i], isLast }));
  const seats = count + (count % 2);
  const rounds: Round[] = [];
  for (let turn = 0; turn < seats - 1; turn++) {
    for (let i = 0; i < seats / 2; i++) {
      const a = i === 0 ? seats - 1 : (turn + i) % (seats - 1);
      const b = (turn - i + seats - 1) % (seats - 1);
      if (a < count && b < count) rounds.push({ parts: [a, b], isLast: false });
    }
  }
  return [...alone(false), ...rounds, ...alone(true)];
}

/** Assigns rounds to threads as soon as their parts are free, keeping the order of rounds for each part. */
class Schedule {
  #open: Round[];
  readonly #playing = new Set<Round>();
  #finished = 0;
  hasStopped = false;
  #waiting: Array<() => void> = [];

  constructor(rounds: readonly Round[]) {
    this.#open = [...rounds];
  }

  /** The next round, as soon as it is available; undefined when none is left. */
  async next(): Promise<Round | undefined> {
    while (this.#open.length > 0) {
      const busy = new Set([...this.#playing].flatMap(({ parts }) => parts));
      const at = this.#open.findIndex(({ parts }) => {
        const isFree = !parts.some((part) => busy.has(part));
        for (const part of parts) busy.add(part);
        return isFree;
      });
      const [round] = at < 0 ? [] : this.#open.splice(at, 1);
      if (round !== undefined) {
        this.#playing.add(round);
        return round;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return undefined;
  }

  /** Number of finished rounds. */
  finish(round: Round): number {
    this.#playing.delete(round);
    this.#wake();
    return ++this.#finished;
  }

  /** Ends the schedule. */
  stop(): void {
    this.hasStopped = true;
    this.#open = [];
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
