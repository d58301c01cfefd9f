// npm run truth:streams: windows of 10 to 5,000 rows and 1 to 64 columns over random streams of 20,000 rows, compared with
// fresh fits, bit for bit, before and after they are saved and loaded. The same as a test does with fewer rows.
import type { WindowDetector } from 'curvad/streams';
import { compareWithFits } from '../../test/support/windows.js';
import { printTable } from './support.js';

const { CAD, KNN, LandmarkCAD, LOF } = await import('curvad');
const { SlidingWindow } = await import('curvad/streams');

const UPDATES = Number(process.argv[2] ?? 20_000);
/** Fits of a large window take a while: fewer of them. */
const SAMPLES = [
  [10, 1, 300],
  [100, 3, 200],
  [1000, 10, 60],
  [1500, 64, 12],
  [5000, 4, 6],
] as const;
const DETECTORS: ReadonlyArray<readonly [string, (neighbors: number) => WindowDetector]> = [
  ['LandmarkCAD', () => new LandmarkCAD()],
  ['CAD', (neighbors) => new CAD({ neighbors, precision: 'double' })],
  ['CAD, standardized', (neighbors) => new CAD({ neighbors, precision: 'double', standardize: true })],
  ['KNN', (neighbors) => new KNN({ neighbors, precision: 'single' })],
  [
    'KNN, mean, in L1',
    (neighbors) => new KNN({ neighbors, precision: 'double', metric: 'manhattan', aggregate: 'mean' }),
  ],
  ['LOF', (neighbors) => new LOF({ neighbors, precision: 'double' })],
  ['LOF, standardized', (neighbors) => new LOF({ neighbors, precision: 'double', standardize: true })],
];

const lines = [['', ...SAMPLES.map(([window, columns]) => `${window} × ${columns}`)]];
for (const [name, make] of DETECTORS) {
  const compared = SAMPLES.map(([window, columns, most]) => {
    const detector = (): WindowDetector => make(window === 10 ? 4 : 10);
    return compareWithFits(SlidingWindow, { name, window, columns, updates: UPDATES, make: detector }, { most });
  });
  lines.push([name, ...compared.map(String)]);
}
console.log(`scores after ${UPDATES} updates that were compared with a fit on the rows of the window, all equal:`);
printTable(lines);
