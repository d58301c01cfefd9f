// npm run bench:serve: requests a second over loopback of `curvad serve`, beside FastAPI with scikit-learn's LOF on the
// same rows, in turns. CURVAD_PYTHON names a Python that has fastapi, uvicorn and scikit-learn.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { against, gaussianData, printTable } from './support.js';

const { LOF } = await import('curvad');

const COLUMNS = 10;
const CONNECTIONS = 8;
const ROUNDS = 3;
const SECONDS = Number(process.argv[2] ?? 4);
const GOAL = 5;
const PORTS = { curvad: 9471, fastapi: 9472 };

interface Load {
  rate: number;
  p50: number;
  p99: number;
  failed: number;
}

const folder = mkdtempSync(join(tmpdir(), 'curvad-serve-'));
const children: ChildProcess[] = [];
const { data } = gaussianData(10_000, COLUMNS);
const training = Float64Array.from(data);
const fresh = gaussianData(5000, COLUMNS, 2).data;

function start(program: string, args: readonly string[]): void {
  children.push(spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }));
}

/** The body of a request for so many rows. */
function bodyOf(rows: number, from: number): string {
  const instances = Array.from({ length: rows }, (_, i) => {
    const at = ((from + i) % 5000) * COLUMNS;
    return Array.from(fresh.subarray(at, at + COLUMNS));
  });
  return JSON.stringify({ instances });
}

function ask(port: number, agent: Agent, body: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const call = request(
      { port, host: '127.0.0.1', path: '/invocations', method: 'POST', agent, headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve(answer.statusCode === 200 ? text : undefined));
      },
    );
    call.on('error', () => resolve(undefined));
    call.end(body);
  });
}

async function load(port: number, rows: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const bodies = Array.from({ length: 40 }, (_, i) => bodyOf(rows, i * rows));
  const times: number[] = [];
  let failed = 0;
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - start < SECONDS * 1000) {
      const before = performance.now();
      const answer = await ask(port, agent, bodies[times.length % bodies.length] as string);
      if (answer === undefined) failed++;
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] as number;
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99), failed };
}

/** Waits until a server answers; false where it does not. */
async function isUp(port: number): Promise<boolean> {
  const agent = new Agent();
  for (let i = 0; i < 120; i++) {
    if ((await ask(port, agent, bodyOf(1, 0))) !== undefined) return true;
    await sleep(250);
  }
  return false;
}

function better(a: Load, b: Load): Load {
  return a.rate > b.rate ? a : b;
}

async function run(): Promise<void> {
  const model = join(folder, 'lof.curvad');
  const rows = join(folder, 'rows.bin');
  writeFileSync(rows, new Uint8Array(training.buffer));
  const lof = new LOF({ neighbors: 20 }).fit({ data: training, rows: 10_000, columns: COLUMNS });
  writeFileSync(model, lof.toBytes());
  start(process.execPath, ['dist/cli.js', 'serve', model, '--port', String(PORTS.curvad)]);
  const python = process.env['CURVAD_PYTHON'];
  if (python === undefined)
    console.log('FastAPI: not measured, set CURVAD_PYTHON to a Python with fastapi, uvicorn, scikit-learn');
  else start(python, ['bench/speed/serve.py', rows, String(COLUMNS), String(PORTS.fastapi)]);
  if (!(await isUp(PORTS.curvad))) throw new Error('curvad serve did not start');
  const hasPeer = python !== undefined && (await isUp(PORTS.fastapi));
  console.log(
    `LOF of 10,000 × ${COLUMNS}, k = 20, ${CONNECTIONS} connections, the best of ${ROUNDS} rounds of ${SECONDS} s`,
  );
  const lines = [['rows a request', '', 'requests/s', 'median ms', 'p99 ms', 'failed', 'ratio']];
  for (const count of [1, 100]) {
    let ours = await load(PORTS.curvad, count);
    let theirs = hasPeer ? await load(PORTS.fastapi, count) : undefined;
    for (let round = 1; round < ROUNDS; round++) {
      ours = better(ours, await load(PORTS.curvad, count));
      if (theirs) theirs = better(theirs, await load(PORTS.fastapi, count));
    }
    const cells = ({ rate, p50, p99, failed }: Load): string[] => [
      rate.toFixed(0),
      p50.toFixed(2),
      p99.toFixed(2),
      String(failed),
    ];
    lines.push([String(count), 'curvad serve', ...cells(ours), theirs ? against(ours.rate / theirs.rate, GOAL) : '']);
    if (theirs) lines.push(['', 'FastAPI', ...cells(theirs), '']);
    if (ours.failed > 0 || (theirs && (ours.rate < GOAL * theirs.rate || ours.p99 > theirs.p99))) process.exitCode = 1;
  }
  printTable(lines);
}

try {
  await run();
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
