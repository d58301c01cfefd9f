// Named tables: columns of every kind with missing cells, as objects, columns, Arrow or text, fitted with every option, and
// new rows with columns in another order, unknown, missing or of another kind. What comes out is compared with a plain
// matrix that is made here, by what docs/tables.md says, with nothing of the library.
import { tableFromArrays } from '@uwdata/flechette';
import { type CurvadError, KNN, load, type TableOptions, table } from 'curvad';
import type { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, codeOf, promise } from '../attack.js';
import { same } from '../detectors.js';
import { chance, pick, shorter } from '../values.js';

type Kind = 'number' | 'whole' | 'boolean' | 'category' | 'text' | 'day' | 'time' | 'constant' | 'empty' | 'list';
type Cell = number | boolean | string | null;

interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** Times in milliseconds. */
  readonly cells: readonly Cell[];
}

type Shape = 'objects' | 'columns' | 'texts' | 'arrow';

interface Plan {
  readonly columns: readonly Column[];
  readonly fresh: readonly Column[];
  readonly options: Required<Pick<TableOptions, 'missing' | 'categories' | 'dates' | 'mostCategories'>>;
  readonly shape: Shape;
  readonly freshShape: Shape;
  /** How missing cells are written. */
  readonly nothing: number;
  /** What is wrong with the new rows. */
  readonly change: 'nothing' | 'a column is missing' | 'a column is new' | 'text for a number';
}

const KINDS: readonly Kind[] = [
  ...(['number', 'number', 'whole', 'boolean', 'category', 'category', 'text', 'day', 'time'] as const),
  ...(['constant', 'empty', 'list'] as const),
];
const NAMES = [
  'a',
  'b',
  'A',
  'x y',
  ' padded ',
  'é',
  '__proto__',
  'constructor',
  'length',
  '0',
  'a=b',
  '"quoted"',
  'toString',
];
const WORDS = [
  'red',
  'green',
  'blue',
  'x',
  'Yes',
  'no',
  'élan',
  '<b>',
  'a=b',
  '__proto__',
  'constructor',
  'zwei Wörter',
];
const NOTHING: readonly unknown[] = [null, undefined, Number.NaN, '', 'NA', ' n/a '];
const DAY = 86_400_000;
const EPOCH_DAYS = 20_000;

function drawCell(random: Random, kind: Kind): Cell {
  switch (kind) {
    case 'number':
      return Math.round(random.gaussian() * 1e6) / 1e4;
    case 'whole':
      return random.integer(50) - 10;
    case 'boolean':
      return chance(random, 0.4);
    case 'category':
      return WORDS[random.integer(5)] as string;
    case 'text':
      return `${pick(random, WORDS)} ${random.integer(1000)}`;
    case 'day':
      return (EPOCH_DAYS + random.integer(500)) * DAY;
    case 'time':
      return EPOCH_DAYS * DAY + random.integer(1e6) * 1000 + 1;
    case 'constant':
      return 'same';
    case 'empty':
      return null;
    case 'list':
      return '[1,2]';
  }
}

class Tables implements Attack<Plan> {
  draw(random: Random): Plan {
    const rows = 4 + random.integer(40);
    const chosen = [...NAMES].sort(() => random.uniform() - 0.5).slice(0, 1 + random.integer(6));
    const names = chosen.sort((a, b) => Number(b === '0') - Number(a === '0')); // as objects have their keys
    const drawn = names.map((name) => ({ name, kind: pick(random, KINDS), share: chance(random, 0.4) ? 0.15 : 0 }));
    const of = (count: number, more = 0): Column[] =>
      drawn.map(({ name, kind, share }) => ({
        name,
        kind,
        cells: Array.from({ length: count }, () => (chance(random, share + more) ? null : drawCell(random, kind))),
      }));
    return {
      columns: of(rows),
      fresh: of(3, chance(random, 0.3) ? 0.2 : 0),
      options: {
        missing: pick(random, ['error', 'median', 'indicator', 'drop']),
        categories: pick(random, ['omit', 'frequency']),
        dates: pick(random, ['omit', 'epoch', 'cycles', 'both']),
        mostCategories: pick(random, [2, 5, 10, 10]),
      },
      shape: pick(random, ['objects', 'columns', 'texts', 'arrow']),
      freshShape: pick(random, ['objects', 'columns', 'texts', 'arrow']),
      nothing: random.integer(NOTHING.length),
      change: pick(random, [
        'nothing',
        'nothing',
        'nothing',
        'a column is missing',
        'a column is new',
        'text for a number',
      ]),
    };
  }

