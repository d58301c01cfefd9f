// A status line for a stream, on terminals only.
import { count } from '../errors.js';
import { StatusLine } from '../status-line.js';

const REFRESH = 100;
const BARS = '▁▂▃▄▅▆▇█';
const SHOWN = 30;

export class LiveLine {
  readonly #clock: NodeJS.Timeout | undefined;
  readonly #scores: number[] = [];
  readonly #start = performance.now();
  #rows = 0;
  #alarms = 0;
  readonly #line = new StatusLine();

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
    this.#line.clear();
  }

  end(): void {
    clearInterval(this.#clock);
    this.clear();
  }

  #draw(): void {
    const rate = this.#rows / Math.max((performance.now() - this.#start) / 1000, 0.001);
    const facts = `${count(this.#rows, 'row')}, ${Math.round(rate).toLocaleString('en')} a second, ${count(this.#alarms, 'alarm')}`;
    this.#line.draw(`${facts}  ${sparkline(this.#scores)}`);
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
