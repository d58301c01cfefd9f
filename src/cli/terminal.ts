// Terminal output for people: colours where supported; progress and notes go to standard error, so that standard output
// contains only results.
import { stderr, stdout } from 'node:process';
import { Remaining } from './remaining.js';
import { StatusLine } from './status-line.js';

/** Milliseconds before progress is first shown, and between updates. */
const PATIENCE = 1000;
const REFRESH = 100;
const BAR = 16;

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green';
const CODES: Readonly<Record<Style, string>> = { bold: '1', dim: '2', red: '31', yellow: '33', green: '32' };

interface Stream {
  readonly isTTY?: boolean | undefined;
}

function hasColour(stream: Stream): boolean {
  const { NO_COLOR, TERM } = process.env;
  return stream.isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
}

function painter(stream: Stream): (style: Style, text: string) => string {
  return hasColour(stream) ? (style, text) => `\x1b[${CODES[style]}m${text}\x1b[0m` : (_, text) => text;
}

/** Styles for standard output. */
export const paint = painter(stdout);
const paintRemark = painter(stderr);

export class Terminal {
  readonly isQuiet: boolean;
  #bar: Progress | undefined;

  constructor({ isQuiet = false } = {}) {
    this.isQuiet = isQuiet;
  }

  /** Prints a warning, with what to do about it. */
  warn(message: string): void {
    if (!this.isQuiet) this.#remark(`${paintRemark('yellow', 'warning:')} ${message}`);
  }

  /** Prints a note. */
  note(message: string): void {
    if (!this.isQuiet) this.#remark(paintRemark('dim', message));
  }

  /** Prints an error, even with --quiet. */
  fail(message: string): void {
    this.#remark(`${paintRemark('red', 'curvad:')} ${message}`);
  }

  /** A progress bar, shown only on terminals and only after a second. */
  progress(what: string, total?: number, unit?: string): Progress {
    this.#bar?.end();
    this.#bar = new Progress(what, total, unit, !this.isQuiet && stderr.isTTY === true);
    return this.#bar;
  }

  #remark(text: string): void {
    this.#bar?.clear();
    stderr.write(`${text}\n`);
  }
}

export class Progress {
  readonly #what: string;
  readonly #total: number | undefined;
  readonly #unit: string | undefined;
  readonly #start = performance.now();
  /** Redraws even without reports, to show that the program is still working. */
  readonly #clock: NodeJS.Timeout | undefined;
  #last = this.#start;
  readonly #remaining = new Remaining();
  #share: number | undefined;
  #amount: number | undefined;
  readonly #line = new StatusLine();

  constructor(what: string, total: number | undefined, unit: string | undefined, isShown: boolean) {
    this.#what = what;
    this.#total = total;
    this.#unit = unit;
    if (isShown) this.#clock = setInterval(() => this.#draw(), REFRESH).unref();
  }

  /** `share` from 0 to 1, or undefined where the end is not known; `amount` counts in the unit. */
  update(share: number | undefined, amount?: number): void {
    this.#share = share;
    if (share !== undefined) this.#remaining.note(this.seconds, share);
    this.#amount = amount ?? (share === undefined || this.#total === undefined ? undefined : share * this.#total);
    if (this.#clock !== undefined) this.#draw();
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (performance.now() - this.#start) / 1000;
  }

  /** Seconds left; undefined if unknown yet. */
  get remaining(): number | undefined {
    return this.#remaining.after(this.seconds);
  }

  clear(): void {
    this.#line.clear();
  }

  end(): void {
    clearInterval(this.#clock);
    this.clear();
  }

  #draw(): void {
    const now = performance.now();
    if (now - this.#start < PATIENCE || now - this.#last < REFRESH) return;
    this.#last = now;
    this.#line.draw(this.#text(this.seconds));
  }

  #text(seconds: number): string {
    const share = this.#share || undefined;
    const amount = this.#amount || undefined;
    const parts = [this.#what];
    if (share !== undefined) {
      const full = Math.round(Math.min(1, share) * BAR);
      parts.push(`${'█'.repeat(full)}${'░'.repeat(BAR - full)}`, `${Math.floor(share * 100)} %`.padStart(5));
    }
    if (amount !== undefined && this.#unit !== undefined) parts.push(`${rate(amount / seconds)} ${this.#unit}/s`);
    const { remaining } = this;
    parts.push(remaining === undefined ? duration(seconds) : `${duration(remaining)} left`);
    return parts.join('  ');
  }
}

function rate(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  return value >= 1e4 ? `${Math.round(value / 1e3)}k` : value.toFixed(value < 10 ? 1 : 0);
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Aligns the columns of a table: numbers right, everything else left. */
export function alignedTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
  const isRight = head.map((_, j) =>
    rows.every((row) => /^[-+−]?[\d.,]*\d(e[-+]?\d+)?[ *]?$|^[-–]?[ *]?$/.test(row[j] ?? '')),
  );
  const widths = head.map((name, j) => Math.max(name.length, ...rows.map((row) => (row[j] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, j) => (isRight[j] ? cell.padStart(widths[j] ?? 0) : cell.padEnd(widths[j] ?? 0)))
      .join('  ')
      .trimEnd();
  return [paint('bold', line(head)), ...rows.map(line)];
}

/** A number from the file, with no more digits than people read. */
export function plain(value: number): string {
  if (!Number.isFinite(value) || (Number.isInteger(value) && Math.abs(value) < 1e15)) return String(value);
  return String(Number(value.toPrecision(6)));
}

/** A number with few digits. */
export function few(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(3);
  return value.toFixed(size >= 1000 ? 1 : size >= 100 ? 2 : size >= 1 ? 3 : 4);
}
