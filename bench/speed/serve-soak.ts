// npm run bench:serve-soak: `curvad serve` for 30 minutes (or so many as are told) at four fifths of what it can do, while
// its model is replaced, and malformed, oversized, packed and slow bodies come in between. Every answer must be right: the
// score of one of the two models, or the 4xx that is due; memory must not grow; no request may be lost at SIGTERM.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { gaussianData } from './support.js';

const { LOF } = await import('curvad');

const MINUTES = Number(process.argv[2] ?? 30);
const COLUMNS = 10;
const CONNECTIONS = 16;
const SHARE = 0.8;
const MEMORY = { sampleEvery: 5000, growth: 1.1 };
const LIMITS = ['--max-body', '200000', '--timeout', '1500'];

const folder = mkdtempSync(join(tmpdir(), 'curvad-serve-soak-'));
const path = join(folder, 'odd.curvad');
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const { data } = gaussianData(5000, COLUMNS);
const models = [0, 2500].map((from) => {
  const rows = Float64Array.from(data.subarray(from * COLUMNS, (from + 2500) * COLUMNS));
  return new LOF({ neighbors: 20 }).fit({ data: rows, rows: 2500, columns: COLUMNS });
});
const fresh = gaussianData(200, COLUMNS, 2).data;
const rows = Array.from({ length: 200 }, (_, i) => Array.from(fresh.subarray(i * COLUMNS, (i + 1) * COLUMNS)));
const right = models.map((model) => model.score(rows));
const counts = new Map<string, number>();
const wrong: string[] = [];

interface Answered {
  status: number;
  text: string;
}

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Resolves with the answer, or with the code of the error that came instead. */
function ask(port: number, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answered | string> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', path: '/invocations', method: 'POST', agent };
    const type = { 'content-type': 'application/json', 'content-length': String(body.length), ...headers };
    const call = request({ ...options, headers: type }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? 'ERROR'));
    });
    call.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? 'ERROR'));
    call.end(body);
  });
}

async function askRows(port: number, turn: number): Promise<Answered | string> {
  const some = turn % 10 === 0 ? rows : [rows[turn % rows.length] as number[]];
  const answer = await ask(port, JSON.stringify({ instances: some }));
  if (typeof answer === 'string') return answer;
  const predictions =
    answer.status === 200 ? (JSON.parse(answer.text) as { predictions: { score: number }[] }) : undefined;
  const scores = predictions?.predictions.map(({ score }) => score);
  const first = some.length > 1 ? 0 : turn % rows.length;
  const isRight = right.some(
    (of) => scores?.length === some.length && scores.every((score, i) => score === of[first + i]),
  );
  if (isRight) count('rows scored as one of the models scores them');
  else wrong.push(`rows: ${answer.status} ${answer.text.slice(0, 200)}`);
  return answer;
}

const MALFORMED = [
  '{"instances": [[1, 2',
  '{"instances": [[1e999]]}',
  '[]',
  '{"a":1,"a":2}',
  `${'['.repeat(5000)}`,
  '{"instances":[["x"]]}',
];
const BOMB = gzipSync(Buffer.alloc(20 * 2 ** 20, 0x20));

/** What must be refused, one after the other, for as long as `isOn` says. */
async function disturb(port: number, isOn: () => boolean): Promise<void> {
  const expectStatus = async (what: string, status: number, answer: Promise<Answered | string>): Promise<void> => {
    const got = await answer;
    if (typeof got !== 'string' && got.status === status) count(`${what}: ${status}`);
    else wrong.push(`${what}: ${typeof got === 'string' ? got : `${got.status} ${got.text.slice(0, 200)}`}`);
  };
  for (let turn = 0; isOn(); turn++) {
    await expectStatus('malformed', 400, ask(port, MALFORMED[turn % MALFORMED.length] as string));
    await expectStatus('another type', 415, ask(port, 'a,b', { 'content-type': 'text/csv' }));
    await expectStatus('gzip bomb', 413, ask(port, BOMB, { 'content-encoding': 'gzip' }));
    if (turn % 5 === 0) await expectStatus('slow', 408, slow(port));
    if (turn % 5 === 2) await expectStatus('oversized', 413, slow(port, 1_000_000));
    await sleep(40);
  }
}

