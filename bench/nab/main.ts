// npm run nab: checks the scorer with the published scores of KNN-CAD, then streams every series through
// SeriesDetector with its defaults, row by row.
import { SeriesDetector } from 'curvad/streams';
import { nabFolder, readKnnCad, readSeries, type Series } from './corpus.js';
import { halves } from './halves.js';
import { nabScore, PROFILES } from './score.js';

const REFERENCE = [57.99, 43.41, 64.81];
const GOAL = [72, 60, 77];

function streamed({ values }: Series): Float64Array {
  const detector = new SeriesDetector();
  return values.map((value) => detector.update(value));
}

function row(name: string, scores: readonly number[]): string {
  return `| ${name} | ${scores.map((score) => score.toFixed(2)).join(' | ')} |`;
}

function run(folder: string): boolean {
  const series = readSeries(folder);
  const knnCad = readKnnCad(folder, series);
  const checked = PROFILES.map((profile) => nabScore(series, knnCad, profile).score);
  const start = performance.now();
  const scores = series.map(streamed);
  const microseconds = (1000 * (performance.now() - start)) / series.reduce((sum, { rows }) => sum + rows, 0);
  const own = PROFILES.map((profile) => nabScore(series, scores, profile).score);
  const split = PROFILES.map((profile) => halves(series, scores, profile, 200));
  console.log(`| | ${PROFILES.map(({ name }) => name).join(' | ')} |\n| --- | --- | --- | --- |`);
  console.log(row('KNN-CAD, to check the scorer', checked));
  console.log(row('SeriesDetector', own));
  console.log(
    row(
      'threshold from one half, score of the other: mean',
      split.map(({ mean }) => mean),
    ),
  );
  console.log(
    row(
      'standard deviation of that',
      split.map(({ deviation }) => deviation),
    ),
  );
  console.log(`${series.length} series, ${microseconds.toFixed(1)} µs a row`);
  const isChecked = checked.every((score, i) => Math.abs(score - (REFERENCE[i] as number)) < 0.01);
  if (!isChecked) console.error(`the scorer is wrong: KNN-CAD has ${REFERENCE.join(' / ')}`);
  const isGood = own.every((score, i) => score >= (GOAL[i] as number));
  if (!isGood) console.error(`SeriesDetector is below ${GOAL.join(' / ')}`);
  return isChecked && isGood;
}

const folder = nabFolder();
if (folder === undefined) console.error('nab: set CURVAD_NAB to the folder of the benchmark (windows.json, data/)');
if (folder === undefined || !run(folder)) process.exitCode = 1;
