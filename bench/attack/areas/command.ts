// The command line: any flags, on damaged files, to outputs that are new, there already, links, folders, devices, on a full
// disk, with signals at any moment. It ends with an exit code of its own and words instead of a stack trace, outputs are
// whole or as they were, inputs as they were, and nothing is left behind.
import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KNN } from 'curvad';
import { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, promise } from '../attack.js';
import { type Damage, damaged, drawDamage } from '../bytes.js';
import { chance, pick, shorter } from '../values.js';
import { corpus, type File } from './files.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const COMMANDS = ['detect', 'detect', 'detect', 'score', 'score', 'select', 'compare', 'inspect', 'watch'] as const;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const;
type Signal = (typeof SIGNALS)[number];

/** The code that a handler gives, and shells see. */
const CODES: Readonly<Record<Signal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGKILL: 137 };

const TARGETS = [
  'none',
  'new',
  'existing',
  'link',
  'dangling link',
  'folder',
  'no folder',
  'input',
  'device',
  'full',
] as const;
type Target = (typeof TARGETS)[number];

interface Plan {
  readonly command: (typeof COMMANDS)[number];
  /** A file of the corpus, or a large table of so many rows, which takes long enough to be interrupted. */
  readonly file: number | 'large';
  readonly damages: readonly Damage[];
  readonly flags: ReadonlyArray<readonly string[]>;
  readonly isFromStdin: boolean;
  readonly target: Target;
  /** Which option names the output. */
  readonly output: readonly string[];
  readonly signal: { readonly name: Signal; readonly after: number } | undefined;
  /** Bytes that a file may have at most, as `ulimit -f` says. */
  readonly room: number | undefined;
  /** Whether whoever reads the output stops reading. */
  readonly isClosedEarly: boolean;
}

/** Right ones and wrong ones. */
const FLAGS: ReadonlyArray<readonly string[]> = [
  ...['landmark', 'cad', 'knn', 'lof', 'iforest', 'ocsvm', 'ee', 'KNN', '__proto__'].map((name) => ['-m', name]),
  ...['1', '5', '100000', '-1', '1e9', 'x', ''].map((k) => ['-k', k]),
  ...['0.1', '0', '2', 'NaN'].map((share) => ['--contamination', share]),
  ...['median', 'drop', 'indicator', 'error', '?'].map((what) => ['--missing', what]),
  ...['csv', 'json', 'ndjson', 'parquet', 'xlsx'].map((format) => ['-f', format]),
  ...['csv', 'json', 'ndjson', 'parquet', 'arrow', 'npy'].map((format) => ['--input-format', format]),
  ...['a', 'nope', 'a,b', ',', 'constructor'].map((name) => ['--columns', name]),
  ...['id', 'b', 'nope'].map((name) => ['--id', name]),
  ...['a', 'id', '__proto__'].map((name) => ['--ignore', name]),
  ...['1', '1e6', '-1'].map((count) => ['--skip', count]),
  ...[';', ',', 'ab', ''].map((mark) => ['--separator', mark]),
  ...['utf-16le', 'windows-1252', 'nope'].map((name) => ['--encoding', name]),
  ...['10', '1000', '0', '-1'].map((most) => ['--max-bytes', most]),
  ...['2', '1e3'].map((most) => ['--max-rows', most]),
  ...['1', '3'].map((most) => ['--max-columns', most]),
  ...['0', '1', '2', '-1', '999'].map((count) => ['--threads', count]),
  ...['3', '0', '-2', '1e9'].map((count) => ['--top', count]),
  ...['both', 'cycles', 'x'].map((what) => ['--dates', what]),
  ...['--explain', '--json', '-q', '--quiet', '--series', '--header', '--no-header', '--units', '--scores-only'].map(
    (flag) => [flag],
  ),
  ...['--standardize', '--approximate', '--nope', '--', '-', '---', '--=', '--top=3', '--number', '--anomalies'].map(
    (flag) => [flag],
  ),
  ['--sample', '10'],
  ['--label', 'on'],
  ['--keep', '0.5'],
  ['--keep', '7'],
  ['--count', '3'],
  ['--class', 'on'],
  ['--na', 'x,-1'],
  ['--comment', '#'],
  ['--folds', '3'],
  ['--methods', 'knn,lof'],
  ['--on-error', 'skip'],
  ['--threshold', '1e300'],
  ['--window', '5'],
];
const OUTPUTS: ReadonlyArray<readonly string[]> = [
  ['-o', 'out.csv'],
  ['-o', 'out.json'],
  ['-o', 'out.ndjson'],
  ['-o', 'out.parquet'],
  ['-o', 'out'],
  ['-o', 'out.xlsx'],
  ['--save', 'out.curvad'],
  ['--report', 'out.html'],
];
const WORDS = [',', '"', '\n', '\0', '[', '{', 'NaN', '=1+1', '\u001b[31m', '\u202e', 'é'].map((word) =>
  new TextEncoder().encode(word),
);
const BEFORE = 'what was there before\n';
/** Enough to compare all methods on the large table while others use the machine. */
const SECONDS = 180;
const LARGE_ROWS = 20_000;

