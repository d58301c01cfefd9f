// How fast CSV is read, by the kind of its numbers: megabytes a second of one processor, split into records of numbers,
// and read as a table. The best of several rounds counts.
import { RecordReader } from '../../src/files/records.js';
import { against, gaussianData, printTable } from './support.js';

const { readTable } = await import('curvad/files');

const COLUMNS = 8;
const ROUNDS = 4;
const BYTES = 16e6;
const TARGET = 150;

const KINDS: Readonly<Record<string, (value: number) => string>> = {
  'integers, 4 digits': (value) => String(Math.round(value * 1000)),
  'integers, 12 digits': (value) => String(Math.round(value * 1e11)),
  'decimals, 2 places': (value) => value.toFixed(2),
  'decimals, 6 places': (value) => value.toFixed(6),
  'doubles in full': (value) => String(value * Math.PI),
  'exponents, e+0': (value) => value.toExponential(6),
  'exponents, e-30': (value) => (value * 1e-30).toExponential(8),
  signs: (value) => `${value > 0 ? '+' : ''}${value.toFixed(4)}`,
  quoted: (value) => `"${value.toFixed(5)}"`,
  'behind a space': (value) => ` ${value.toFixed(4)}`,
};

const { data } = gaussianData(1, COLUMNS * 20_000, 3);
const table = [['', 'bytes a number', 'records, MB/s', 'table, MB/s']];
for (const [name, write] of Object.entries(KINDS)) {
  const bytes = fileOf(write);
  const parse = (): void => {
    const reader = new RecordReader(',');
    for (let at = 0; at < bytes.length; at += 2 ** 18) {
      reader.push(bytes.subarray(at, at + 2 ** 18));
      while (reader.next());
    }
  };
  const [records, whole] = [await speed(bytes.length, parse), await speed(bytes.length, () => readTable(bytes))];
  table.push([name, widthOf(write).toFixed(1), records.toFixed(0), against(whole, TARGET)]);
}
console.log(`Node ${process.versions.node}, ${COLUMNS} columns, by the time of the processor\n`);
printTable(table);

function widthOf(write: (value: number) => string): number {
  return data.reduce((sum, value) => sum + write(value).length + 1, 0) / data.length;
}

/** A file of about so many bytes, of the same lines over and over. */
function fileOf(write: (value: number) => string): Uint8Array {
  let lines = '';
  for (let at = 0; at < data.length; at += COLUMNS)
    lines += `${Array.from(data.subarray(at, at + COLUMNS), write).join(',')}\n`;
  const names = Array.from({ length: COLUMNS }, (_, j) => `c${j}`).join(',');
  return new TextEncoder().encode(`${names}\n${lines.repeat(Math.ceil(BYTES / lines.length))}`);
}

/** Megabytes in a second of the processor. */
async function speed(bytes: number, work: () => unknown): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return bytes / best;
}
