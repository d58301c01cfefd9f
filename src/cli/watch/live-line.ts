// A status line for a stream, on terminals only.
import { stderr } from 'node:process';
import { count } from '../errors.js';

const REFRESH = 100;
const BARS = '▁▂▃▄▅▆▇█';
const SHOWN = 30;

export class LiveLine {
  readonly #clock: NodeJS.Timeout | undefined;
  readonly #scores: number[] = [];
  readonly #start = performance.now();
  #rows = 0;
  #alarms = 0;
  #isDrawn = false;

  constructor(isShown: boolean) {
    if (isShown) this.#clock = setInterval(() => this.#draw(), REFRESH).unref();
  }

  get rows(): number {
    return this.#rows;
  }

  get alarms(): number {
    return this.#alarms;
  }

  row(score: number, isAlarm: boolean): void {
    this.#rows++;
    this.#alarms += Number(isAlarm);
    if (this.#clock === undefined || Number.isNaN(score)) return;
    this.#scores.push(score);
    if (this.#scores.length > SHOWN) this.#scores.shift();
  }

  /** Clears the line before other output. */
  clear(): void {
    if (this.#isDrawn) stderr.write('\r\x1b[K');
    this.#isDrawn = false;
  }

  end(): void {
    clearInterval(this.#clock);
    this.clear();
  }

  #draw(): void {
    const rate = this.#rows / Math.max((performance.now() - this.#start) / 1000, 0.001);
    const facts = `${count(this.#rows, 'row')}, ${Math.round(rate).toLocaleString('en')} a second, ${count(this.#alarms, 'alarm')}`;
    const text = `${facts}  ${sparkline(this.#scores)}`;
    stderr.write(`\r\x1b[K${text.slice(0, (stderr.columns || 80) - 1)}`);
    this.#isDrawn = true;
  }
}

export function sparkline(values: readonly number[]): string {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  return values
    .map(
      (value) => BARS[range > 0 ? Math.min(BARS.length - 1, Math.floor(((value - least) / range) * BARS.length)) : 0],
    )
    .join('');
}