function largeTable(): Uint8Array {
  const random = new Random(19);
  const lines = Array.from(
    { length: LARGE_ROWS },
    (_, i) => `${i},${random.gaussian()},${random.gaussian()},${random.gaussian()}`,
  );
  return new TextEncoder().encode(`id,a,b,c\n${lines.join('\n')}\n`);
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly seconds: number;
}

class CommandLine implements Attack<Plan> {
  readonly #files: readonly File[];
  readonly #model = new KNN({ neighbors: 3 }).fit(new Random(19).rows(50, 2).map(([a, b]) => ({ a, b }))).toBytes();
  readonly #large = largeTable();

  constructor(files: readonly File[]) {
    this.#files = files;
  }

  draw(random: Random): Plan {
    const isInterrupted = chance(random, 0.4);
    return {
      command: isInterrupted ? pick(random, ['detect', 'detect', 'select', 'score'] as const) : pick(random, COMMANDS),
      file: isInterrupted || chance(random, 0.1) ? 'large' : random.integer(this.#files.length),
      damages: chance(random, 0.4) ? [drawDamage(random, WORDS)] : [],
      flags: Array.from({ length: chance(random, 0.5) ? 0 : 1 + random.integer(2) }, () => pick(random, FLAGS)),
      isFromStdin: chance(random, 0.2),
      target: isInterrupted ? pick(random, ['new', 'existing', 'link'] as const) : pick(random, TARGETS),
      output: pick(random, OUTPUTS),
      signal: isInterrupted ? { name: pick(random, SIGNALS), after: 100 + 1500 * random.uniform() } : undefined,
      room: chance(random, 0.1) ? 512 * (1 + random.integer(8)) : undefined,
      isClosedEarly: chance(random, 0.1),
    };
  }

  async run(plan: Plan): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'curvad-command-'));
    try {
      const input = this.#input(plan);
      const { args, before } = this.#prepare(plan, folder, input);
      const ended = await run(folder, args, plan, input);
      check(plan, ended, folder, before);
      return ended.signal === null ? `exit code ${ended.code}` : ended.signal;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  *smaller(plan: Plan): Generator<Plan> {
    for (const flags of shorter(plan.flags)) yield { ...plan, flags };
    if (plan.damages.length > 0) yield { ...plan, damages: [] };
    if (plan.room !== undefined) yield { ...plan, room: undefined };
    if (plan.isClosedEarly) yield { ...plan, isClosedEarly: false };
    if (plan.isFromStdin) yield { ...plan, isFromStdin: false };
  }

  evidence(plan: Plan): Record<string, Uint8Array> {
    return plan.file === 'large' ? {} : { input: this.#input(plan) };
  }

  #input({ file, damages }: Plan): Uint8Array {
    return damaged(file === 'large' ? this.#large : (this.#files[file] as File).bytes, damages);
  }

  /** Writes what the command finds, and says what is in the folder before. */
  #prepare(plan: Plan, folder: string, input: Uint8Array): { args: string[]; before: Map<string, string> } {
    const name = plan.file === 'large' ? 'large.csv' : (this.#files[plan.file] as File).name;
    writeFileSync(join(folder, name), input);
    writeFileSync(join(folder, 'model.curvad'), this.#model);
    const [option, path] = plan.output as [string, string];
    const isAnOption = option === '-o' || plan.command === 'detect';
    const target = isAnOption ? aim(plan.target, folder, path, name) : undefined;
    const source = plan.isFromStdin ? '-' : name;
    const files = { score: ['model.curvad', source], inspect: ['model.curvad'], watch: [] } as Record<string, string[]>;
    const before = new Map(readdirSync(folder).map((entry) => [entry, stateOf(join(folder, entry))]));
    const args = [plan.command, ...(files[plan.command] ?? [source]), ...plan.flags.flat()];
    return { args: target === undefined ? args : [...args, option, target], before };
  }
}

/** Makes what an output leads to, and returns its path. */
function aim(target: Target, folder: string, path: string, input: string): string | undefined {
  const at = join(folder, path);
  if (target === 'none') return undefined;
  if (target === 'existing') writeFileSync(at, BEFORE, { mode: 0o640 });
  if (target === 'link') {
    writeFileSync(join(folder, 'linked'), BEFORE);
    symlinkSync('linked', at);
  }
  if (target === 'dangling link') symlinkSync('nowhere', at);
  if (target === 'folder') mkdirSync(at);
  if (target === 'no folder') return join('no', path);
  if (target === 'input') return input;
  if (target === 'device') return '/dev/null';
  if (target === 'full') return '/dev/full';
  return path;
}

/** What is at a path: of a file its mode and content, too. */
function stateOf(path: string): string {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (found.isDirectory()) return `folder of ${readdirSync(path)}`;
  return `${(found.mode & 0o777).toString(8)} ${readFileSync(path).toString('base64')}`;
}

function run(folder: string, args: readonly string[], plan: Plan, input: Uint8Array): Promise<Ended> {
  const start = performance.now();
  const node = [process.execPath, '--max-old-space-size=1500', CLI, ...args];
  const shell =
    plan.room === undefined ? undefined : ['bash', '-c', `ulimit -f ${plan.room / 512}; exec "$@"`, 'bash', ...node];
  const [program, ...rest] = (shell ?? node) as [string, ...string[]];
  const env = { PATH: process.env['PATH'] };
  const child = spawn(program, rest, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], env });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < 100_000) stderr += text;
  });
  if (plan.isClosedEarly) child.stdout.destroy();
  else child.stdout.resume();
  child.stdin.on('error', () => {}); // it need not read all
  child.stdin.end(plan.isFromStdin || plan.command === 'watch' ? input : undefined);
  const { signal } = plan;
  const timers = [
    setTimeout(() => child.kill('SIGABRT'), SECONDS * 1000),
    ...(signal === undefined ? [] : [setTimeout(() => child.kill(signal.name), signal.after)]),
  ];
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, ended) => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ code, signal: ended, stderr, seconds: (performance.now() - start) / 1000 });
    });
  });
}

