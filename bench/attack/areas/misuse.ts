// The interface used as it must not be: rows and options of every wrong kind, objects that run code when they are read,
// buffers that were taken away or grow, other realms, a polluted Object.prototype, calls within calls. Each call ends in an
// error of its own or with a right result, and leaves everything else as it was.
import { createContext, runInContext } from 'node:vm';
import * as curvad from 'curvad';
import { SeriesDetector, SlidingWindow } from 'curvad/streams';
import { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, promise } from '../attack.js';
import { type AnyDetector, DETECTORS, same } from '../detectors.js';
import { chance, EDGE_VALUES, pick } from '../values.js';

type Rows = number[][];

interface Plan {
  readonly kind: string;
  readonly call: string;
  /** What is made wrong of the argument. */
  readonly trick: string;
  /** For tricks that use one. */
  readonly value: unknown;
  readonly seed: number;
}

/** Thrown by code of the caller's. */
class Thrown extends Error {}

const REALM = createContext({});
const inRealm = (code: string): unknown => runInContext(code, REALM);

/** What a trick may do while its argument is read: use the library. */
interface Scene {
  readonly random: Random;
  readonly value: unknown;
  readonly reenter: () => void;
}

/** A buffer that may become half or twice as long. */
function resizable(bytes: number): ArrayBuffer & { resize(bytes: number): void } {
  const Resizable = ArrayBuffer as unknown as new (bytes: number, options: object) => ReturnType<typeof resizable>;
  return new Resizable(bytes, { maxByteLength: 2 * bytes });
}

type Trick = (rows: Rows, scene: Scene) => unknown;

const flat = (rows: Rows) => ({
  data: Float64Array.from(rows.flat()),
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
});

/** Rows of which one has an element that runs code. */
function withGetter(rows: Rows, random: Random, code: () => unknown): Rows {
  const copy = rows.map((row) => [...row]);
  const row = pick(random, copy);
  Object.defineProperty(row, random.integer(row.length), { get: code, enumerable: true });
  return copy;
}

const replaced = (rows: Rows, { random, value }: Scene): unknown => {
  const copy: unknown[] = rows.map((row) => [...row]);
  copy[random.integer(copy.length)] = value;
  return copy;
};

