// Asynchronous calls whose bits are known, on threads that are aborted, refused progress, disposed of, fitted again and
// stopped or killed at random moments: each call ends as it should, with the bits of the synchronous one, and what is left scores on.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, promise } from '../attack.js';
import { type AnyDetector, DETECTORS, same } from '../detectors.js';
import { chance, pick } from '../values.js';

type Fate = 'nothing' | 'abort' | 'dispose' | 'refit' | 'stop threads' | 'kill a thread' | 'throw';

interface Call {
  readonly model: number;
  readonly what: 'fit' | 'score';
  readonly threads: number;
  readonly fate: Fate;
  /** When it meets its fate: a share of its progress, or milliseconds after it began. */
  readonly at: number;
  readonly byProgress: boolean;
}

interface Plan {
  /** Calls that are made at the same time. */
  readonly calls: readonly Call[];
}

interface Prepared {
  readonly kind: string;
  readonly options: object;
  readonly rows: Rows;
  readonly other: Rows;
  readonly fresh: Rows;
  readonly file: Uint8Array;
  readonly scores: Float64Array;
  readonly threshold: number;
  readonly fitted: Uint8Array;
}

interface Rows {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

const FATES: readonly Fate[] = [
  'nothing',
  'nothing',
  'nothing',
  'abort',
  'abort',
  'abort',
  'abort',
  'dispose',
  'dispose',
  'refit',
  'throw',
  'throw',
];
const SEED = 19;
/** Threads that run. */
const alive = new Set<Worker>();
process.on('worker', (worker: Worker) => {
  alive.add(worker);
  worker.once('exit', () => alive.delete(worker));
});

/** Until threads that were killed have ended: calls of another case must not meet their end. */
let dying: Promise<unknown> = Promise.resolve();

/** Of the caller's own. */
class Thrown extends Error {}

type Library = typeof import('curvad');

const classOf = (library: Library, kind: string) =>
  library[kind as 'CAD'] as unknown as new (
    options: object,
  ) => AnyDetector;

/** The built library, which asks other threads for little work, too: thousands of calls a minute. */
async function eagerLibrary(): Promise<Library> {
  const built = fileURLToPath(new URL('../../../dist/', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'curvad-eager-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['index.js', 'shared', 'threads'])
    cpSync(join(built, part), join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  let replaced = 0;
  for (const name of readdirSync(join(folder, 'shared')).filter((file) => file.endsWith('.js'))) {
    const path = join(folder, 'shared', name);
    const text = readFileSync(path, 'utf8');
    const eager = text.replace(/const MIN_SHARED_PRODUCTS = .+;/, () => {
      replaced++;
      return 'const MIN_SHARED_PRODUCTS = 1000;';
    });
    if (eager !== text) writeFileSync(path, eager);
  }
  if (replaced !== 1) throw new Error('MIN_SHARED_PRODUCTS is not where it was');
  return (await import(pathToFileURL(join(folder, 'index.js')).href)) as Library;
}

/** Small: what threads do is soon done, and what may go wrong between them is met often. */
function prepared(library: Library): Prepared[] {
  const random = new Random(SEED);
  const rowsOf = (rows: number, columns: number): Rows => {
    return { data: Float64Array.from({ length: rows * columns }, () => random.gaussian()), rows, columns };
  };
  return Object.keys(DETECTORS).flatMap((kind) =>
    (['wasm', 'js'] as const).map((backend) => {
      const columns = 1 + random.integer(5);
      const options = { backend, ...(kind === 'IsolationForest' && { trees: 30 }) };
      const [rows, other, fresh] = [
        rowsOf(150 + random.integer(300), columns),
        rowsOf(50, columns),
        rowsOf(400, columns),
      ];
      const detector = new (classOf(library, kind))(options).fit(rows);
      const { threshold } = detector;
      const scores = detector.score(fresh);
      const [file, fitted] = [detector.toBytes(), detector.toBytes()];
      detector.dispose();
      return { kind, options, rows, other, fresh, file, scores, threshold, fitted };
    }),
  );
}

class Threads implements Attack<Plan> {
  readonly #library: Library;
  readonly #models: readonly Prepared[];

  constructor(library: Library) {
    this.#library = library;
    this.#models = prepared(library);
  }

  draw(random: Random): Plan {
    return { calls: Array.from({ length: 1 + random.integer(8) }, () => this.#drawCall(random)) };
  }

  #drawCall(random: Random): Call {
    const byProgress = chance(random, 0.5);
    const model = random.integer(this.#models.length);
    // A fit of it takes as long as twenty others.
    const isSlow = (this.#models[model] as Prepared).kind === 'EllipticEnvelope';
    return {
      model,
      what: chance(random, isSlow ? 0.02 : 0.3) ? 'fit' : 'score',
      threads: random.integer(4),
      fate: chance(random, 0.004) ? pick(random, ['stop threads', 'kill a thread'] as const) : pick(random, FATES),
      at: byProgress ? random.uniform() : 20 * random.uniform() ** 2,
      byProgress,
    };
  }

  async run(plan: Plan): Promise<string> {
    const areStopped = plan.calls.some(({ fate }) => fate === 'stop threads' || fate === 'kill a thread');
    const endings = await Promise.all(plan.calls.map((call) => this.#call(call, areStopped)));
    // The pool lets a process end while idle threads run, so waiting for their end must keep this one alive.
    const awake = setInterval(() => {}, 1000);
    await dying;
    clearInterval(awake);
    return endings.length === 1 ? (endings[0] as string) : 'several at a time';
  }

  /** Each call is one. */
  size({ calls }: Plan): number {
    return calls.length;
  }

  *smaller({ calls }: Plan): Generator<Plan> {
    for (let i = 0; i < calls.length; i++) if (calls.length > 1) yield { calls: calls.filter((_, j) => j !== i) };
    for (const [i, call] of calls.entries())
      if (call.fate !== 'nothing') yield { calls: calls.with(i, { ...call, fate: 'nothing' }) };
  }

  /** Until threads that were stopped have ended. */
  async rest(): Promise<void> {
    this.#library.stopThreads();
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }

  /** Fitted, whether it is to be scored or fitted again. */
  #detectorFor({ what }: Call, { kind, options, rows, file }: Prepared): AnyDetector {
    const { backend } = options as { backend: 'js' | 'wasm' };
    if (what === 'score' || kind === 'EllipticEnvelope') return this.#library.load(file, { backend });
    return new (classOf(this.#library, kind))(options).fit(rows);
  }

  async #call(call: Call, areStopped: boolean): Promise<string> {
    const model = this.#models[call.model] as Prepared;
    using detector = this.#detectorFor(call, model);
    const controller = new AbortController();
    const { signal } = controller;
    let hasMet = false;
    const meet = (): void => {
      if (hasMet) return;
      hasMet = true;
      if (call.fate === 'abort') controller.abort();
      if (call.fate === 'dispose') detector.dispose();
      if (call.fate === 'refit') detector.fit(model.other);
      if (call.fate === 'stop threads') this.#library.stopThreads();
      if (call.fate === 'kill a thread') dying = Promise.all([...alive].map((worker) => worker.terminate()));
    };
    const timer = call.byProgress ? undefined : setTimeout(meet, call.at);
    const onProgress = ({ done }: { done: number }): void => {
      promise(done >= 0 && done <= 1, () => `progress is ${done}`);
      if (!call.byProgress || done < call.at) return;
      meet();
      if (call.fate === 'throw') throw new Thrown('mine');
    };
    const options = { threads: call.threads, signal, onProgress };
    try {
      if (call.what === 'fit') {
        await detector.fitAsync(model.rows, options);
        // Fitted meanwhile by somebody else, too: the last fit counts.
        if (call.fate !== 'refit') checkFit(detector, model);
      } else checkScores(await detector.scoreAsync(model.fresh, options), model);
      promise(!signal.aborted || !call.byProgress || call.at >= 1 || hasMet, () => 'an abort was not heard');
      return 'done';
    } catch (error) {
      const ending = endingOf(error, call, areStopped, hasMet);
      // What went wrong leaves the detector as it was.
      if (call.fate === 'abort' || call.fate === 'throw') checkScores(detector.score(model.fresh), model);
      return ending;
    } finally {
      clearTimeout(timer);
    }
  }
}

function checkScores(scores: Float64Array, { kind, scores: expected }: Prepared): void {
  promise(same(scores, expected), () => `${kind} scores otherwise on threads`);
}

function checkFit(detector: AnyDetector, { kind, fitted, threshold }: Prepared): void {
  promise(Object.is(detector.threshold, threshold), () => `${kind} fitted on threads has another threshold`);
  promise(same(detector.toBytes(), fitted), () => `${kind} fitted on threads is another model`);
}

/** Calls may fail in the way they were made to, and in no other. */
function endingOf(error: unknown, { fate }: Call, areStopped: boolean, hasMet: boolean): string {
  const { name, code } = error as { name?: string; code?: string };
  if (error instanceof Thrown && fate === 'throw') return 'thrown';
  if (name === 'AbortError' && fate === 'abort' && hasMet) return 'aborted';
  if (code === 'DISPOSED' && fate === 'dispose' && hasMet) return 'disposed';
  if (code === 'THREAD_FAILED' && areStopped) return 'stopped';
  throw error;
}

export const threads: Area = {
  name: 'threads',
  about: 'calls on threads end as they should and have the bits of synchronous ones, whatever happens meanwhile',
  share: 22,
  begin: async () => attack(new Threads(await eagerLibrary())),
};
