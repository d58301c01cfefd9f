// Round times on an axis: whole seconds, minutes, hours, days, months or years, whichever gives about the wanted count.

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const STEPS: ReadonlyArray<readonly [step: number, from: number, to: number]> = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((n) => [n, 14, 23] as const),
  ...[1, 5, 10, 30].map((n) => [n * SECOND, 11, 19] as const),
  ...[1, 5, 10, 30].map((n) => [n * MINUTE, 11, 16] as const),
  ...[1, 3, 6, 12].map((n) => [n * HOUR, 5, 16] as const),
  ...[1, 2, 4, 7, 14].map((n) => [n * DAY, 0, 10] as const),
];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200] as const;
const MONTH = 30.44 * DAY;

export interface TimeTick {
  readonly time: number;
  readonly text: string;
}

/** Ticks between two times in milliseconds. */
export function timeTicks([low, high]: readonly [number, number], about: number): TimeTick[] {
  const rough = (high - low) / about;
  const step = STEPS.find(([size]) => size >= rough);
  if (step !== undefined) {
    const [size, from, to] = step;
    const first = Math.ceil(low / size) * size;
    const count = Math.max(0, Math.floor((high - first) / size) + 1);
    return Array.from({ length: Math.min(count, 20) }, (_, i) => tick(first + i * size, from, to));
  }
  const months = MONTHS.find((count) => count * MONTH >= rough) ?? 1200;
  const start = new Date(low);
  const firstMonth = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth() + 1e-9) / months) * months;
  const ticks: TimeTick[] = [];
  for (let month = firstMonth; ticks.length < 20; month += months) {
    const time = Date.UTC(Math.floor(month / 12), month % 12);
    if (time > high || Number.isNaN(time)) break;
    if (time >= low) ticks.push(tick(time, 0, months % 12 === 0 ? 4 : 7));
  }
  return ticks;
}

function tick(time: number, from: number, to: number): TimeTick {
  const text = new Date(time).toISOString();
  return { time, text: text.slice(from, to).replace('T', ' ') };
}
