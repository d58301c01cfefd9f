// The result for a time series.
import { count } from '../errors.js';
import type { Times } from './order.js';

export interface SeriesFindings {
  /** Name of the input. */
  readonly name: string;
  readonly names: readonly string[];
  /** Rows in time order. */
  readonly values: Float64Array;
  readonly times: Times | undefined;
  /** The file row of each. */
  readonly rowNumbers: Uint32Array;
  readonly scores: Float64Array;
  readonly areAlarms: Uint8Array;
}

/** The time of a row, as text. */
export function timeText({ times, rowNumbers }: SeriesFindings, i: number): string {
  if (times === undefined) return String(rowNumbers[i]);
  const time = times.values[rowNumbers[i] as number] as number;
  return times.areDates
    ? new Date(time)
        .toISOString()
        .replace('T', ' ')
        .replace(/(:00)?\.000Z$/, '')
    : String(time);
}

export function alarmsInWords({ areAlarms }: SeriesFindings): string {
  const alarms = areAlarms.reduce((sum, is) => sum + is, 0);
  return `${count(alarms, 'alarm')} in ${count(areAlarms.length, 'row')}`;
}
