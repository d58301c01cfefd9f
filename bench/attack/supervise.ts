// Runs an area in a process of its own, and starts another where it crashes or hangs: both are findings.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Area } from './attack.js';
import type { Order, Report, Sample } from './child.js';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
/** Crashes and hangs after which an area is given up. */
const MOST_DEATHS = 10;
const MB = 2 ** 20;

export interface Finding {
  readonly number: number;
  readonly message: string;
  readonly path: string;
}

export interface Result {
  next: number;
  cases: number;
  seconds: number;
  isSkipped: boolean;
  readonly findings: Finding[];
  readonly endings: Map<string, number>;
  readonly samples: Sample[];
}

export async function supervise(area: Area, seed: number, from: number, seconds: number): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'curvad-attack-'));
  const journal = join(folder, 'case');
  const result: Result = {
    next: from,
    cases: 0,
    seconds: 0,
    isSkipped: false,
    findings: [],
    endings: new Map(),
    samples: [],
  };
  const known = new Set<string>();
  const start = performance.now();
  const elapsed = (): number => (performance.now() - start) / 1000;
  try {
    for (let deaths = 0; elapsed() < seconds - 0.5 || result.cases === 0; deaths++) {
      writeFileSync(journal, new Float64Array([result.next]));
      result.samples.length = 0; // memory is compared within a process
      const order = { area: area.name, seed, from: result.next, seconds: Math.max(1, seconds - elapsed()), journal };
      const death = await runChild(area, { ...order, isPostMortem: undefined }, result, known);
      if (death === undefined || result.isSkipped) break;
      const number = new Float64Array(new Uint8Array(readFileSync(journal)).buffer)[0] as number;
      const before = result.findings.length;
      await runChild(area, { ...order, from: number, isPostMortem: death }, result, known);
      if (result.findings.length === before) {
        result.findings.push({ number, message: `${death}; it does not begin again`, path: 'not kept' });
        break;
      }
      result.next = number + 1;
      if (deaths >= MOST_DEATHS) break;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  result.seconds = elapsed();
  checkMemory(result);
  return result;
}

/** Runs a process to its end; returns how it died, if it did. */
function runChild(area: Area, order: Order, result: Result, known: Set<string>): Promise<string | undefined> {
  const child = fork(CHILD, [JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const before = result.cases;
  const endings = new Map(result.endings);
  let isDone = order.isPostMortem !== undefined;
  child.on('message', (report: Report) => {
    if (report.kind === 'finding') {
      if (!known.has(report.signature)) result.findings.push(report);
      known.add(report.signature);
    } else if (report.kind === 'sample') result.samples.push(report.sample);
    else if (report.kind === 'progress') {
      result.next = report.next;
      result.cases = before + report.cases;
      for (const [ending, count] of Object.entries(report.endings))
        result.endings.set(ending, (endings.get(ending) ?? 0) + count);
    } else {
      isDone = true;
      result.isSkipped ||= report.kind === 'skipped';
    }
  });
  return new Promise((resolve) => {
    const watch = watchFor(child, order.journal, (area.patience ?? 30) * 1000);
    child.on('exit', (code, signal) => {
      clearInterval(watch.timer);
      if (watch.hangs()) resolve(`the case hung for ${area.patience ?? 30} s`);
      else if (code === 0 && isDone) resolve(undefined);
      else resolve(`the process ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}

/** Kills a process that stays with one case. */
function watchFor(child: ChildProcess, journal: string, patience: number): { timer: NodeJS.Timeout; hangs(): boolean } {
  let last = '';
  let since = performance.now();
  let isHanging = false;
  const timer = setInterval(() => {
    const now = readFileSync(journal).toString('hex');
    if (now !== last) since = performance.now();
    last = now;
    if (performance.now() - since < patience) return;
    isHanging = true;
    child.kill('SIGKILL');
  }, 1000);
  return { timer, hangs: () => isHanging };
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Memory of the last quarter beside the second, and threads and handles of the last beside the first. */
export function memoryOf(samples: readonly Sample[]): {
  early: number;
  late: number;
  threads: number;
  handles: number;
} {
  const quarter = (i: number) =>
    samples.slice(Math.floor((samples.length * i) / 4), Math.ceil((samples.length * (i + 1)) / 4));
  const resident = (part: readonly Sample[]) => average(part.map((sample) => sample.resident)) / MB;
  const [first, last] = [samples[0] as Sample, samples.at(-1) as Sample];
  return {
    early: resident(quarter(1)),
    late: resident(quarter(3)),
    threads: last.threads - first.threads,
    handles: last.handles - first.handles,
  };
}

/** A process warms up for a while: with few samples nothing can be told. */
const FEWEST_SAMPLES = 12;
const TOLERANCE = 1.05;
/** What V8 keeps or gives back as it likes. */
const SLACK_MB = 16;

function checkMemory(result: Result): void {
  if (result.samples.length < FEWEST_SAMPLES) return;
  const { early, late, threads, handles } = memoryOf(result.samples);
  const complain = (message: string): void => {
    result.findings.push({ number: result.next - 1, message, path: 'no single case' });
  };
  if (late > early * TOLERANCE + SLACK_MB)
    complain(`memory grew: ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the last`);
  if (threads > 0) complain(`${threads} threads more at the end than in the beginning`);
  if (handles > 0) complain(`${handles} handles more at the end than in the beginning`);
}
