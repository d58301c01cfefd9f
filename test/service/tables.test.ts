// Models of tables: requests have the columns that the table had, and the model's own recipe makes numbers of them.
import {
  columnFromArray,
  dictionary,
  float64,
  tableFromArrays,
  tableFromColumns,
  tableFromIPC,
  tableToIPC,
  utf8,
} from '@uwdata/flechette';
import { describe, expect, it } from 'vitest';
import { LandmarkCAD, LOF, table } from '../../src/index.js';
import { Service } from '../../src/service/index.js';

const COLOURS = ['red', 'green', 'blue'];
const training = Array.from({ length: 120 }, (_, i) => ({
  id: `row ${i}`,
  load: Math.sin(i) * 10,
  colour: COLOURS[i % 3] as string,
  open: i % 2 === 0,
  when: new Date(Date.UTC(2024, 0, 1 + (i % 28), i % 24)),
}));
const detector = new LandmarkCAD().fit(table(training, { missing: 'median', ignore: ['id'], dates: 'both' }));
const NEW = [
  { load: 3, colour: 'green', open: true, when: '2024-01-05T07:00:00Z' },
  { load: 900, colour: 'violet', open: false, when: '2024-01-09T23:00:00Z' },
  { load: null, colour: null, open: true, when: '2024-02-01' },
];
/** As the library scores the same values in its own way. */
const expected = [...detector.score(NEW.map(({ when, ...row }) => ({ ...row, when: new Date(when) })))];
const names = ['load', 'colour', 'open', 'when'] as const;
const columnsOf = (of: readonly string[]): Record<string, unknown[]> =>
  Object.fromEntries(of.map((name) => [name, NEW.map((row) => row[name as keyof (typeof NEW)[0]])]));

const service = new Service({ models: { odd: { model: detector.toBytes() } } });

async function post(path: string, body: unknown, type = 'application/json', of = service): Promise<Response> {
  const text = type === 'application/json' ? JSON.stringify(body) : (body as BodyInit);
  return of.fetch(new Request(`http://host${path}`, { method: 'POST', headers: { 'content-type': type }, body: text }));
}

async function scoresAt(path: string, body: unknown): Promise<unknown> {
  const answer = (await (await post(path, body)).json()) as Record<string, never>;
  const { predictions, outputs } = answer as { predictions?: { score: number }[]; outputs?: [{ data: number[] }] };
  return predictions?.map(({ score }) => score) ?? outputs?.[0].data ?? answer;
}