  run(plan: Plan): string {
    const { columns, options, shape } = plan;
    const expected = learn(columns, options);
    using detector = new KNN({ neighbors: 1, precision: 'double' });
    let refusal: CurvadError | undefined;
    try {
      detector.fit(table(written(columns, shape, plan) as never, options) as never);
    } catch (error) {
      codeOf(error);
      refusal = error as CurvadError;
    }
    if (typeof expected === 'string') {
      promise(refusal?.code === expected, () => `it ends with ${refusal?.code ?? 'a fit'} instead of ${expected}`);
      return expected;
    }
    const { matrix } = encode(columns, expected);
    using plain = new KNN({ neighbors: 1, precision: 'double' });
    let plainCode: string | undefined;
    try {
      plain.fit(matrix);
    } catch (error) {
      plainCode = codeOf(error);
    }
    promise(refusal?.code === plainCode, () => `it ends with ${refusal?.message}, its matrix with ${plainCode}`);
    if (plainCode !== undefined) return plainCode;
    check('training rows score', detector.scores, plain.scores, hasCycles(options));
    return this.#fresh(plan, expected, detector, plain);
  }

  /** New rows, found by name. */
  #fresh(plan: Plan, recipe: Feature[], detector: KNN, plain: KNN): string {
    const { fresh, change } = changedRows(plan, recipe);
    const expected = refusalOf(fresh, recipe, plan, change);
    const rows = written([...fresh].reverse(), plan.freshShape, plan);
    using loaded = load(detector.toBytes());
    for (const model of [detector, loaded]) {
      let scores: Float64Array;
      try {
        scores = model.score(rows as never);
      } catch (error) {
        const code = codeOf(error);
        promise(expected.includes(code), () => `new rows: ${(error as Error).message}, where ${expected} is right`);
        continue;
      }
      promise(expected.length === 0, () => `new rows are scored where ${expected} is right`);
      const { matrix, kept } = encode(fresh, recipe);
      const plainScores = matrix.length === 0 ? [] : plain.score(matrix);
      const spread = (fresh[0]?.cells ?? []).map((_, row) => {
        const at = kept.indexOf(row);
        return at < 0 ? Number.NaN : (plainScores[at] as number);
      });
      check('new rows score', scores, spread, hasCycles(plan.options));
    }
    return expected[0] ?? 'scored';
  }

  *smaller(plan: Plan): Generator<Plan> {
    for (let j = 0; j < plan.columns.length; j++) {
      const without = (columns: readonly Column[]) => columns.filter((_, at) => at !== j);
      if (plan.columns.length > 1) yield { ...plan, columns: without(plan.columns), fresh: without(plan.fresh) };
    }
    const rows = (plan.columns[0]?.cells ?? []).map((_, i) => i);
    for (const left of shorter(rows, 1)) {
      const columns = plan.columns.map((column) => ({ ...column, cells: left.map((i) => column.cells[i] as Cell) }));
      yield { ...plan, columns };
    }
    if (plan.shape !== 'columns') yield { ...plan, shape: 'columns' };
    if (plan.freshShape !== 'columns') yield { ...plan, freshShape: 'columns' };
    if (plan.change !== 'nothing') yield { ...plan, change: 'nothing' };
  }
}

const hasCycles = ({ dates }: Plan['options']): boolean => dates === 'cycles' || dates === 'both';

/** To the bit, but for sines. */
function check(what: string, scores: ArrayLike<number>, expected: ArrayLike<number>, isNear: boolean): void {
  const isSame = isNear
    ? scores.length === expected.length &&
      Array.from(scores).every((score, i) => {
        const wanted = expected[i] as number;
        return Object.is(score, wanted) || Math.abs(score - wanted) <= 1e-7 * Math.max(1, Math.abs(wanted));
      })
    : same(scores, expected);
  promise(isSame, () => `${what} otherwise: ${Array.from(scores)} instead of ${Array.from(expected)}`);
}