const TRICKS: Readonly<Record<string, Trick>> = {
  'as it should be': (rows) => rows,
  'another value': (_, { value }) => value,
  'a row that is another value': replaced,
  'a cell that is another value': (rows, { random, value }) => {
    const copy = rows.map((row): unknown[] => [...row]);
    pick(random, copy)[0] = value;
    return copy;
  },
  'a ragged row': (rows, { random }) => [...rows, (rows[0] as number[]).slice(random.integer(2))],
  holes: (rows) => {
    const copy = rows.map((row) => [...row]);
    delete (copy[1] as number[])[0];
    return copy;
  },
  'a hole for a row': (rows) => {
    const copy = [...rows];
    delete copy[1];
    return copy;
  },
  'a getter that throws': (rows, { random }) =>
    withGetter(rows, random, () => {
      throw new Thrown('mine');
    }),
  'a getter that uses the library': (rows, { random, reenter }) =>
    withGetter(rows, random, () => {
      reenter();
      return 1;
    }),
  'a getter that changes its mind': (rows, { random }) => {
    let turn = 0;
    const values: unknown[] = [1, 2, Number.NaN, Infinity, '3', {}, 1e300];
    return withGetter(rows, random, () => values[turn++ % values.length]);
  },
  'a proxy': (rows) => new Proxy(rows, {}),
  'proxies of rows': (rows) => rows.map((row) => new Proxy(row, {})),
  'a revoked proxy': (rows) => {
    const { proxy, revoke } = Proxy.revocable(rows, {});
    revoke();
    return proxy;
  },
  'a proxy that lies about its length': (rows, { value }) =>
    new Proxy(rows, { get: (target, key) => (key === 'length' ? value : Reflect.get(target, key)) }),
  'a row that lies about its length': (rows, { random, value }) => {
    const copy: unknown[] = [...rows];
    copy[random.integer(copy.length)] = { length: value, 0: 1, 1: 2, 2: 3 };
    return copy;
  },
  'rows that shorten others': (rows, { random }) => {
    const copy: Rows = withGetter(rows, random, () => {
      copy.length = 1;
      return 1;
    });
    return copy;
  },
  'typed rows': (rows) => rows.map((row) => Float32Array.from(row)),
  'rows of whole numbers': (rows) => rows.map((row) => Int16Array.from(row, (value) => value * 100)),
  'big integers': (rows) => rows.map((row) => BigInt64Array.from(row, (value) => BigInt(Math.round(value)))),
  'a detached buffer': (rows) => {
    const matrix = flat(rows);
    structuredClone(matrix.data.buffer, { transfer: [matrix.data.buffer] });
    return matrix;
  },
  'detached rows': (rows) =>
    rows.map((row) => {
      const typed = Float64Array.from(row);
      structuredClone(typed.buffer, { transfer: [typed.buffer] });
      return typed;
    }),
  'a buffer that shrank': (rows) => {
    const { data, ...shape } = flat(rows);
    const buffer = resizable(data.byteLength);
    const view = new Float64Array(buffer);
    view.set(data);
    buffer.resize(data.byteLength - 8);
    return { data: view, ...shape };
  },
  'a view out of bounds': (rows) => {
    const { data, ...shape } = flat(rows);
    const buffer = resizable(data.byteLength);
    const view = new Float64Array(buffer, 0, data.length);
    view.set(data);
    buffer.resize(8);
    return { data: view, ...shape };
  },
  'a buffer that can grow': (rows) => {
    const { data, ...shape } = flat(rows);
    const view = new Float64Array(resizable(data.byteLength));
    view.set(data);
    return { data: view, ...shape };
  },
  'shared memory': (rows) => {
    const { data, ...shape } = flat(rows);
    const view = new Float64Array(new SharedArrayBuffer(data.byteLength));
    view.set(data);
    return { data: view, ...shape };
  },
  'memory of WebAssembly': (rows) => {
    const { data, ...shape } = flat(rows);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
    const view = new Float64Array(memory.buffer, 0, data.length);
    view.set(data);
    return { data: view, ...shape };
  },
  'rows of another realm': (rows) => inRealm(JSON.stringify(rows)),
  'typed rows of another realm': (rows) => inRealm(`${JSON.stringify(rows)}.map((row) => new Float64Array(row))`),
  'shared memory of another realm': (rows) => {
    const { rows: count, columns } = flat(rows);
    const code = `({ data: new Float64Array(new SharedArrayBuffer(${8 * count * columns})), rows: ${count}, columns: ${columns} })`;
    return inRealm(code);
  },
  'a count that is another value': (rows, { random, value }) => ({
    ...flat(rows),
    [pick(random, ['rows', 'columns', 'data'])]: value,
  }),
  'a matrix whose get throws': (rows) => ({
    rows: rows.length,
    columns: 3,
    get() {
      throw new Thrown('mine');
    },
  }),
  'a matrix whose get answers otherwise each time': (rows, { random }) => ({
    rows: rows.length,
    columns: 3,
    get: () => random.gaussian(),
  }),
  'a matrix whose get uses the library': (rows, { reenter }) => ({
    rows: rows.length,
    columns: 3,
    get: (i: number, j: number) => {
      reenter();
      return (rows[i] as number[])[j];
    },
  }),
  'a subclass of Array': (rows) => {
    class Table extends Array<number[]> {
      override map(): never {
        throw new Thrown('mine');
      }
    }
    return Table.from(rows, (row) => row);
  },
  frozen: (rows) => Object.freeze(rows.map((row) => Object.freeze([...row]))),
  'objects with an odd key': (rows) =>
    rows.map(([a, b, c]) => Object.defineProperty({ a, b }, '__proto__', { value: c, enumerable: true })),
  'objects whose getters throw': (rows) =>
    rows.map(([a], i) => ({
      a,
      get b() {
        if (i === 5) throw new Thrown('mine');
        return i;
      },
    })),
  'columns that are another value': (rows, { value }) => ({ a: rows.map(([a]) => a), b: value }),
  'an object that refuses to be text': (rows) =>
    rows.map(([a, b], i) => ({ a, b, c: i % 2 ? { toJSON: () => ({ toString: 1n }) } : Symbol('c') })),
  'circles of objects': (rows) => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    return rows.map(([a, b]) => ({ a, b, c: circle }));
  },
  'a thenable': (rows) =>
    Object.assign([...rows], {
      // biome-ignore lint/suspicious/noThenProperty: what awaits it must not take it for a promise.
      then() {
        throw new Thrown('mine');
      },
    }),
};

const OPTION_NAMES = [
  'neighbors',
  'kernel',
  'gamma',
  'degree',
  'precision',
  'standardize',
  'orientation',
  'metric',
  'landmarks',
  'seed',
  'trees',
  'nu',
  'tolerance',
  'maxIterations',
  'supportFraction',
  'contamination',
  'threshold',
  'backend',
  '__proto__',
  'constructor',
];

