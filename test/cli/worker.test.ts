// curvad worker as other engines use it: Arrow IPC streams through its standard input and output.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  columnFromArray,
  fixedSizeList,
  float64,
  int64,
  type Table,
  tableFromColumns,
  tableFromIPC,
  tableToIPC,
  utf8,
} from '@uwdata/flechette';
import { afterAll, describe, expect, it } from 'vitest';
import {
  CAD,
  ENN,
  explainRows,
  IsolationForest,
  KNN,
  LandmarkCAD,
  LOF,
  load,
  NearestNeighbors,
} from '../../src/index.js';
import { Random } from '../support/data.js';

const directory = mkdtempSync(join(tmpdir(), 'curvad-worker-'));
afterAll(() => rmSync(directory, { recursive: true }));

const random = new Random(5);
const ROWS = random.rows(300, 3);
const OTHERS = random.rows(200, 3);
type Values = ArrayLike<unknown>;

const columnOf = (rows: readonly ArrayLike<number>[], j: number): Float64Array =>
  Float64Array.from(rows, (row) => row[j] as number);

/** The columns a, b and c of rows. */
const named = (rows: readonly ArrayLike<number>[]): Record<string, Values> =>
  Object.fromEntries(['a', 'b', 'c'].map((name, j) => [name, columnOf(rows, j)]));

/** A stream of batches. */
function stream(batches: ReadonlyArray<Record<string, Values>>, request?: object, types: Record<string, unknown> = {}) {
  const parts = batches.map((batch) => {
    const columns = Object.entries(batch).map(([name, values]) => {
      const type = types[name] ?? (typeof values[0] === 'string' ? utf8() : float64());
      return [name, columnFromArray(values as number[], type as never)] as const;
    });
    const table = tableFromColumns(columns as never);
    if (request !== undefined) table.schema.metadata = new Map([['curvad', JSON.stringify(request)]]);
    return Buffer.from(tableToIPC(table, { format: 'stream' }) as Uint8Array);
  });
  const schemaEnd = (bytes: Buffer): number => 8 + bytes.readInt32LE(4);
  return Buffer.concat([
    ...parts.map((bytes, i) => bytes.subarray(i === 0 ? 0 : schemaEnd(bytes), bytes.length - 8)),
    (parts[0] as Buffer).subarray(-8),
  ]);
}

interface Answer {
  table: Table;
  metadata: Record<string, unknown>;
  column(name: string): unknown[];
  error: { code: string; message: string; batch?: number; row?: number } | undefined;
}

interface Outcome {
  answers: Answer[];
  status: number | null;
  stderr: string;
}

/** Runs a worker over streams and reads its answers. */
function runWorker(args: readonly string[], ...streams: readonly Uint8Array[]): Outcome {
  const input = Buffer.concat(streams);
  const options = { input, maxBuffer: 2 ** 28, timeout: 60_000 };
  const { stdout, stderr, status } = spawnSync(process.execPath, ['dist/cli.js', 'worker', ...args], options);
  const answers: Answer[] = [];
  for (let start = 0, at = 0; at < stdout.length; ) {
    const length = stdout.readInt32LE(at + 4);
    // The body length is the last field of a message as flechette writes it; a reader of whole streams needs the end only.
    at += 8 + length + (length === 0 ? 0 : bodyLength(stdout.subarray(at + 8)));
    if (length > 0) continue;
    answers.push(answerOf(tableFromIPC(new Uint8Array(stdout.subarray(start, at)), { useBigInt: true }) as Table));
    start = at;
  }
  return { answers, status, stderr: String(stderr) };
}

function bodyLength(head: Buffer): number {
  const table = head.readInt32LE(0);
  const fields = table - head.readInt32LE(table);
  const place = head.readUInt16LE(fields) > 10 ? head.readUInt16LE(fields + 10) : 0;
  return place === 0 ? 0 : Number(head.readBigInt64LE(table + place));
}

function answerOf(table: Table): Answer {
  const column = (name: string): unknown[] => [...(table.getChild(name) ?? [])];
  const text = column('error').at(-1) as string | null | undefined;
  const metadata = JSON.parse(table.schema.metadata?.get('curvad') ?? '{}') as Record<string, unknown>;
  return { table, metadata, column, error: text ? (JSON.parse(text) as Answer['error']) : undefined };
}

