// The command from the packed package in an empty folder, as a new user has it, and files to run it on.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packedProject } from '../runtimes/support.js';
import { Random } from '../support/data.js';

export interface Cli {
  readonly path: string;
  /** Puts a file into the folder. */
  write(name: string, text: string): string;
  /** Runs the command there. */
  curvad(args: readonly string[], options?: { input?: string | Buffer; uid?: number }): SpawnSyncReturns<string>;
  /** Runs it without waiting. */
  start(args: readonly string[]): ReturnType<typeof spawn>;
  /** Runs a line of shell in which `$curvad` is the command. */
  shell(line: string): SpawnSyncReturns<string>;
}

export function installedCli(): Cli {
  const project = packedProject();
  const command = join(project.path, 'node_modules/curvad/dist/cli.js');
  const cwd = project.path;
  return {
    path: project.path,
    write: (name, text) => project.write(name, text),
    curvad: (args, options = {}) =>
      spawnSync(process.execPath, [command, ...args], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, ...options }),
    start: (args) => spawn(process.execPath, [command, ...args], { cwd }),
    shell: (line) =>
      spawnSync('bash', ['-c', line], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, curvad: `${process.execPath} ${command}` },
      }),
  };
}

export interface Readings {
  readonly names: readonly string[];
  readonly rows: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly csv: string;
}

/** Two clouds in three columns, and some rows beside them, with names and labels. */
export function readings(count = 200, seed = 11): Readings {
  const random = new Random(seed);
  const labels = Array.from({ length: count }, (_, i) => Number(i % 25 === 7));
  const rows = labels.map((label) => {
    const centre = random.uniform() < 0.5 ? 0 : 10;
    const values = [0, 1, 2].map((j) => centre + j + random.gaussian() * (1 + j));
    if (label === 1) values[1] = (values[1] as number) + 30;
    return values.map((value) => Number(value.toFixed(4)));
  });
  const names = rows.map((_, i) => `r${i}`);
  const lines = rows.map((row, i) => `${names[i]},${row.join(',')},${labels[i]}`);
  return { names, rows, labels, csv: `name,a,b,c,bad\n${lines.join('\n')}\n` };
}

/** CSV as the command writes it, without quotes. */
export function parseCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, j) => [names[j] as string, cell])));
}

/** The numbers of a column. */
export function column(text: string, name: string): number[] {
  return parseCsv(text).map((row) => Number(row[name]));
}
