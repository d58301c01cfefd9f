// A process that runs the cases of one area, one after the other. Before each it writes the number of the case where
// its supervisor can read it, so that a crash or a hang is told with the case that did it.
import { openSync, readdirSync, writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Random } from '../../test/support/data.js';
import { AREAS } from './areas/index.js';
import { type Attack, signatureOf } from './attack.js';
import { shrink } from './shrink.js';
import { keep } from './state.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export interface Order {
  readonly area: string;
  readonly seed: number;
  readonly from: number;
  readonly seconds: number;
  readonly journal: string;
  /** Only tell what the first case is: it ended the last process. */
  readonly isPostMortem: string | undefined;
}

/** What the process has, at rest. */
export interface Sample {
  readonly resident: number;
  readonly heap: number;
  readonly threads: number;
  readonly handles: number;
}

export type Report =
  | { readonly kind: 'skipped' }
  | {
      readonly kind: 'finding';
      readonly number: number;
      readonly signature: string;
      readonly message: string;
      readonly path: string;
    }
  | {
      readonly kind: 'progress';
      readonly next: number;
      readonly cases: number;
      readonly endings: Record<string, number>;
    }
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'done' };

const SECONDS_BETWEEN_SAMPLES = 10;
const SECONDS_TO_SHRINK = 10;

/** The random numbers of a case. */
export function randomOf(area: string, seed: number, number: number): Random {
  let hash = seed | 0;
  for (const character of `${area} ${number}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return new Random(hash ^ (hash >>> 15));
}

const tell = (report: Report): Promise<void> =>
  new Promise((resolve) => (process.send as (report: Report, done: () => void) => void)(report, () => resolve()));

async function work(order: Order): Promise<void> {
  const area = AREAS.find(({ name }) => name === order.area);
  const attack = await area?.begin();
  if (attack === undefined) return tell({ kind: 'skipped' });
  if (order.isPostMortem !== undefined) return autopsy(order, attack, order.isPostMortem);
  const journal = openSync(order.journal, 'r+');
  const place = new Float64Array(1);
  const end = Math.max(performance.now() + 1000, order.seconds * 1000); // since the process was started
  const known = new Set<string>();
  const endings: Record<string, number> = {};
  let lastSample = performance.now();
  let lastReport = 0;
  let number = order.from;
  let cases = 0;
  for (; performance.now() < end; number++) {
    place[0] = number;
    writeSync(journal, place, 0, 8, 0);
    const plan = attack.draw(randomOf(order.area, order.seed, number));
    cases += attack.size?.(plan) ?? 1;
    try {
      const ending = await attack.run(plan);
      endings[ending] = (endings[ending] ?? 0) + 1;
    } catch (error) {
      const signature = signatureOf(error);
      endings['finding'] = (endings['finding'] ?? 0) + 1;
      if (!known.has(signature)) await found(order, attack, { number, plan, error, signature });
      known.add(signature);
    }
    if (performance.now() - lastReport > 1000) {
      lastReport = performance.now();
      void tell({ kind: 'progress', next: number + 1, cases, endings });
    }
    if (performance.now() - lastSample > SECONDS_BETWEEN_SAMPLES * 1000) {
      void tell({ kind: 'sample', sample: await sampled(attack) });
      lastSample = performance.now();
    }
  }
  await tell({ kind: 'progress', next: number, cases, endings });
  await tell({ kind: 'sample', sample: await sampled(attack) });
  await tell({ kind: 'done' });
}

interface Found {
  readonly number: number;
  readonly plan: unknown;
  readonly error: unknown;
  readonly signature: string;
}

async function found({ area, seed }: Order, attack: Attack, { number, plan, error, signature }: Found): Promise<void> {
  const smallest = await shrink(attack, plan, signature, SECONDS_TO_SHRINK);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const path = keep({ area, seed, number, error: text, plan: smallest }, signature, attack.evidence?.(smallest));
  await tell({ kind: 'finding', number, signature, message: text.split('\n', 1)[0] as string, path });
}

/** What the process before this one ended with is kept, and not run. */
async function autopsy({ area, seed, from: number }: Order, attack: Attack, how: string): Promise<void> {
  const plan = attack.draw(randomOf(area, seed, number));
  const signature = `${area} ${how} ${number}`;
  const path = keep({ area, seed, number, error: how, plan }, signature, attack.evidence?.(plan));
  await tell({ kind: 'finding', number, signature, message: how, path });
}

async function sampled(attack: Attack): Promise<Sample> {
  await attack.rest?.();
  for (let turn = 0; turn < 3; turn++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 10)); // finalizers
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { resident: rss, heap: heapUsed, threads: entries('/proc/self/task'), handles: entries('/proc/self/fd') };
}

/** As Linux tells; 0 elsewhere. */
function entries(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

if (process.send !== undefined && process.argv[2] !== undefined) {
  await work(JSON.parse(process.argv[2]) as Order);
  process.disconnect();
}
