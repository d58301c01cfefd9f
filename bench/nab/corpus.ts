// The series of the Numenta Anomaly Benchmark and their labelled windows, read from the folder that CURVAD_NAB names,
// or from nab/ beside the folder that CURVAD_DATA names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Labelled } from './score.js';

export interface Series extends Labelled {
  readonly name: string;
  readonly values: Float64Array;
}

/** The folder of the benchmark, or undefined where there is none. */
export function nabFolder(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const { CURVAD_NAB: own, CURVAD_DATA: data } = environment;
  const folder = own ?? (data === undefined ? undefined : join(data, '..', 'nab'));
  return folder !== undefined && existsSync(join(folder, 'windows.json')) ? folder : undefined;
}

export function readSeries(folder: string): Series[] {
  const windows = JSON.parse(readFileSync(join(folder, 'windows.json'), 'utf8')) as Record<string, [string, string][]>;
  return Object.entries(windows).map(([name, labelled]) => {
    const text = gunzipSync(readFileSync(join(folder, 'data', `${name}.gz`))).toString();
    const lines = text.trim().split(/\r?\n/).slice(1);
    const cells = lines.map((line) => line.split(','));
    const times = cells.map(([time]) => secondsOf(time as string));
    const rowOf = (time: string): number => times.indexOf(secondsOf(time));
    const lastRowOf = (time: string): number => times.lastIndexOf(secondsOf(time));
    return {
      name,
      rows: lines.length,
      values: Float64Array.from(cells, ([, value]) => Number(value)),
      windows: labelled.map(([first, last]) => [rowOf(first), lastRowOf(last)] as const),
    };
  });
}

/** The scores of KNN-CAD that come with the benchmark, in the order of the series. */
export function readKnnCad(folder: string, series: readonly Series[]): number[][] {
  const file = gunzipSync(readFileSync(join(folder, 'knncad-scores.json.gz'))).toString();
  const scores = JSON.parse(file) as Record<string, number[]>;
  return series.map(({ name }) => scores[name] as number[]);
}

/** Timestamps in the data have no fraction of a second, those of windows do. */
function secondsOf(time: string): string {
  return time.slice(0, 19);
}