function modelFile(name: string, detector: { toBytes(): Uint8Array }): string {
  const path = join(directory, name);
  writeFileSync(path, detector.toBytes());
  return path;
}

const lof = new LOF({ neighbors: 20 }).fit(ROWS);
const LOF_FILE = modelFile('lof.curvad', lof);

describe('scoring', () => {
  it('gives the scores and labels of the library to the last bit, for one stream after the other', () => {
    const batches = [OTHERS.slice(0, 70), OTHERS.slice(70)].map(named);
    const { answers, status, stderr } = runWorker([LOF_FILE], stream(batches), stream([named(ROWS)]));
    expect([status, stderr, answers.length]).toEqual([0, '', 2]);
    expect(answers[0]?.column('score')).toEqual([...lof.score(OTHERS)]);
    expect(answers[0]?.column('label')).toEqual([...lof.predict(OTHERS)]);
    expect(answers[0]?.table.getChild('score')?.data.length).toBe(2);
    expect(answers[1]?.column('score')).toEqual([...lof.score(ROWS)]);
    expect(answers.every(({ error }) => error === undefined)).toBe(true);
  });

  it.each([
    ['int64', int64(), OTHERS.map((_, i) => 2n ** 60n + BigInt(i))],
    ['utf8', utf8(), OTHERS.map((_, i) => `row ${i}`)],
  ])('passes an id column through: %s', (_, type, ids) => {
    const batches = [{ id: ids, ...named(OTHERS) }];
    const { answers } = runWorker([LOF_FILE, '--id', 'id'], stream(batches, undefined, { id: type }));
    expect(answers[0]?.column('id')).toEqual(ids);
    expect(answers[0]?.column('score')).toEqual([...lof.score(OTHERS)]);
  });

  it('finds columns by name: in another order, among others, or those that --columns names', () => {
    const { a, b, c } = named(OTHERS) as Record<'a' | 'b' | 'c', Float64Array>;
    const fit = runWorker(
      ['--fit', 'lof', '--k', '20', '--save', join(directory, 'named.curvad')],
      stream([named(ROWS)]),
    );
    expect(fit.answers[0]?.column('score')).toEqual([...lof.scores]);
    const shuffled = stream([{ c, extra: a.map(Math.abs), b, a }]);
    const { answers } = runWorker([join(directory, 'named.curvad')], shuffled);
    expect(answers[0]?.column('score')).toEqual([...lof.score(OTHERS)]);
    const chosen = runWorker([LOF_FILE, '--columns', 'a,b,c'], shuffled);
    expect(chosen.answers[0]?.column('score')).toEqual([...lof.score(OTHERS)]);
    expect(runWorker([LOF_FILE, '--columns', 'a,b,d'], shuffled).answers[0]?.error?.message).toContain('no column "d"');
  });

  it('takes rows as lists of fixed size', () => {
    const type = fixedSizeList(float64(), 3);
    const { answers } = runWorker(
      [LOF_FILE],
      stream([{ row: OTHERS.map((row) => [...row]) }], undefined, { row: type }),
    );
    expect(answers[0]?.column('score')).toEqual([...lof.score(OTHERS)]);
  });

  it('reads categories and fills in medians as the model of the command line knows them', () => {
    const csv = ROWS.map(([a, b], i) => `${i % 50 === 3 ? '' : a},${b},${i % 3 === 0 ? 'red' : 'blue'}`);
    const [path, saved] = [join(directory, 'rows.csv'), join(directory, 'rows.curvad')];
    writeFileSync(path, `a,b,colour\n${csv.join('\n')}\n`);
    const cli = (...args: string[]) => spawnSync(process.execPath, ['dist/cli.js', ...args], { encoding: 'utf8' });
    expect(cli('detect', path, '--missing', 'median', '--save', saved, '--quiet').status).toBe(0);
    const expected = cli('score', saved, path, '--quiet', '--format', 'csv', '--scores-only').stdout;
    const { a, b } = named(ROWS) as Record<'a' | 'b', Float64Array>;
    const batch = {
      a: [...a].map((x, i) => (i % 50 === 3 ? null : x)),
      b,
      colour: ROWS.map((_, i) => (i % 3 ? 'blue' : 'red')),
    };
    const { answers } = runWorker([saved], stream([batch]));
    expect(answers[0]?.error).toBeUndefined();
    const scores = answers[0]?.column('score') as number[];
    const lines = expected.trim().split('\n').slice(1);
    expect(lines.length).toBe(300);
    lines.forEach((line, i) => {
      expect(Number(line.split(',')[1]), line).toBe(scores[i]);
    });
  });
});