type Call = (detector: AnyDetector, argument: unknown, plan: Plan) => unknown;

/** Calls of a fitted detector with a spoilt argument. */
const CALLS: Readonly<Record<string, Call>> = {
  fit: (detector, rows) => detector.fit(rows as Rows),
  score: (detector, rows) => detector.score(rows as Rows),
  scoreInto: (detector, rows) => detector.scoreInto(rows as Rows, new Float64Array(100)),
  'scoreInto room': (detector, room) => detector.scoreInto(FRESH, room as Float64Array),
  predict: (detector, rows) => detector.predict(rows as Rows),
  probability: (detector, rows) => detector.probability(rows as Rows),
  fitAsync: (detector, rows) => detector.fitAsync(rows as Rows, { threads: 0 }),
  scoreAsync: (detector, rows) => detector.scoreAsync(rows as Rows, { threads: 0 }),
  'async options': (detector, options) => detector.scoreAsync(FRESH, options as object),
  'async threads': (detector, threads) => detector.scoreAsync(FRESH, { threads: threads as number }),
  'async signal': (detector, signal) => detector.scoreAsync(FRESH, { threads: 0, signal: signal as AbortSignal }),
  top: (detector, count) => detector.top(count as number),
  load: (_, bytes) => curvad.load(bytes as Uint8Array),
  explain: (detector, row) => curvad.explain(detector, oneOf(row) as number[]),
  explainRows: (detector, rows) => curvad.explainRows(detector, rows as Rows),
  'explain options': (detector, options) => curvad.explain(detector, 0, options as object),
  'a new detector': ({ constructor: Kind }, options) => new (Kind as new (options: unknown) => AnyDetector)(options),
  'an option': ({ constructor: Kind }, value, { seed }) =>
    new (Kind as new (options: unknown) => AnyDetector)(
      Object.fromEntries([[OPTION_NAMES[seed % OPTION_NAMES.length], value]]),
    ).fit(ROWS),
  table: (detector, rows) => detector.score(curvad.table(rows as never) as never),
  'table options': (_, options) => new curvad.KNN().fit(curvad.table(ROWS, options as object) as never),
  neighbors: (_, rows) => new curvad.NearestNeighbors(rows as Rows).of(FRESH, 2),
  'neighbors of': (_, rows) => new curvad.NearestNeighbors(ROWS).of(rows as Rows, 2),
  crossValidate: (_, labels) => curvad.crossValidate(() => new curvad.KNN({ neighbors: 3 }), ROWS, labels as number[]),
  window: (_, row) => windowed().update(oneOf(row) as number[]),
  'window options': (_, options) => new SlidingWindow(new curvad.KNN({ neighbors: 3 }), options as never),
  series: (_, row) => new SeriesDetector({ warmup: 5 }).update(oneOf(row) as number[]),
  'a value of a series': (_, value) => new SeriesDetector({ warmup: 5 }).update(value as number),
  rocAuc: (_, scores) => curvad.rocAuc(scores as number[], LABELS),
  landscape: (detector, options) => curvad.landscape(detector as curvad.CAD, options as never),
  anomalyPath: (detector, row) =>
    curvad.anomalyPath(detector as curvad.CAD, oneOf(row) as number[], { stop: 'minimum' }),
  select: (_, rows, { seed }) => selector(seed).select(rows as Rows, LABELS, { keep: 0.3 }),
  'labels of select': (_, labels, { seed }) => selector(seed).select(ROWS, labels as number[], { keep: 0.3 }),
  'options of select': (_, options, { seed }) => selector(seed).select(ROWS, LABELS, options as curvad.SelectOptions),
};

const ROWS: Rows = new Random(19).rows(30, 3).map((row) => [...row]);
const FRESH: Rows = new Random(20).rows(4, 3).map((row) => [...row]);
const LABELS = ROWS.map((_, i) => Number(i % 5 === 0));

/** A row, where there are several. */
const oneOf = (rows: unknown): unknown => (Array.isArray(rows) ? rows[0] : rows);

const SELECTORS = Object.values(curvad).filter(
  (value) => typeof value === 'function' && value.prototype instanceof curvad.PrototypeSelector,
) as unknown as Array<new () => curvad.InverseCAD>;

const selector = (seed: number): curvad.InverseCAD =>
  new (SELECTORS[seed % SELECTORS.length] as (typeof SELECTORS)[0])();

