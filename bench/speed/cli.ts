// `curvad score` on a large CSV against a model of 10,000 rows, beside pandas and scikit-learn's LOF doing the
// same: rows per second and peak memory, each side a process of its own, one after the other. Then how fast CSV
// is parsed. Options: --rows N (default 1,000,000), --columns N (10), --skip-python.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RecordReader } from '../../src/files/records.js';
import { against, gaussianData, printTable, seconds } from './support.js';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    columns: { type: 'string', default: '10' },
    'skip-python': { type: 'boolean', default: false },
  },
});
const [rows, columns, modelRows] = [Number(values.rows), Number(values.columns), 10_000];
const folder = mkdtempSync(join(tmpdir(), 'curvad-cli-'));
const file = (name: string) => join(folder, name);
const CLI = ['dist/cli.js'];

interface Run {
  readonly seconds: number;
  /** Peak of the resident set, in MB. */
  readonly memory: number;
  readonly output: string;
}

/** Runs a program to its end and watches its memory. */
async function measure(program: string, args: readonly string[]): Promise<Run> {
  const start = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
  });
  let memory = 0;
  const look = () => {
    try {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      memory = Math.max(memory, Number(peak ?? 0) / 1024);
    } catch {
      // It has ended, or this is not Linux.
    }
  };
  const watch = setInterval(look, 20);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - start) / 1000, memory, output };
}

async function writeCsv(path: string, count: number, seed: number): Promise<void> {
  const stream = createWriteStream(path);
  stream.write(`${Array.from({ length: columns }, (_, j) => `c${j}`).join(',')}\n`);
  for (let from = 0; from < count; from += 10_000) {
    const { data } = gaussianData(Math.min(10_000, count - from), columns, seed + from);
    let text = '';
    for (let i = 0; i < data.length; i += columns)
      text += `${Array.from(data.subarray(i, i + columns), (value) => value.toFixed(6)).join(',')}\n`;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

/** Megabytes a second, from bytes to numbers, best of several. */
function parsing(path: string): number {
  const bytes = readFileSync(path).subarray(0, 50_000_000);
  const numbers = new Float64Array(columns);
  const parse = () => {
    const reader = new RecordReader(',');
    for (let at = 0; at < bytes.length; at += 2 ** 18) {
      reader.push(bytes.subarray(at, at + 2 ** 18));
      while (reader.next()) for (let j = 0; j < reader.count; j++) numbers[j] = reader.numbers[j] as number;
    }
  };
  return bytes.length / 1e6 / Math.min(...Array.from({ length: 7 }, () => seconds(parse)));
}

try {
  await writeCsv(file('train.csv'), modelRows, 1);
  await writeCsv(file('fresh.csv'), rows, 2);
  const size = statSync(file('fresh.csv')).size / 1e6;
  console.log(
    `${rows.toLocaleString('en')} × ${columns} rows of CSV (${size.toFixed(0)} MB) against a model of ${modelRows.toLocaleString('en')} rows, k = 10, Node ${process.versions.node}\n`,
  );
  const table = [['', 'seconds', 'rows/s', 'peak MB']];
  const line = (name: string, time: number, memory: number) =>
    table.push([name, time.toFixed(1), Math.round(rows / time).toLocaleString('en'), memory.toFixed(0)]);
  const ours = new Map<string, Run>();
  for (const method of ['lof', 'cad']) {
    await measure(process.execPath, [
      ...CLI,
      'detect',
      file('train.csv'),
      '-m',
      method,
      '--save',
      file(`${method}.curvad`),
      '-q',
    ]);
    const run = await measure(process.execPath, [
      ...CLI,
      'score',
      file(`${method}.curvad`),
      file('fresh.csv'),
      '-o',
      file(`${method}.csv`),
      '--scores-only',
      '-q',
    ]);
    ours.set(method, run);
    line(`curvad score, ${method}`, run.seconds, run.memory);
  }
  const lof = ours.get('lof') as Run;
  if (!values['skip-python']) {
    const python = await measure('python3', [
      'bench/speed/cli.py',
      file('train.csv'),
      file('fresh.csv'),
      file('python.csv'),
    ]);
    const told = JSON.parse(python.output) as { versions: Record<string, string>; total: number; read: number };
    const versions = Object.entries(told.versions).map(([name, version]) => `${name} ${version}`);
    // Only reading, scoring and writing count for Python; for curvad the whole process does.
    line(`${versions.join(' and ')}, LOF`, told.total, python.memory);
    checkAgreement();
    printTable(table);
    console.log(`\nthroughput, LOF    ${against(told.total / lof.seconds, 3)}`);
    console.log(`memory             ${against(python.memory / lof.memory, 1)} times less`);
    console.log(`pandas reads CSV   ${(size / told.read).toFixed(0)} MB/s`);
  } else printTable(table);
  console.log(`CSV parsing, MB/s  ${against(parsing(file('fresh.csv')), 60)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Both sides must have computed the same. */
function checkAgreement(): void {
  const read = (name: string) =>
    readFileSync(file(name), 'utf8')
      .split('\n')
      .slice(1, 1001)
      .map((text) => Number(text.split(',')[1]));
  const [mine, theirs] = [read('lof.csv'), read('python.csv')];
  const worst = Math.max(...mine.map((score, i) => Math.abs(score / (theirs[i] as number) - 1)));
  console.log(`first 1,000 LOF scores agree to ${worst.toExponential(1)}\n`);
  if (!(worst < 1e-4)) throw new Error('the scores differ');
}
