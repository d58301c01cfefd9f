// npm run bench:kinds: the default detector on kinds of tables that people have, beside Isolation Forest and KNN, with
// columns taken as `curvad detect --missing indicator --dates both` takes them, and beside LandmarkCAD on a matrix of the
// same numbers, which does not know what stands for words. Mean AUROC and average precision over SEEDS from FIRST_SEED on.
import type { AnyDetector, FlatMatrix } from 'curvad';
import { TableReader, table as tableOfSource } from '../../src/tables/reader.js';
import { Random } from '../../test/support/data.js';
import { printTable } from '../speed/support.js';
import { KINDS } from './made-tables.js';

const { averagePrecision, IsolationForest, KNN, LandmarkCAD, rocAuc, table } = await import('curvad');

const SEEDS = Number(process.env['SEEDS'] ?? 10);
const FIRST = Number(process.env['FIRST_SEED'] ?? 1);

const AS_MATRIX = 'on a matrix';

const DETECTORS: Readonly<Record<string, (seed: number) => AnyDetector>> = {
  LandmarkCAD: (seed) => new LandmarkCAD({ seed }),
  [AS_MATRIX]: (seed) => new LandmarkCAD({ seed }),
  IsolationForest: (seed) => new IsolationForest({ seed }),
  KNN: () => new KNN({ standardize: true }),
};

const OPTIONS = { missing: 'indicator', dates: 'both' } as const;

function matrixOf(columns: Record<string, ArrayLike<unknown>>): FlatMatrix {
  const reader = new TableReader().learn(tableOfSource(columns, OPTIONS));
  const data = new Float64Array(reader.rows * reader.columns);
  reader.readTo(data, 0, reader.rows);
  return { data, rows: reader.rows, columns: reader.columns };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const lines = [['AUROC / average precision, %', ...Object.keys(DETECTORS), 'flagged by LandmarkCAD']];
for (const [kind, make] of Object.entries(KINDS)) {
  const cells = new Map<string, { auroc: number[]; precision: number[]; flagged: number[] }>();
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const { columns, labels } = make(new Random(seed));
    const rows = table(columns, OPTIONS);
    const matrix = matrixOf(columns);
    for (const [name, detectorOf] of Object.entries(DETECTORS)) {
      using detector = detectorOf(seed).fit(name === AS_MATRIX ? matrix : rows);
      const cell = cells.get(name) ?? { auroc: [], precision: [], flagged: [] };
      cell.auroc.push(rocAuc(labels, detector.scores));
      cell.precision.push(averagePrecision(labels, detector.scores));
      cell.flagged.push(detector.labels.reduce((sum, label) => sum + label, 0) / labels.length);
      cells.set(name, cell);
    }
  }
  const shown = [...cells.values()].map(
    ({ auroc, precision }) => `${(100 * mean(auroc)).toFixed(1)} / ${(100 * mean(precision)).toFixed(1)}`,
  );
  const flagged = Math.max(...(cells.get('LandmarkCAD')?.flagged ?? []));
  lines.push([kind, ...shown, `at most ${(100 * flagged).toFixed(1)} %`]);
}
printTable(lines);