describe('what is wrong', () => {
  const bad = (row: number, value: number | null) => {
    const batch = named(OTHERS);
    return { ...batch, b: [...Array.from(batch['b'] as Float64Array)].map((x, i) => (i === row ? value : x)) };
  };

  it.each([
    ['a NaN', Number.NaN, 'NAN_VALUE'],
    ['an infinite value', Infinity, 'INFINITE_VALUE'],
    ['a null', null, 'NAN_VALUE'],
  ])(
    'is told with batch and row, after the scores before it, and the next stream is answered: %s',
    (_, value, code) => {
      const { answers, status } = runWorker(
        [LOF_FILE],
        stream([named(OTHERS), bad(17, value)]),
        stream([named(OTHERS)]),
      );
      expect(status).toBe(0);
      expect(answers[0]?.error).toMatchObject({ code, batch: 1, row: 17 });
      expect(answers[0]?.column('score').slice(0, -1)).toEqual([...lof.score(OTHERS)]);
      expect(answers[0]?.column('score').at(-1)).toBe(null);
      expect(answers[1]?.column('score')).toEqual([...lof.score(OTHERS)]);
    },
  );

  it('is told where the columns are not those of the model', () => {
    const { a, b } = named(OTHERS) as Record<'a' | 'b', Float64Array>;
    const text = { a, b, c: OTHERS.map(() => 'x') };
    const { answers } = runWorker([LOF_FILE], stream([{ a, b }]), stream([text]), stream([{ a, b, c: a, d: a }]));
    expect(answers.map(({ error }) => error?.code)).toEqual(['WRONG_WIDTH', 'DATA_TYPE', 'WRONG_WIDTH']);
    expect(answers[1]?.error?.message).toContain('"c" has the Arrow type Utf8');
  });

  it.each([
    ['text', Buffer.from('id,a,b\n1,2,3\n'), 'not an Arrow IPC stream'],
    ['a stream that breaks off', stream([named(OTHERS)]).subarray(0, 900), 'ends in the middle'],
    [
      'noise behind a stream',
      Buffer.concat([stream([named(OTHERS)]), Buffer.from(random.rows(1, 9)[0]?.buffer as ArrayBuffer)]),
      'not an Arrow IPC stream',
    ],
  ])('ends the worker where nothing more can be understood: %s', (_, input, message) => {
    const { status, stderr } = runWorker([LOF_FILE], input);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it('is a call it does not know, a model it does not keep, or no model at all', () => {
    const streams = [{ call: 'dance' }, { call: 'score', key: 'other' }, undefined].map((call) =>
      stream([named(ROWS)], call),
    );
    const { answers } = runWorker([], ...streams);
    expect(answers.map(({ error }) => error?.code)).toEqual(['CALL_UNKNOWN', 'MODEL_UNKNOWN', 'CALL_UNKNOWN']);
  });
});

describe('calls', () => {
  it('fit, give the model, drop it, load it and score with it', () => {
    const options = { trees: 20, seed: 3 };
    const forest = new IsolationForest(options).fit(ROWS);
    const empty = (call: object) => stream([{ x: [] }], call);
    const fit = { call: 'fit', detector: 'IsolationForest', options, key: 'f', names: ['a', 'b', 'c'] };
    const first = runWorker(
      [],
      stream([named(ROWS)], fit),
      empty({ call: 'model', key: 'f' }),
      empty({ call: 'drop', key: 'f' }),
      stream([named(ROWS)], { call: 'score', key: 'f' }),
    );
    expect(first.answers.map(({ error }) => error?.code)).toEqual([undefined, undefined, undefined, 'MODEL_UNKNOWN']);
    expect(first.answers[0]?.column('score')).toEqual([...forest.scores]);
    expect(first.answers[0]?.metadata).toEqual({ rows: 300, columns: 3, threshold: forest.threshold });
    const model = first.answers[1]?.column('model')[0] as Uint8Array;
    expect(load(model.slice()).score(OTHERS)).toEqual(forest.score(OTHERS));
    // A binary column cannot be made of values here: the file is loaded by path instead.
    writeFileSync(join(directory, 'f.curvad'), model);
    const { answers } = runWorker([join(directory, 'f.curvad')], stream([named(OTHERS)]));
    expect(answers[0]?.column('score')).toEqual([...forest.score(OTHERS)]);
  });

  it('keep the scores of a fit of several batches in order, with threads too', () => {
    const cad = new CAD().fit(ROWS);
    const batches = [ROWS.slice(0, 100), ROWS.slice(100, 101), ROWS.slice(101)].map(named);
    for (const threads of [0, 2]) {
      const { answers } = runWorker([], stream(batches, { call: 'fit', detector: 'CAD', threads }));
      expect(answers[0]?.column('score')).toEqual([...cad.scores]);
    }
  });

  it('find neighbours', () => {
    const search = new NearestNeighbors(ROWS);
    const { answers } = runWorker(
      [],
      stream([named(ROWS)], { call: 'hold', key: 's' }),
      stream([named(OTHERS)], { call: 'near', key: 's', k: 4 }),
      stream([{ x: [] }], { call: 'nearEach', key: 's', k: 4 }),
    );
    for (const [answer, found] of [
      [answers[1], search.of(OTHERS, 4)],
      [answers[2], search.ofEachRow(4)],
    ] as const) {
      expect(answer?.column('index')).toEqual([...found.indices]);
      expect(answer?.column('distance')).toEqual([...found.distances]);
    }
  });

  describe('about tables', () => {
    const kinds = ROWS.map((_, i) => ['lathe', 'mill', 'saw'][i % 3] as string);
    const whole = { ...named(ROWS), kind: kinds };
    const rows = ROWS.map(([a, b, c], i) => ({ a, b, c, kind: kinds[i] }));
    const library = new KNN().fit(rows);
    const fit = { call: 'fit', detector: 'KNN', key: 't', table: {} };

    it('fit on text, and score it, as the library does', () => {
      const { answers } = runWorker(
        [],
        stream([{ ...whole, id: ROWS.map((_, i) => `row ${i}`) }], { ...fit, id: 'id' }),
        stream([{ kind: kinds.slice(0, 9), ...named(OTHERS.slice(0, 9)) }], { call: 'score', key: 't' }),
      );
      expect(answers[0]?.column('score')).toEqual([...library.scores]);
      expect(answers[0]?.column('id')[17]).toBe('row 17');
      expect(answers[0]?.metadata).toMatchObject({ rows: 300, columns: 6, notes: [] });
      const others = OTHERS.slice(0, 9).map(([a, b, c], i) => ({ a, b, c, kind: kinds[i] }));
      expect(answers[1]?.column('score')).toEqual([...library.score(others)]);
    });

    it('leave out rows without values where they are asked to, and name the option in the spelling of who asks', () => {
      const gaps = { ...whole, a: [...columnOf(ROWS, 0)].map((x, i) => (i === 5 ? null : x)) };
      const { answers } = runWorker(
        [],
        stream([gaps], { ...fit, table: { missing: 'drop' } }),
        stream([gaps], fit),
        stream([{ x: [] }], { call: 'score', key: 'u' }),
      );
      const kept = new KNN().fit(rows.filter((_, i) => i !== 5)).scores;
      expect(answers[0]?.column('score')).toEqual([...kept.slice(0, 5), null, ...kept.slice(5)]);
      expect(answers[1]?.error?.message).toContain("missing='median'");
      const { answers: typed } = runWorker(['--fit', 'knn'], stream([gaps]));
      expect(typed[0]?.error?.message).toContain('--missing median');
    });

    it('say how unusual rows are, and why', () => {
      const { answers } = runWorker(
        [],
        stream([whole], fit),
        stream([whole], { call: 'probability', key: 't' }),
        stream([{ ...named(OTHERS.slice(0, 2)), kind: ['saw', 'saw'] }], { call: 'explain', key: 't' }),
        stream([{ x: [] }], { call: 'explain', key: 't', rows: [library.top(1)[0]] }),
        stream([{ x: [] }], { call: 'detectors' }),
      );
      expect(answers[1]?.column('probability')).toEqual([...library.probability(rows)]);
      const texts = [2, 3].flatMap((i) => answers[i]?.column('explanation') as string[]);
      const explained = explainRows(library, [
        ...OTHERS.slice(0, 2).map(([a, b, c]) => ({ a, b, c, kind: 'saw' })),
        library.top(1)[0] as number,
      ]);
      expect(texts.map((text) => JSON.parse(text))).toEqual(
        explained.map((one) => ({ ...JSON.parse(JSON.stringify(one)), inWords: String(one) })),
      );
      const options = JSON.parse(answers[4]?.column('options')[0] as string);
      expect(options.KNN).toMatchObject({ neighbors: 10, metric: 'euclidean', precision: null });
    });
  });

  it('select prototypes', () => {
    const classes = Float64Array.from(ROWS, ([a]) => ((a as number) > 0 ? 1 : 0));
    const call = { call: 'select', selector: 'ENN', classes: 'class' };
    const { answers } = runWorker([], stream([{ ...named(ROWS), class: classes }], call));
    expect(answers[0]?.column('index')).toEqual([...new ENN().retain(ROWS, classes)]);
  });
});

it('docs/worker.md names every call', () => {
  const text = readFileSync('docs/worker.md', 'utf8');
  const session = readFileSync('src/cli/worker/session.ts', 'utf8');
  const [, named = ''] = /const CALLS[^{]*=\s*\{([\s\S]*?)\n\};/.exec(session) ?? [];
  const calls = named.match(/\w+/g) ?? [];
  expect(calls).toContain('assemble');
  for (const call of calls) expect(text).toContain(`\`${call}\``);
});

describe('a fit in blocks', () => {
  const options = { neighbors: 6, standardize: true };
  const rows = [...ROWS, ...ROWS.slice(0, 40)];
  const ids = rows.map((_, i) => i);
  const parts = [0, 1, 2].map((part) => ids.filter((id) => Math.floor((id * 7) / 3) % 3 === part));
  const blockOf = (part: readonly number[]): Record<string, Values> => ({
    id: Float64Array.from(part),
    ...named(part.map((id) => rows[id] as Float64Array)),
  });
  const textOf = (answer: Answer | undefined, name: string) => JSON.parse(answer?.column(name)[0] as string);

  function scaling(detector: string, options: object) {
    const { answers } = runWorker(
      [],
      ...parts.map((part) => stream([blockOf(part)], { call: 'statistics', id: 'id' })),
    );
    const texts = answers.map(({ column }) => column('statistics')[0] as string);
    const merged = runWorker([], stream([{ statistics: texts }], { call: 'merge' }));
    const request = { call: 'scaling', detector, options, statistics: textOf(merged.answers[0], 'statistics') };
    return textOf(runWorker([], stream([named(rows)], request)).answers[0], 'scaling');
  }

  it.each([
    ['CAD', options, new CAD(options)],
    ['CAD', { kernel: 'laplacian' }, new CAD({ kernel: 'laplacian' })],
    ['KNN', {}, new KNN()],
    ['LandmarkCAD', { landmarks: 60 }, new LandmarkCAD({ landmarks: 60 })],
    ['LandmarkCAD', {}, new LandmarkCAD()],
    ['LandmarkCAD', { curvature: 0 }, new LandmarkCAD({ curvature: 0 })],
  ] as const)('gives the scores and the model of a fit on all rows: %s %j', (detector, options, fresh) => {
    const whole = fresh.fit(rows);
    const count = rows.length;
    const request = { detector, options, scaling: scaling(detector, options), id: 'id', key: 'mine', count };
    const { answers: told } = runWorker([], stream([{ none: [0] }], { call: 'landmarks', detector, options, count }));
    const landmarks = (told[0]?.column('row') ?? []) as number[];
    const ofLandmarks = landmarks.length > 0 ? [blockOf(landmarks), { id: 'id' }] : [{ none: [0] }, {}];
    const scores = new Float64Array(rows.length);
    for (const mine of parts) {
      const others = parts.filter((part) => part !== mine);
      const { answers, stderr } = runWorker(
        [],
        stream([blockOf(mine)], { call: 'block', ...request }),
        ...others.map((part) => stream([blockOf(part)], { call: 'visit', ...request })),
        stream([ofLandmarks[0] as never], { call: 'blockScores', key: 'mine', ...ofLandmarks[1] }),
      );
      expect([stderr, answers.map(({ error }) => error)]).toEqual(['', answers.map(() => undefined)]);
      expect(answers.at(-1)?.column('id')).toEqual(mine);
      answers
        .at(-1)
        ?.column('score')
        .forEach((score, i) => {
          scores[mine[i] as number] = score as number;
        });
    }
    expect(scores).toEqual(whole.scores);
    const assembled = { call: 'assemble', detector, options, key: 'all' };
    const { answers } = runWorker(
      [],
      stream([{ ...named(rows), score: scores }], assembled),
      stream([{ score: scores }], { call: 'threshold', detector, options }),
      stream([{ none: [0] }], { call: 'model', key: 'all' }),
    );
    expect(textOf(answers[0], 'facts')).toEqual({ threshold: whole.threshold });
    expect(textOf(answers[1], 'facts')).toEqual({ threshold: whole.threshold });
    const model = load(answers[2]?.column('model')[0] as Uint8Array);
    expect(model.score(named(OTHERS) as never)).toEqual(whole.score(OTHERS));
    expect(model.scores).toEqual(whole.scores);
  });

  it('gives the neighbours of a search over all rows, where only those rows look into a block that are told to', () => {
    const k = 5;
    const request = { detector: 'LOF', options: { neighbors: k }, id: 'id', key: 'mine', count: rows.length };
    const [mine = [], ...others] = parts;
    const block = { ...request, scaling: scaling('LOF', request.options) };
    const whole = new NearestNeighbors(rows).ofEachRow(k);
    const farthest = mine.map((row) => whole.distances[row * k + k - 1] as number);
    const { answers } = runWorker(
      [],
      stream([blockOf(mine)], { call: 'block', ...block }),
      stream([{ none: [0] }], { call: 'limits', key: 'mine' }),
      ...others.map((part) =>
        stream([blockOf(part)], { call: 'visit', ...block, asking: mine.flatMap((_, i) => (i === 0 ? [] : [i])) }),
      ),
      stream([{ none: [0] }], { call: 'limits', key: 'mine' }),
      stream([{ none: [0] }], { call: 'lists', key: 'mine' }),
      stream([{ none: [0] }], { call: 'blockScores', key: 'mine' }),
    );
    const [before, after, lists, scores] = [answers[1], ...answers.slice(-3)];
    const limits = (answer = before) => answer?.column('limit') as number[];
    expect(limits().every((limit, i) => limit >= (farthest[i] as number))).toBe(true);
    expect(limits(after)[0]).toBe(limits()[0]); // it asked nobody
    for (const [i, limit] of limits(after).entries())
      if (i > 0) expect(limit / (farthest[i] as number)).toBeCloseTo(1, 9);
    const ofAsking = (values: ArrayLike<unknown>) => Array.from(values).slice(k, mine.length * k);
    const expected = mine.flatMap((row) => Array.from(whole.indices.subarray(row * k, row * k + k)));
    expect(ofAsking(lists?.column('id') ?? [])).toEqual(ofAsking(expected));
    const distances = mine.flatMap((row) => Array.from(whole.distances.subarray(row * k, row * k + k)));
    expect(ofAsking(lists?.column('distance') ?? [])).toEqual(ofAsking(distances));
    expect(scores?.error?.code).toBe('DETECTOR_UNSUPPORTED');
  });

  it('tells how many rows may have neighbours in a box, and refuses what cannot be fitted so', () => {
    const request = { detector: 'CAD', options, scaling: scaling('CAD', options), id: 'id', key: 'mine' };
    const box = (low: number, high: number) => ({
      ...Object.fromEntries(['la', 'lb', 'lc'].map((name) => [name, [low]])),
      ...Object.fromEntries(['ha', 'hb', 'hc'].map((name) => [name, [high]])),
    });
    const { answers } = runWorker(
      [],
      stream([blockOf(parts[0] as number[])], { call: 'block', ...request }),
      stream([box(900, 901), box(-900, 900)], { call: 'wanting', key: 'mine' }),
      stream([blockOf(parts[1] as number[])], { call: 'block', ...request, detector: 'IsolationForest', options: {} }),
      stream([blockOf(parts[1] as number[])], { call: 'block', ...request, id: undefined }),
      stream([{ none: [0] }], { call: 'blockScores', key: 'nobody' }),
    );
    expect(answers[1]?.column('rows')).toEqual([0, parts[0]?.length]);
    expect(answers.slice(2).map(({ error }) => error?.code)).toEqual([
      'DETECTOR_UNSUPPORTED',
      'IDS_INVALID',
      'MODEL_UNKNOWN',
    ]);
  });
});