/** A column of the matrix or several, of one column of the table. */
interface Feature {
  readonly name: string;
  readonly kind: 'number' | 'boolean' | 'category' | 'frequency' | 'time';
  readonly fill: number;
  readonly words: readonly string[];
  readonly shares: readonly number[];
  readonly parts: readonly ('epoch' | 'hour' | 'weekday')[];
  readonly hasIndicator: boolean;
  readonly missing: string;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : (sorted[middle - 1] as number) / 2 + (sorted[middle] as number) / 2;
}

/** What the table becomes, or the code of the error that is right. */
function learn(columns: readonly Column[], options: Plan['options']): Feature[] | string {
  const features = columns.flatMap((column) => featureOf(column, options));
  if (features.length === 0) return 'NO_COLUMNS';
  const used = columns.filter(({ name }) => features.some((feature) => feature.name === name));
  const lacks = (row: number): boolean => used.some(({ cells }) => cells[row] === null);
  const rows = (columns[0] as Column).cells.map((_, row) => row);
  if (options.missing === 'error' && rows.some(lacks)) return 'MISSING_VALUE';
  if (options.missing === 'drop' && rows.every(lacks)) return 'MISSING_VALUE';
  return features;
}

function featureOf({ name, kind, cells }: Column, options: Plan['options']): Feature[] {
  const present = cells.filter((cell) => cell !== null);
  if (present.length === 0 || kind === 'empty' || kind === 'list' || kind === 'constant') return [];
  const fills = options.missing === 'median' || options.missing === 'indicator';
  const base = {
    name,
    fill: Number.NaN,
    words: [],
    shares: [],
    parts: [],
    hasIndicator: options.missing === 'indicator' && present.length < cells.length,
    missing: options.missing,
  };
  if (kind === 'number' || kind === 'whole')
    return [{ ...base, kind: 'number', fill: fills ? median(present as number[]) : Number.NaN }];
  if (kind === 'boolean') {
    const trues = present.filter((cell) => cell === true).length;
    return [{ ...base, kind: 'boolean', fill: fills ? Number(2 * trues > present.length) : Number.NaN }];
  }
  if (kind === 'day' || kind === 'time') {
    if (options.dates === 'omit') return [];
    const cycles = kind === 'day' ? (['weekday'] as const) : (['hour', 'weekday'] as const);
    const parts =
      options.dates === 'epoch'
        ? (['epoch'] as const)
        : options.dates === 'cycles'
          ? cycles
          : (['epoch', ...cycles] as const);
    return [{ ...base, kind: 'time', parts, fill: fills ? median(present as number[]) : Number.NaN }];
  }
  const words = [...new Set(present as string[])];
  if (words.length < 2) return [];
  if (words.length <= options.mostCategories) return [{ ...base, kind: 'category', words }];
  if (options.categories === 'omit') return [];
  const shares = words.map((word) => present.filter((cell) => cell === word).length / present.length);
  return [{ ...base, kind: 'frequency', words, shares }];
}

/** The matrix of a table, and which rows are in it. */
function encode(columns: readonly Column[], recipe: readonly Feature[]): { matrix: number[][]; kept: number[] } {
  const cellsOf = (feature: Feature) => (columns.find(({ name }) => name === feature.name) as Column).cells;
  const rows = (columns[0] as Column).cells.map((_, row) => row);
  const kept = rows.filter(
    (row) => recipe[0]?.missing !== 'drop' || recipe.every((feature) => cellsOf(feature)[row] !== null),
  );
  return {
    kept,
    matrix: kept.map((row) => recipe.flatMap((feature) => numbersOf(feature, cellsOf(feature)[row] as Cell))),
  };
}

function numbersOf(feature: Feature, cell: Cell): number[] {
  const indicator = feature.hasIndicator ? [Number(cell === null)] : [];
  switch (feature.kind) {
    case 'category':
      return [...feature.words.map((word) => Number(word === cell)), ...indicator];
    case 'frequency':
      return [feature.shares[feature.words.indexOf(cell as string)] ?? 0, ...indicator];
    case 'time':
      return [...feature.parts.flatMap((part) => partOf(part, (cell ?? feature.fill) as number)), ...indicator];
    default:
      return [Number(cell ?? feature.fill), ...indicator];
  }
}