/** A client that announces a body and sends a byte of it. */
async function slow(port: number, length = 50): Promise<Answered | string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.on('error', () => {});
  const head = 'POST /invocations HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  socket.write(`${head}content-length: ${length}\r\n\r\n{`);
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text };
}

async function replaceModels(isOn: () => boolean): Promise<void> {
  for (let turn = 1; isOn(); turn++) {
    await sleep(1500);
    // Now and then a file that is broken: the model before it stays.
    const bytes = turn % 7 === 0 ? new Uint8Array(500) : (models[turn % 2]?.toBytes() as Uint8Array);
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
    count('models replaced');
  }
}

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Requests a second when every connection asks as fast as it can. */
async function capacity(port: number): Promise<number> {
  const until = performance.now() + 3000;
  let asked = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until) await askRows(port, asked++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return asked / 3;
}

/** So many requests a second, whenever they are answered. */
async function load(port: number, rate: number, isOn: () => boolean): Promise<void> {
  const pending = new Set<Promise<unknown>>();
  const start = performance.now();
  for (let asked = 0; isOn(); ) {
    const due = Math.floor(((performance.now() - start) / 1000) * rate);
    // A machine that is busy with other things catches up, but not with all at once.
    for (; asked < due && pending.size < 4 * CONNECTIONS; asked++) {
      const call = askRows(port, asked).then((answer) => {
        if (typeof answer === 'string') wrong.push(`rows: ${answer}`);
        pending.delete(call);
      });
      pending.add(call);
    }
    asked = Math.max(asked, due - 8 * CONNECTIONS);
    await sleep(5);
  }
  await Promise.all(pending);
}

/** Clients that do not stop asking while the server stops: what was taken must be answered. */
async function stopUnderLoad(port: number, child: ChildProcess): Promise<void> {
  let isOn = true;
  const clients = Array.from({ length: CONNECTIONS }, async (_, i) => {
    for (let turn = i; isOn; turn++) {
      const answer = await askRows(port, turn);
      if (typeof answer !== 'string') continue;
      if (answer === 'ECONNREFUSED') return;
      wrong.push(`lost at SIGTERM: ${answer}`);
    }
  });
  await sleep(300);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  isOn = false;
  await Promise.all(clients);
  if (code !== 0) wrong.push(`the server ended with ${code}`);
}

async function run(child: ChildProcess): Promise<void> {
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const port = Number(/:(\d+) serves/.exec(String(line))?.[1]);
  const rate = SHARE * (await capacity(port));
  console.log(`${MINUTES} minutes at ${rate.toFixed(0)} requests a second, a tenth of them of ${rows.length} rows`);
  const end = performance.now() + MINUTES * 60_000;
  const isOn = (): boolean => performance.now() < end;
  const memory: number[] = [];
  const clock = setInterval(() => memory.push(residentMegabytes(child.pid as number)), MEMORY.sampleEvery);
  await Promise.all([load(port, rate, isOn), disturb(port, isOn), replaceModels(isOn)]);
  clearInterval(clock);
  await stopUnderLoad(port, child);
  for (const [what, times] of counts) console.log(`${String(times).padStart(9)} ${what}`);
  const quarter = (q: number): number => {
    const part = memory.slice(Math.floor((q * memory.length) / 4), Math.floor(((q + 1) * memory.length) / 4));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  };
  const growth = quarter(3) / quarter(1);
  console.log(
    `memory: ${quarter(1).toFixed(0)} MB in the second quarter, ${quarter(3).toFixed(0)} MB in the last: ${growth.toFixed(3)}`,
  );
  if (!(growth <= MEMORY.growth)) wrong.push(`memory grew by ${growth.toFixed(3)}, ${MEMORY.growth} allowed`);
  for (const what of wrong.slice(0, 20)) console.error(what);
  console.log(wrong.length === 0 ? 'nothing went wrong' : `${wrong.length} things went wrong`);
  if (wrong.length > 0) process.exitCode = 1;
}

writeFileSync(path, models[0]?.toBytes() as Uint8Array);
const child = spawn(process.execPath, ['dist/cli.js', 'serve', path, '--port', '0', ...LIMITS], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  await run(child);
} finally {
  agent.destroy();
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