function windowed(): SlidingWindow {
  const window = new SlidingWindow(new curvad.KNN({ neighbors: 3 }), { window: 10 });
  for (const row of FRESH) window.update(row);
  return window;
}

interface Prepared {
  readonly kind: string;
  readonly file: Uint8Array;
  readonly scores: Float64Array;
}

class Misuse implements Attack<Plan> {
  readonly #models: readonly Prepared[] = Object.entries(DETECTORS).map(([kind, Kind]) => {
    const detector = new Kind().fit(ROWS);
    const scores = detector.score(FRESH);
    const file = detector.toBytes();
    detector.dispose();
    return { kind, file, scores };
  });
  readonly #watched = new curvad.KNN({ neighbors: 3 }).fit(ROWS);
  readonly #expected = this.#watched.score(FRESH);

  draw(random: Random): Plan {
    return {
      kind: pick(random, this.#models).kind,
      call: pick(random, Object.keys(CALLS)),
      trick: pick(random, Object.keys(TRICKS)),
      value: chance(random, 0.9) ? pick(random, EDGE_VALUES) : undefined,
      seed: random.integer(2 ** 30),
    };
  }

  async run(plan: Plan): Promise<string> {
    // As many trees as that are made, if somebody has the time.
    const isEndless = plan.call === 'an option' && typeof plan.value === 'number' && plan.value > 1e6;
    if (isEndless && OPTION_NAMES[plan.seed % OPTION_NAMES.length] === 'trees') return 'endless';
    const model = this.#models.find(({ kind }) => kind === plan.kind) as Prepared;
    const detector = curvad.load(model.file);
    const { argument, inner } = this.#argument(plan, detector);
    const before = process.cpuUsage();
    let ending = 'done';
    try {
      const result = (CALLS[plan.call] as Call)(detector, argument, plan);
      checkResult(plan, result instanceof Promise ? await result : result);
    } catch (error) {
      ending = endingOf(error, plan);
    }
    const { user } = process.cpuUsage(before);
    promise(user < 5e6, () => `${plan.call} with ${plan.trick} took ${user / 1e6} s`);
    // What is refused leaves the detector as it was, and no call touches another detector.
    const isAsItWas = (ending !== 'done' || !plan.call.startsWith('fit')) && !inner.isChanged;
    if (isAsItWas)
      promise(same(detector.score(FRESH), model.scores), () => `${plan.call} with ${plan.trick} changed its detector`);
    promise(same(this.#watched.score(FRESH), this.#expected), () => 'another detector scores otherwise');
    promise(Object.keys(Object.prototype).length === 0, () => 'Object.prototype was changed');
    detector.dispose();
    return ending;
  }

  *smaller(plan: Plan): Generator<Plan> {
    if (plan.value !== undefined) yield { ...plan, value: undefined };
  }

  #argument({ trick, value, seed }: Plan, detector: AnyDetector): { argument: unknown; inner: { isChanged: boolean } } {
    const random = new Random(seed);
    const inner = { isChanged: false };
    const reenter = (): void => {
      const what = random.integer(4);
      if (what === 0) detector.score(FRESH);
      if (what === 1) new curvad.CAD().fit(ROWS).dispose();
      if (what >= 2) inner.isChanged = true;
      if (what === 2) detector.fit(FRESH.concat(ROWS));
      if (what === 3) detector.dispose();
    };
    const rows = ROWS.map((row) => [...row]);
    return { argument: (TRICKS[trick] as Trick)(rows, { random, value, reenter }), inner };
  }
}

/** What comes back where nothing was refused has to be right of its kind. */
function checkResult({ call, trick }: Plan, result: unknown): void {
  const numbers = result instanceof Float64Array ? result : undefined;
  const isDropped = call === 'table'; // rows that are left out score NaN
  promise(
    numbers === undefined || isDropped || numbers.every((value) => !Number.isNaN(value)),
    () => `${call} with ${trick} gives NaN`,
  );
}

/** Errors of the library, of the caller's own code, and those the engine throws at a revoked proxy. */
function endingOf(error: unknown, { call, trick }: Plan): string {
  if (error instanceof Thrown) return 'thrown';
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'CurvadError' && code !== undefined) {
    promise(/\S/.test((error as Error).message), () => `${call}: an error without words`);
    return code;
  }
  if (trick === 'a revoked proxy' && error instanceof TypeError) return 'revoked';
  throw error;
}

export const misuse: Area = {
  name: 'misuse',
  about: 'arguments of every wrong kind end in an error of their own, and leave everything else as it was',
  share: 6,
  begin: async () => attack(new Misuse()),
};