describe('a model of a table with categories, booleans and dates', () => {
  it('is told to have the columns of the table', async () => {
    const response = await service.fetch(new Request('http://host/v2/models/odd'));
    expect(((await response.json()) as { inputs: unknown }).inputs).toEqual([
      { name: 'load', datatype: 'FP64', shape: [-1] },
      { name: 'colour', datatype: 'BYTES', shape: [-1], parameters: { values: expect.arrayContaining(COLOURS) } },
      { name: 'open', datatype: 'BOOL', shape: [-1] },
      { name: 'when', datatype: 'BYTES', shape: [-1] },
    ]);
  });

  const lists = NEW.map((row) => names.map((name) => row[name]));
  const turned = NEW.map(({ load, colour, open, when }) => [when, 'passed over', open, colour, load]);
  it.each([
    ['dataframe_records', { dataframe_records: NEW.map((row) => ({ extra: 1, ...row })) }],
    ['instances', { instances: NEW }],
    ['instances that are lists', { instances: lists }],
    ['inputs by column', { inputs: columnsOf(['when', 'colour', 'load', 'open']) }],
    ['dataframe_split', { dataframe_split: { columns: ['when', 'x', 'open', 'colour', 'load'], data: turned } }],
    ['dataframe_split without names', { dataframe_split: { data: lists } }],
    ['dataframe_split with numbers for names', { dataframe_split: { columns: [0, 1, 2, 3], data: lists } }],
    ['rows of the whole table', { instances: NEW.map((row, i) => [`row ${i}`, ...names.map((name) => row[name])]) }],
  ])('is asked by %s', async (_, body) => {
    expect(await scoresAt('/invocations', body)).toEqual(expected);
  });

  it('is asked by a tensor of each column', async () => {
    const inputs = names.map((name) => ({
      name,
      shape: [3],
      datatype: name === 'load' ? 'FP64' : name === 'open' ? 'BOOL' : 'BYTES',
      data: columnsOf([name])[name],
    }));
    expect(await scoresAt('/v2/models/odd/infer', { inputs })).toEqual(expected);
  });

  it('is asked by the numbers that stand for the columns', async () => {
    const numbers = detector.recipe?.features.map((name) =>
      Number(name === 'load' || name === 'colour=red'),
    ) as number[];
    expect(await scoresAt('/invocations', { instances: [numbers] })).toEqual([...detector.score([numbers])]);
  });

  it('is asked by lines of JSON, and explains a row', async () => {
    const lines = await post(
      '/v2/models/odd/score',
      NEW.map((row) => JSON.stringify(row)).join('\n'),
      'application/x-ndjson',
    );
    const answers = (await lines.text()).trim().split('\n');
    expect(answers.map((line) => (JSON.parse(line) as { score: number }).score)).toEqual(expected);
    const explained = (await (await post('/v2/models/odd/explain', { row: NEW[1] })).json()) as {
      score: number;
      columns: { name: string }[];
    };
    expect(explained.score).toBe(expected[1]);
    expect(explained.columns[0]?.name).toBe('load');
  });

  it.each([
    ['a column that is missing', { instances: [{ load: 1, colour: 'red', open: true }] }, 'COLUMNS_MISSING'],
    ['text in a column of numbers', { instances: [{ ...NEW[0], load: 'much' }] }, 'CELL_TYPE'],
    ['a list that is too short', { instances: [[1, 'red']] }, 'WRONG_WIDTH'],
    ['lists of different length', { instances: [lists[0], [1, 'red']] }, 'RAGGED_ROWS'],
    ['infinite numbers', { instances: [{ ...NEW[0], load: 'Infinity' }] }, 'CELL_TYPE'],
    ['columns of different length', { inputs: { ...columnsOf(names), load: [1] } }, 'LENGTHS_DIFFER'],
  ])('refuses %s', async (_, body, code) => {
    const response = await post('/invocations', body);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, code]);
  });

  it('that leaves rows out says which row lacks a value', async () => {
    const dropping = new LandmarkCAD().fit(table(training, { missing: 'drop', ignore: ['id'] }));
    const of = new Service({ models: { odd: { model: dropping } } });
    const response = await post('/invocations', { instances: NEW }, 'application/json', of);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'MISSING_VALUE', row: 2 }),
    ]);
  });
});

describe('Arrow', () => {
  const TYPE = 'application/vnd.apache.arrow.stream';
  const arrow = tableFromColumns({
    colour: columnFromArray(
      NEW.map(({ colour }) => colour),
      dictionary(utf8()),
    ),
    load: columnFromArray(
      NEW.map(({ load }) => load),
      float64(),
    ),
    open: columnFromArray(NEW.map(({ open }) => open)),
    when: columnFromArray(
      NEW.map(({ when }) => when),
      utf8(),
    ),
  });

  it.each(['stream', 'file'] as const)('in a %s is answered by Arrow', async (format) => {
    const body = tableToIPC(arrow, { format }) as Uint8Array<ArrayBuffer>;
    const response = await post('/v2/models/odd/score', body, TYPE.replace('stream', format));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, TYPE]);
    const answer = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
    expect([...(answer.getChild('score') as Iterable<number>)]).toEqual(expected);
    expect([...(answer.getChild('label') as Iterable<number>)]).toEqual(
      expected.map((score) => Number(score > detector.threshold)),
    );
  });

  it('goes by place where the model knows no names', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => [Math.sin(i), i % 7]);
    const lof = new LOF({ neighbors: 5 }).fit(rows);
    const of = new Service({ models: { lof: { model: lof } } });
    const body = tableToIPC(tableFromArrays({ u: [0.5, 9], v: [3, 3] }), {
      format: 'stream',
    }) as Uint8Array<ArrayBuffer>;
    const answer = tableFromIPC(
      new Uint8Array(await (await post('/v2/models/lof/score', body, TYPE, of)).arrayBuffer()),
    );
    expect([...(answer.getChild('score') as Iterable<number>)]).toEqual([
      ...lof.score([
        [0.5, 3],
        [9, 3],
      ]),
    ]);
  });

  it('that is damaged, empty or too long is refused', async () => {
    const whole = tableToIPC(arrow, { format: 'stream' }) as Uint8Array<ArrayBuffer>;
    const few = new Service({ models: { odd: { model: detector } }, maxRows: 2 });
    for (const [body, of, status] of [
      [whole.slice(0, whole.length / 2), service, 400],
      [new TextEncoder().encode('no Arrow at all'), service, 400],
      [whole, few, 413],
    ] as const) {
      const response = await post('/v2/models/odd/score', body, TYPE, of);
      expect(response.status).toBe(status);
      expect(await response.json()).toHaveProperty('error');
    }
  });
});