function check(
  plan: Plan,
  { code, signal, stderr, seconds }: Ended,
  folder: string,
  before: Map<string, string>,
): void {
  promise(signal !== 'SIGABRT', () => `it has not ended after ${seconds.toFixed(0)} s`);
  const asked = plan.signal?.name;
  const isRight =
    signal === null
      ? code === 0 || code === 1 || code === 2 || (asked !== undefined && code === CODES[asked])
      : signal === asked;
  promise(isRight, () => `it ends with ${signal ?? `exit code ${code}`}: ${stderr.slice(-300)}`);
  promise(!/\n\s+at |unexpected failure/.test(stderr), () => `it says ${stderr.slice(0, 500)}`);
  promise(!/[^\P{Cc}\t\n]/u.test(stderr), () => `control characters: ${JSON.stringify(stderr)}`);
  if (code === 1 || code === 2) promise(stderr.trim() !== '', () => 'it fails without a word');
  checkFolder(plan, code, folder, before);
}

/** Outputs are whole or as they were; everything else is as it was. */
function checkFolder(plan: Plan, code: number | null, folder: string, before: ReadonlyMap<string, string>): void {
  const written = plan.output[1] as string;
  const isLinked = plan.target === 'link';
  for (const [name, state] of before) {
    const path = join(folder, name);
    const isOutput = name === (isLinked ? 'linked' : written);
    if (isOutput && code === 0 && plan.target !== 'folder') continue;
    promise(existsSync(path) || lstatSync(path).isSymbolicLink(), () => `${name} is gone`);
    // A file that was complete before the signal came may be there.
    if (isOutput && plan.signal !== undefined && isWhole(path)) continue;
    promise(stateOf(path) === state, () => `${name} was changed, with exit code ${code}`);
  }
  for (const name of readdirSync(folder)) {
    if (before.has(name)) continue;
    if (plan.signal?.name === 'SIGKILL' && name.endsWith('.tmp')) continue; // nobody could remove it
    promise(name === written, () => `${name} is left behind`);
    promise(code === 0 || plan.signal !== undefined, () => `${name} is written, with exit code ${code}`);
    promise(isWhole(join(folder, name)), () => `${name} is not whole`);
  }
  if (plan.target === 'existing' && existsSync(join(folder, written)))
    promise(
      (statSync(join(folder, written)).mode & 0o777) === 0o640,
      () => 'the permissions of the output have changed',
    );
}

/** Whether a file has the end that its kind has. */
function isWhole(path: string): boolean {
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 4).toString('latin1') === 'PAR1') return bytes.subarray(-4).toString('latin1') === 'PAR1';
  const end = bytes.subarray(-8).toString('latin1');
  if (path.endsWith('.html')) return end.trimEnd().endsWith('</html>');
  if (path.endsWith('.curvad')) return bytes.length > 20;
  return end === '' || end.endsWith('\n') || end.endsWith(']');
}

export const command: Area = {
  name: 'command',
  about: 'the command line ends with a code and words of its own, and leaves inputs, outputs and folders in order',
  share: 8,
  patience: 2 * SECONDS,
  begin: async () => (process.platform === 'linux' ? attack(new CommandLine(await corpus())) : undefined),
};