function partOf(part: 'epoch' | 'hour' | 'weekday', time: number): number[] {
  if (part === 'epoch') return [time / DAY];
  const date = new Date(time);
  const intoDay = (time - Math.floor(time / DAY) * DAY) / DAY;
  const turn = part === 'hour' ? intoDay : (((date.getUTCDay() + 6) % 7) + intoDay) / 7;
  return [Math.sin(2 * Math.PI * turn), Math.cos(2 * Math.PI * turn)];
}

/** The new rows as the plan changes them. */
function changedRows({ fresh, change }: Plan, recipe: readonly Feature[]): { fresh: Column[]; change: Plan['change'] } {
  const first = recipe[0] as Feature;
  if (change === 'a column is missing' && fresh.length > 1)
    return { fresh: fresh.filter(({ name }) => name !== first.name), change };
  if (change === 'a column is new')
    return {
      fresh: [{ name: 'brand new', kind: 'number', cells: fresh[0]?.cells.map(() => 7) ?? [] }, ...fresh],
      change,
    };
  if (change === 'text for a number' && first.kind === 'number') {
    const cells = (column: Column): Cell[] => column.cells.map(() => 'word');
    return {
      fresh: fresh.map((one) => (one.name === first.name ? { ...one, kind: 'text', cells: cells(one) } : one)),
      change,
    };
  }
  return { fresh: [...fresh], change: 'nothing' };
}

/** The codes with which new rows may be refused; none where they are scored. */
function refusalOf(fresh: readonly Column[], recipe: readonly Feature[], plan: Plan, change: Plan['change']): string[] {
  if (change === 'a column is missing') return ['COLUMNS_MISSING'];
  const lacks = (row: number): boolean =>
    recipe.some(({ name }) => fresh.find((column) => column.name === name)?.cells[row] === null);
  const rows = (fresh[0] as Column).cells.map((_, row) => row);
  const missing = plan.options.missing;
  // Which of two errors comes first is not promised.
  const isMissing = (missing === 'error' && rows.some(lacks)) || (missing === 'drop' && rows.every(lacks));
  const isText = change === 'text for a number';
  return [...(isMissing ? ['MISSING_VALUE'] : []), ...(isText ? ['CELL_TYPE'] : [])];
}

/** A table as somebody has it. */
function written(columns: readonly Column[], shape: Shape, { nothing }: Plan): unknown {
  const missing = NOTHING[nothing];
  const isText = shape === 'texts';
  const value = (kind: Kind, cell: Cell): unknown => {
    if (cell === null) return missing;
    if (kind === 'day') return new Date(cell as number).toISOString().slice(0, 10);
    if (kind === 'time') return isText ? new Date(cell as number).toISOString() : new Date(cell as number);
    if (kind === 'list') return [1, 2];
    return isText ? (typeof cell === 'boolean' ? String(cell).toUpperCase() : String(cell)) : cell;
  };
  const arrays = columns.map(({ name, kind, cells }) => [name, cells.map((cell) => value(kind, cell))] as const);
  if (shape === 'arrow') return arrowOf(columns) ?? fromEntries(arrays);
  if (shape === 'columns') return fromEntries(arrays);
  const rows = columns[0]?.cells.length ?? 0;
  return Array.from({ length: rows }, (_, row) => fromEntries(arrays.map(([name, values]) => [name, values[row]])));
}

/** An object with any keys of its own. */
function fromEntries(entries: ReadonlyArray<readonly [string, unknown]>): object {
  const made = {};
  for (const [name, value] of entries)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

/** Arrow, where its columns can hold the cells. */
function arrowOf(columns: readonly Column[]): unknown {
  // Flechette takes names for those of types.
  if (columns.some(({ name }) => name in {})) return undefined;
  if (columns.some(({ kind }) => kind === 'list' || kind === 'day' || kind === 'empty')) return undefined;
  if (columns.some(({ cells }) => cells.every((cell) => cell === null))) return undefined;
  const arrays = columns.map(({ name, kind, cells }) => [
    name,
    kind === 'time' ? cells.map((cell) => (cell === null ? null : new Date(cell as number))) : [...cells],
  ]);
  return tableFromArrays(arrays as never);
}

export const tables: Area = {
  name: 'tables',
  about: 'tables with names become the numbers that the documents say, whatever their shape and what new rows lack',
  share: 6,
  begin: async () => attack(new Tables()),
};
