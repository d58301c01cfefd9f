// Numbers for people.

export function short(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : 'none';
  return String(Number(value.toPrecision(4)));
}

export const count = (value: number): string => value.toLocaleString('en');

export function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds >= 90) return `${Math.round(seconds / 60)} min`;
  return Number.isInteger(seconds) ? `${seconds} s` : `${seconds.toFixed(1)} s`;
}
