// What the benchmarks share: seeded data, the real data sets, and output.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Data {
  readonly data: Float32Array;
  readonly rows: number;
  readonly columns: number;
}

/** Independent Gaussian columns: the hardest case for a search that hopes to skip work. */
export function gaussianData(rows: number, columns: number, seed = 1): Data {
  let state = seed;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const data = new Float32Array(rows * columns);
  for (let i = 0; i < data.length; i++) {
    data[i] = Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  }
  return { data, rows, columns };
}

/** A real data set from the folder CURVAD_DATA names, or undefined with a word about it. */
export function realData(name: string): Data | undefined {
  const folder = process.env['CURVAD_DATA'];
  if (folder === undefined || !existsSync(join(folder, `${name}.json`))) {
    console.log(`${name}: not measured, set CURVAD_DATA to the folder with ${name}.bin and ${name}.json`);
    return undefined;
  }
  const { n, d } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { n: number; d: number };
  const bytes = readFileSync(join(folder, `${name}.bin`));
  return { data: new Float32Array(new Uint8Array(bytes).buffer), rows: n, columns: d };
}

/** Seconds of a call. */
export function seconds(work: () => void): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

/** Seconds of the processor for a call, which other programs disturb little. */
export function processorSeconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

export function milliseconds(value: number): string {
  return `${(value * 1000).toFixed(value < 0.01 ? 3 : 0)} ms`;
}

/** Prints rows of cells in aligned columns. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, j) => Math.max(...rows.map((row) => (row[j] ?? '').length)));
  for (const row of rows) console.log(row.map((cell, j) => cell.padStart(widths[j] ?? 0)).join('  '));
}

/** A ratio beside what it should reach. */
export function against(ratio: number, target: number): string {
  return `${ratio.toFixed(2)} ${ratio >= target ? '✓' : '✗'} (≥ ${target})`;
}
