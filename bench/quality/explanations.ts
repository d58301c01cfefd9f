// npm run bench:explain: do explanations hold? On real data sets, with every detector: the share of flagged rows whose
// counterfactual is labelled normal, the columns it changes, and the share that a KNN detector of its own, which is
// used for nothing else, does not count among the top tenth; the share of rows whose one tampered column is named
// first; whether frozen columns stay bit for bit.
import type { AnyDetector, Explanation } from 'curvad';
import { dataDirectory, loadData, Random, rowsOf } from '../../test/support/data.js';
import { printTable } from '../speed/support.js';
import { DETECTORS } from './detectors.js';

const { explain, explainRows, KNN } = await import('curvad');

const SETS = (process.env['SETS'] ?? 'wine,letter,cardio,vowels,WDBC,mammography').split(',');
/** Rows explained of each set and detector, at most. */
const ROWS = Number(process.env['ROWS'] ?? 100);
/** Deviations a tampered column is moved by, away from its mean. */
const TAMPERED = 6;

type Rows = readonly Float64Array[];

/** Shares are of the rows explained. */
interface Result {
  readonly explained: number;
  readonly normal: number;
  readonly ordinary: number;
  readonly changed: readonly number[];
  readonly named: number;
  readonly isFrozenKept: boolean;
  readonly silent: number;
}

/** Whether a KNN detector counts rows among the top tenth of the training rows; in deviations and as they are. */
function extremes(X: Rows): (row: ArrayLike<number>) => boolean {
  const judges = [true, false].map((isScaled) => {
    const knn = new KNN({ standardize: isScaled }).fit(X);
    return { knn, cut: knn.scores.slice().sort()[Math.floor(0.9 * (X.length - 1))] as number };
  });
  return (row) => judges.some(({ knn, cut }) => (knn.score([row])[0] as number) > cut);
}

function some<T>(list: readonly T[], count: number, seed: number): T[] {
  const order = new Random(seed).permutation(list.length).slice(0, count);
  return order.sort((a, b) => a - b).map((i) => list[i] as T);
}

function measure(detector: AnyDetector, X: Rows, isExtreme: (row: ArrayLike<number>) => boolean): Result {
  const { labels } = detector.fit(X);
  const flagged = some(
    [...labels.keys()].filter((i) => labels[i] === 1),
    ROWS,
    1,
  );
  const explanations = explainRows(
    detector,
    flagged.map((i) => X[i] as Float64Array),
  );
  const isNormal = ({ counterfactual: { row } }: Explanation): boolean => detector.predict([row])[0] === 0;
  const normal = explanations.filter(isNormal);
  return {
    explained: flagged.length,
    normal: normal.length / flagged.length,
    ordinary: explanations.filter(({ counterfactual: { row } }) => !isExtreme(row)).length / flagged.length,
    changed: normal.map(({ changes }) => changes.length).sort((a, b) => a - b),
    named: namedFirst(detector, X),
    isFrozenKept: some(flagged, 20, 2).every((i) => keepsFrozen(detector, X[i] as Float64Array)),
    silent: explanations.filter(({ counterfactual }) => !counterfactual.isNormal && !counterfactual.why).length,
  };
}

/** The share of normal rows, tampered with in one column each, for which that column is named first. */
function namedFirst(detector: AnyDetector, X: Rows): number {
  const { labels } = detector;
  const columns = momentsOf(X);
  const varied = columns.flatMap(({ deviation }, j) => (deviation > 0 ? [j] : []));
  const random = new Random(3);
  const normal = some(
    X.filter((_, i) => labels[i] === 0),
    ROWS,
    4,
  );
  const hits = normal.filter((row) => {
    const column = varied[random.integer(varied.length)] as number;
    const { mean, deviation } = columns[column] as { mean: number; deviation: number };
    const tampered = row.slice();
    tampered[column] = (row[column] as number) + TAMPERED * deviation * ((row[column] as number) < mean ? -1 : 1);
    return explain(detector, tampered).columns[0]?.feature === column;
  });
  return hits.length / normal.length;
}

function keepsFrozen(detector: AnyDetector, row: Float64Array): boolean {
  const frozen = [...row.keys()].filter((j) => j % 3 === 0);
  const { counterfactual, changes } = explain(detector, row, { frozen });
  const isKept = frozen.every((j) => Object.is(counterfactual.row[j], row[j]));
  return isKept && changes.every(({ feature }) => !frozen.includes(feature));
}

function momentsOf(X: Rows): Array<{ mean: number; deviation: number }> {
  return Array.from(X[0] as Float64Array, (_, j) => {
    const mean = X.reduce((sum, row) => sum + (row[j] as number) / X.length, 0);
    const variance = X.reduce((sum, row) => sum + ((row[j] as number) - mean) ** 2 / X.length, 0);
    return { mean, deviation: Math.sqrt(variance) };
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1] ?? 0;
const misses: string[] = [];

function check(value: string, isReached: boolean, what: string): string {
  if (!isReached) misses.push(`${what}: ${value}`);
  return isReached ? value : `${value} !`;
}

function row(name: string, detector: string, columns: number, result: Result): string[] {
  const { explained, normal, ordinary, changed, named, isFrozenKept, silent } = result;
  const where = `${name}, ${detector}`;
  if (explained === 0)
    return [name, detector, '0', '', '', '', check(percent(named), named >= 0.9, `${where}: named first`), ''];
  const most = Math.floor(columns / 3);
  return [
    name,
    detector,
    String(explained),
    check(percent(normal), normal >= 0.95 && silent === 0, `${where}: normal`),
    check(percent(ordinary), ordinary >= 0.95, `${where}: outside the top tenth`),
    check(`${median(changed)} of ${columns}`, median(changed) <= most, `${where}: changed columns`),
    check(percent(named), named >= 0.9, `${where}: named first`),
    check(isFrozenKept ? 'yes' : 'no', isFrozenKept, `${where}: frozen`),
  ];
}

function quality(): void {
  const lines = [['set', 'detector', 'rows', 'normal', 'outside', 'changed', 'named', 'frozen']];
  const all = new Map<string, number[]>();
  for (const name of SETS) {
    const set = loadData(name);
    const X = rowsOf(set);
    const isExtreme = extremes(X);
    for (const [title, make] of Object.entries(DETECTORS)) {
      using detector = make();
      const result = measure(detector, X, isExtreme);
      lines.push(row(name, title, set.columns, result));
      all.set(title, [...(all.get(title) ?? []), ...result.changed.map((changed) => changed / set.columns)]);
    }
  }
  printTable(lines);
  console.log('\nshare of the columns changed, median over all sets:');
  for (const [title, shares] of all) {
    const share = median(shares.sort((a, b) => a - b));
    console.log(
      `  ${title.padEnd(16)} ${check(percent(share), share <= 1 / 3, `${title}: changed columns, all sets`)}`,
    );
  }
}

if (dataDirectory() === undefined)
  console.log('quality is not measured: set CURVAD_DATA to the folder of the data sets');
else quality();
if (misses.length > 0) {
  console.log(`\nmissed:\n  ${misses.join('\n  ')}`);
  process.exitCode = 1;
}
