// Evaluations, thousands of them, in several processes at once. What is done is kept in a file under the
// hash of all it depends on (rows, model, source of the models), so that a run that was stopped goes on.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { evaluate } from './evaluate.js';
import type { Problem } from './problems.js';

export interface Evaluation {
  /** The name of the problem. */
  readonly problem: string;
  readonly model: string;
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** What a process is sent: first the problems, then one evaluation after the other. */
export type Message = { readonly problems: readonly Problem[] } | { readonly evaluation: Evaluation };
/** What it answers. */
export type Answer = { readonly score: number } | { readonly error: string };

export interface Running {
  readonly processes: number;
  /** Called when an evaluation is done. */
  onDone(place: number): void;
  /** Where results are kept; in memory only if undefined. */
  readonly file?: URL;
}

/** The scores of the evaluations, in their order. */
export async function evaluateAll(
  problems: readonly Problem[],
  evaluations: readonly Evaluation[],
  running: Running,
): Promise<number[]> {
  const kept = new Kept(problems, running.file);
  const scores = evaluations.map((evaluation) => kept.get(evaluation));
  const rest = evaluations.flatMap((_, place) => (scores[place] === undefined ? [place] : []));
  for (const [place, score] of scores.entries()) if (score !== undefined) running.onDone(place);
  const take = (place: number, score: number): void => {
    scores[place] = score;
    kept.set(evaluations[place] as Evaluation, score);
    running.onDone(place);
  };
  const processes = Math.min(running.processes, rest.length);
  if (processes > 1) {
    await Promise.all(Array.from({ length: processes }, () => inProcess(problems, evaluations, rest, take)));
  } else {
    for (const place of rest) take(place, evaluateHere(problems, evaluations[place] as Evaluation));
  }
  return scores as number[];
}

/** An error says what it was about. */
export function evaluateHere(problems: readonly Problem[], { problem: name, model, train, test }: Evaluation): number {
  const problem = problems.find((one) => one.name === name);
  if (problem === undefined) throw new Error(`there is no problem ${name}`);
  try {
    return evaluate(problem, model, train, test);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}, ${model} on ${train.length} rows: ${reason}`, { cause: error });
  }
}

/** Takes places from the queue and evaluates them in a process of its own until there are no more. */
function inProcess(
  problems: readonly Problem[],
  evaluations: readonly Evaluation[],
  queue: number[],
  take: (place: number, score: number) => void,
): Promise<void> {
  const child = fork(new URL('worker.ts', import.meta.url), { serialization: 'advanced' });
  const send = (message: Message) => child.send(message);
  return new Promise<void>((resolve, reject) => {
    let place: number | undefined;
    const go = (): void => {
      place = queue.shift();
      if (place === undefined) resolve();
      else send({ evaluation: evaluations[place] as Evaluation });
    };
    const fail = (reason: string): void => {
      queue.length = 0; // so that the other processes end, too
      reject(new Error(reason));
    };
    child.on('message', (answer: Answer) => {
      if ('error' in answer) return fail(answer.error);
      take(place as number, answer.score);
      go();
    });
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => {
      if (place !== undefined) fail(`a process ended early: ${signal ?? `status ${code}`}`);
    });
    send({ problems });
    go();
  }).finally(() => child.kill());
}

/** Results of earlier runs. */
class Kept {
  readonly #file: URL | undefined;
  readonly #scores = new Map<string, number>();
  readonly #base: ReadonlyMap<string, string>;

  constructor(problems: readonly Problem[], file: URL | undefined) {
    this.#file = file;
    const source = hashOf(...sources());
    this.#base = new Map(problems.map((problem) => [problem.name, hashOf(source, ...partsOf(problem))]));
    if (file === undefined) return;
    mkdirSync(new URL('./', file), { recursive: true });
    // The last line is incomplete if the run was stopped while writing it.
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
    for (const line of lines) {
      const [key, score] = line.split(' ');
      if (key !== undefined && score !== undefined) this.#scores.set(key, Number(score));
    }
  }

  get(evaluation: Evaluation): number | undefined {
    return this.#scores.get(this.#key(evaluation));
  }

  set(evaluation: Evaluation, score: number): void {
    const key = this.#key(evaluation);
    this.#scores.set(key, score);
    if (this.#file) appendFileSync(this.#file, `${key} ${score}\n`);
  }

  #key({ problem, model, train, test }: Evaluation): string {
    const lists = [train, test].map((rows) => new Uint8Array(rows.slice().buffer));
    return hashOf(this.#base.get(problem) ?? '', model, `${train.length}`, ...lists);
  }
}

function partsOf(problem: Problem): Array<string | Uint8Array> {
  const bytes = (values: Float64Array) => new Uint8Array(values.slice().buffer);
  const truth = problem.task === 'regression' ? bytes(problem.Y.data) : Array.from(problem.labels).join();
  return [problem.task, bytes(problem.X.data), truth];
}

/** All files that bear on a score: the library, the models, and what fits and judges them. */
function sources(): Uint8Array[] {
  const files = ['../../../src/', '../../../assembly/', '../models/'].flatMap((name) => {
    const folder = new URL(name, import.meta.url);
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    return names.sort().map((file) => new URL(file, folder));
  });
  return [...files, new URL('evaluate.ts', import.meta.url)].map((file) => readFileSync(file));
}

function hashOf(...parts: Array<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length} `).update(part);
  return hash.digest('hex').slice(0, 32);
}
