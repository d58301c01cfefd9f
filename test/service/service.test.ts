// The service as a fetch handler: the protocols, and what it makes of requests that are wrong, late, large or hostile.
import { readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CAD, IsolationForest, KNN, LOF } from '../../src/index.js';
import { Service, type ServiceOptions } from '../../src/service/index.js';

const rows = Array.from({ length: 60 }, (_, i) => [Math.sin(i), Math.cos(i), (i % 7) / 7]);
const features = ['a', 'b', 'c'];
const lof = new LOF({ neighbors: 5 }).fit(rows);
const cad = new CAD({ neighbors: 5 }).fit(rows);
const NEW = [
  [0.1, 0.2, 0.3],
  [3, -3, 3],
];
const scores = [...lof.score(NEW)];
const labels = [...lof.predict(NEW)];

function serviceOf(options: ServiceOptions = {}): Service {
  return new Service({ models: { lof: { model: lof.toBytes(), features } }, ...options });
}

interface Asked {
  status: number;
  body: Record<string, unknown> & { code?: string; error?: string };
  text: string;
}

async function ask(service: Service, path: string, init?: RequestInit & { json?: unknown }): Promise<Asked> {
  const { json, ...rest } = init ?? {};
  const body = json === undefined ? rest.body : JSON.stringify(json);
  const headers = { 'content-type': 'application/json', ...(rest.headers as object) };
  const method = body === undefined || body === null ? 'GET' : 'POST';
  const response = await service.fetch(
    new Request(`http://host${path}`, {
      method,
      ...rest,
      headers,
      ...(body && { body }),
      duplex: 'half',
    } as RequestInit),
  );
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, body: isJson ? JSON.parse(text) : {}, text };
}

const tensor = (over = {}) => ({
  inputs: [{ name: 'rows', shape: [2, 3], datatype: 'FP64', data: NEW.flat(), ...over }],
});

describe('the Open Inference Protocol', () => {
  it('tells that it lives, is ready, and what its models take', async () => {
    const service = serviceOf();
    expect((await ask(service, '/v2/health/live')).body).toEqual({ live: true });
    expect((await ask(service, '/v2/health/ready')).body).toEqual({ ready: true });
    expect((await ask(service, '/v2/models/lof/ready')).body).toMatchObject({ name: 'lof', ready: true });
    expect((await ask(service, '/v2')).body).toMatchObject({
      name: 'curvad',
      extensions: ['binary_tensor_data'],
    });
    expect((await ask(service, '/v2/models/lof')).body).toMatchObject({
      name: 'lof',
      versions: ['1'],
      inputs: [{ datatype: 'FP64', shape: [-1, 3], parameters: { columns: features } }],
      outputs: [{ name: 'score' }, { name: 'label' }],
    });
    const empty = await ask(new Service(), '/v2/health/ready');
    expect([empty.status, empty.body.code]).toEqual([503, 'NOT_READY']);
  });

  it.each([
    ['flat data', tensor()],
    ['nested data', tensor({ data: NEW })],
    [
      'a tensor of each column, in any order',
      {
        inputs: [2, 0, 1].map((j) => ({
          name: features[j],
          shape: [2, 1],
          datatype: 'FP32',
          data: NEW.map((row) => row[j]),
        })),
      },
    ],
  ])('answers %s with the scores and labels of the detector', async (_, json) => {
    for (const path of ['/v2/models/lof/infer', '/v2/models/lof/versions/1/infer']) {
      const { status, body } = await ask(serviceOf(), path, { json: { id: 'x', ...json } });
      expect(status).toBe(200);
      expect(body).toEqual({
        model_name: 'lof',
        model_version: '1',
        id: 'x',
        outputs: [
          { name: 'score', shape: [2], datatype: 'FP64', data: scores },
          { name: 'label', shape: [2], datatype: 'INT32', data: labels },
        ],
      });
    }
    const some = await ask(serviceOf(), '/v2/models/lof/infer', { json: { ...json, outputs: [{ name: 'label' }] } });
    expect(some.body['outputs']).toHaveLength(1);
  });

  it.each([
    ['a shape that is not that of the data', tensor({ shape: [3, 3] }), 'BODY_INVALID'],
    ['a width that is not that of the model', tensor({ shape: [3, 2] }), 'WRONG_WIDTH'],
    ['a datatype there is not', tensor({ datatype: 'FP8' }), 'BODY_INVALID'],
    ['no inputs', {}, 'BODY_INVALID'],
    ['no tensor', { inputs: [] }, 'BODY_INVALID'],
    ['no rows', tensor({ shape: [0, 3], data: [] }), 'EMPTY_INPUT'],
    ['a list for a body', [], 'BODY_INVALID'],
    ['text for a number', tensor({ data: ['1', 2, 3, 4, 5, 6] }), 'NOT_A_NUMBER'],
    ['null for a number', tensor({ data: [null, 2, 3, 4, 5, 6] }), 'NOT_A_NUMBER'],
    ['a negative shape', tensor({ shape: [-2, 3] }), 'BODY_INVALID'],
    ['an output there is not', { ...tensor(), outputs: [{ name: 'x' }] }, 'BODY_INVALID'],
    ['an id that is no text', { ...tensor(), id: 5 }, 'BODY_INVALID'],
    [
      'a column that is missing',
      { inputs: [{ name: 'a', shape: [1], datatype: 'FP64', data: [1] }] },
      'COLUMNS_MISSING',
    ],
  ])('refuses %s', async (_, json, code) => {
    const { status, body } = await ask(serviceOf(), '/v2/models/lof/infer', { json });
    expect([status, body.code]).toEqual([400, code]);
    expect(body.error).toEqual(expect.any(String));
  });
});

describe('tensors as binary data', () => {
  const LENGTH = 'inference-header-content-length';

  /** Sends JSON and what follows it; returns the answer with the bytes behind its JSON. */
  async function infer(service: Service, json: unknown, parts: Uint8Array[], length?: string) {
    const head = Buffer.from(JSON.stringify(json));
    const body = Buffer.concat([head, ...parts]);
    const headers = { [LENGTH]: length ?? String(head.length) };
    const request = new Request('http://host/v2/models/m/infer', { method: 'POST', body, headers });
    const response = await service.fetch(request);
    const bytes = Buffer.from(await response.arrayBuffer());
    const end = Number(response.headers.get(LENGTH) ?? bytes.length);
    return {
      status: response.status,
      answer: JSON.parse(bytes.subarray(0, end).toString()),
      rest: bytes.subarray(end),
    };
  }

  const bytesOf = (values: ArrayBufferView): Uint8Array =>
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const input = (name: string, shape: number[], datatype: string, data: Uint8Array) => ({
    name,
    shape,
    datatype,
    parameters: { binary_data_size: data.length },
  });

  it('of every datatype of numbers are what the numbers are as JSON', async () => {
    const WHOLE = [0, 1, 2, 100, 3, 0];
    const kinds: Record<string, ArrayBufferView> = {
      FP64: Float64Array.from(NEW.flat()),
      FP32: Float32Array.from(NEW.flat()),
      FP16: Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555, 0x8000),
      INT64: BigInt64Array.of(-5n, 1n, 2n, 3n, 4n, 5n),
      UINT64: BigUint64Array.of(5n, 1n, 2n, 3n, 4n, 5n),
      INT32: Int32Array.from(WHOLE, (value) => -value),
      INT16: Int16Array.from(WHOLE, (value) => -value),
      INT8: Int8Array.from(WHOLE, (value) => -value),
      UINT32: Uint32Array.from(WHOLE),
      UINT16: Uint16Array.from(WHOLE),
      UINT8: Uint8Array.from(WHOLE),
      BOOL: Uint8Array.of(0, 1, 1, 0, 1, 0),
    };
    const halves = [1, -2, 2 ** -24, 65504, 0x155 / 1024 / 4 + 0.25, -0];
    const service = new Service({ models: { m: { model: lof } } });
    for (const [datatype, values] of Object.entries(kinds)) {
      const data = bytesOf(values);
      const numbers = datatype === 'FP16' ? halves : Array.from(values as unknown as Iterable<number>, Number);
      const { status, answer } = await infer(service, { inputs: [input('rows', [2, 3], datatype, data)] }, [data]);
      expect(status).toBe(200);
      expect(answer.outputs[0].data).toEqual([...lof.score([numbers.slice(0, 3), numbers.slice(3)])]);
    }
  });

  it('of texts and numbers come one behind the other', async () => {
    const table = Array.from({ length: 40 }, (_, i) => ({ x: i % 7, kind: i % 3 === 0 ? 'lathe ü' : 'mill' }));
    const knn = new KNN({ neighbors: 3 }).fit(table);
    const texts = Buffer.concat(
      ['mill', 'lathe ü'].map((text) => {
        const bytes = Buffer.from(text);
        return Buffer.concat([bytesOf(Uint32Array.of(bytes.length)), bytes]);
      }),
    );
    const numbers = bytesOf(Float32Array.of(50, 2));
    const inputs = [input('kind', [2], 'BYTES', texts), input('x', [2], 'FP32', numbers)];
    const service = new Service({ models: { m: { model: knn } } });
    const { answer } = await infer(service, { inputs }, [texts, numbers]);
    const expected = knn.score([
      { x: 50, kind: 'mill' },
      { x: 2, kind: 'lathe ü' },
    ]);
    expect(answer.outputs[0].data).toEqual([...expected]);
  });

  it('are answered with, one output or all', async () => {
    const service = new Service({ models: { m: { model: lof } } });
    const outputs = [{ name: 'label' }, { name: 'score', parameters: { binary_data: true } }];
    const some = await infer(service, { ...tensor(), outputs }, []);
    expect(some.answer.outputs[0].data).toEqual(labels);
    expect(some.answer.outputs[1]).toMatchObject({ name: 'score', parameters: { binary_data_size: 16 } });
    expect([some.rest.readDoubleLE(0), some.rest.readDoubleLE(8)]).toEqual(scores);
    const all = await infer(service, { ...tensor(), parameters: { binary_data_output: true } }, []);
    expect([all.rest.readDoubleLE(8), all.rest.readInt32LE(16), all.rest.readInt32LE(20)]).toEqual([
      scores[1],
      ...labels,
    ]);
  });

  const sixteen = new Uint8Array(16);
  it.each([
    ['a length of JSON beyond the body', [input('rows', [1, 2], 'FP64', sixteen)], [sixteen], '9999'],
    ['a length that is no number', [input('rows', [1, 2], 'FP64', sixteen)], [sixteen], '-1'],
    ['more bytes than there are', [input('rows', [1, 2], 'FP64', sixteen)], [sixteen.subarray(1)]],
    ['bytes that belong to no input', [input('rows', [1, 2], 'FP64', sixteen)], [sixteen, sixteen]],
    ['half a number', [input('rows', [1, 3], 'FP64', sixteen.subarray(1))], [sixteen.subarray(1)]],
    [
      'a text longer than its tensor',
      [input('rows', [1], 'BYTES', Uint8Array.of(9, 0, 0, 0))],
      [Uint8Array.of(9, 0, 0, 0)],
    ],
    ['half the length of a text', [input('rows', [1], 'BYTES', Uint8Array.of(9, 0))], [Uint8Array.of(9, 0)]],
    ['no header', [input('rows', [2, 3], 'FP64', sixteen)], [], undefined],
  ])('are refused with %s', async (name, inputs, parts, length?: string) => {
    const service = new Service({ models: { m: { model: lof } } });
    const headers = name === 'no header' ? {} : undefined;
    const { status, body } = headers
      ? await ask(service, '/v2/models/m/infer', { json: { inputs } })
      : await infer(service, { inputs }, parts, length).then((got) => ({ status: got.status, body: got.answer }));
    expect([status, body.code]).toEqual([400, 'BODY_INVALID']);
  });
});

describe("MLflow's protocol", () => {
  const records = NEW.map(([a, b, c]) => ({ c, id: 'passed over', a, b }));
  it.each([
    ['inputs', { inputs: NEW }],
    ['inputs by column', { inputs: { a: NEW.map(([a]) => a), b: NEW.map(([, b]) => b), c: NEW.map(([, , c]) => c) } }],
    ['instances', { instances: NEW }],
    ['instances by name', { instances: records }],
    ['dataframe_records', { dataframe_records: records }],
    ['dataframe_split', { dataframe_split: { columns: ['c', 'a', 'b'], data: NEW.map(([a, b, c]) => [c, a, b]) } }],
    ['dataframe_split without names', { dataframe_split: { data: NEW } }],
  ])('answers %s', async (_, json) => {
    const { status, body } = await ask(serviceOf(), '/invocations', { json });
    expect(status).toBe(200);
    expect(body).toEqual({ predictions: scores.map((score, i) => ({ score, label: labels[i] })) });
  });

  it('says which column is missing, and asks for exactly one form', async () => {
    const without = await ask(serviceOf(), '/invocations', { json: { dataframe_records: [{ a: 1, b: 2 }] } });
    expect([without.status, without.body.error]).toEqual([
      400,
      'the table has no column "c", which the model needs; it has "a", "b"',
    ]);
    expect(without.body['error_code']).toBe('COLUMNS_MISSING');
    const later = await ask(serviceOf(), '/invocations', {
      json: {
        dataframe_records: [
          { a: 1, b: 2, c: 3 },
          { a: 1, c: 3 },
        ],
      },
    });
    expect([later.status, later.body.code, later.body['row']]).toEqual([400, 'MISSING_VALUE', 1]);
    for (const json of [{}, { inputs: NEW, instances: NEW }])
      expect((await ask(serviceOf(), '/invocations', { json })).body.code).toBe('BODY_INVALID');
    expect((await ask(serviceOf(), '/ping')).status).toBe(200);
  });

  it('takes the name of a model where there are several', async () => {
    const service = serviceOf().put('cad', { model: cad });
    expect((await ask(service, '/invocations', { json: { inputs: NEW } })).body.code).toBe('MODEL_UNNAMED');
    const { body } = await ask(service, '/invocations?model=cad', { json: { inputs: NEW } });
    expect((body['predictions'] as Array<{ score: number }>).map(({ score }) => score)).toEqual([...cad.score(NEW)]);
    const unnamed = await ask(service, '/invocations?model=cad', { json: { instances: [{ a: 1 }] } });
    expect(unnamed.body.code).toBe('COLUMNS_UNNAMED');
  });
});

describe('what else it answers', () => {
  it('lines of JSON, line by line', async () => {
    const body = `${JSON.stringify(NEW[0])}\n\n${JSON.stringify(NEW[1])}\n`;
    const headers = { 'content-type': 'application/x-ndjson' };
    const { status, text } = await ask(serviceOf(), '/v2/models/lof/score', { body, headers });
    expect(status).toBe(200);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual(scores.map((score, i) => ({ score, label: labels[i] })));
    const wrong = await ask(serviceOf(), '/v2/models/lof/score', { body: '[1,2,3]\n[1,2', headers });
    expect([wrong.status, wrong.body.code, wrong.body['row']]).toEqual([400, 'JSON_INVALID', 1]);
  });

  it('explanations', async () => {
    const service = serviceOf().put('cad', { model: cad, features });
    for (const [name, detector] of [
      ['cad', cad],
      ['lof', lof],
    ] as const) {
      const { status, body } = await ask(service, `/v2/models/${name}/explain`, {
        json: { row: { c: 3, b: -3, a: 3 } },
      });
      expect(status).toBe(200);
      expect(body['score']).toBe(detector.score([[3, -3, 3]])[0]);
      expect(body['row']).toEqual([3, -3, 3]);
      expect((body['columns'] as Array<{ name: string }>).map(({ name: column }) => column).sort()).toEqual(features);
    }
    const none = await ask(service, '/v2/models/cad/explain', { json: { row: 5 } });
    expect([none.status, none.body.code]).toEqual([400, 'BODY_INVALID']);
  });

  it('metrics with counts of requests, rows and anomalies', async () => {
    const service = serviceOf();
    await ask(service, '/v2/models/lof/infer', { json: tensor() });
    await ask(service, '/nothing');
    const { text } = await ask(service, '/metrics');
    expect(text).toContain('curvad_requests_total{route="/v2/models/{model}/infer",status="200"} 1\n');
    expect(text).toContain('curvad_requests_total{route="none",status="404"} 1\n');
    expect(text).toContain('curvad_rows_total{model="lof",version="1"} 2\n');
    expect(text).toContain(`curvad_anomalies_total{model="lof",version="1"} ${labels.filter(Boolean).length}\n`);
    expect(text).toContain('curvad_request_seconds_bucket{le="+Inf"} 2\n');
  });

  it('a description that names every route', async () => {
    const { body } = await ask(serviceOf(), '/openapi.json');
    expect(Object.keys(body['paths'] as object)).toEqual(
      expect.arrayContaining(['/v2/models/{model}/versions/{version}/infer', '/invocations', '/metrics']),
    );
    expect(JSON.stringify(body)).toContain(
      '"name":"model","in":"path","required":true,"schema":{"type":"string","enum":["lof"]}',
    );
  });
});

describe('models', () => {
  it('are replaced under requests that are under way', async () => {
    const service = serviceOf();
    const before = ask(service, '/v2/models/lof/infer', { json: tensor() });
    service.put('lof', { model: cad.toBytes(), features });
    const after = await ask(service, '/v2/models/lof/infer', { json: tensor() });
    const dataOf = ({ body }: Asked): unknown => (body['outputs'] as Array<{ data: unknown }>)[0]?.data;
    expect([scores, [...cad.score(NEW)]]).toContainEqual(dataOf(await before));
    expect(dataOf(after)).toEqual([...cad.score(NEW)]);
  });

  it('have versions, of which the last is taken where none is asked for', async () => {
    const service = serviceOf().put('lof', { model: cad, version: '2' });
    expect((await ask(service, '/v2/models')).body).toEqual({ models: [{ name: 'lof', versions: ['1', '2'] }] });
    const first = await ask(service, '/v2/models/lof/versions/1/infer', { json: tensor() });
    const last = await ask(service, '/v2/models/lof/infer', { json: tensor() });
    expect([first.body['model_version'], last.body['model_version']]).toEqual(['1', '2']);
    expect(service.delete('lof', '2')).toBe(true);
    expect((await ask(service, '/v2/models/lof/versions/2')).body.code).toBe('VERSION_UNKNOWN');
    expect(service.delete('other')).toBe(false);
  });

  it('score requests that come together as they would alone, also beside one that fails', async () => {
    const service = serviceOf();
    const requests = Array.from({ length: 40 }, (_, i) => [[i / 9, Math.sin(i * 3), 0.5]]);
    const answers = await Promise.all([
      ...requests.map((inputs) => ask(service, '/invocations', { json: { inputs } })),
      ask(service, '/invocations', { json: { inputs: [[1e200, 0, 0]] } }),
    ]);
    const failed = answers.pop() as Asked;
    expect([failed.status, failed.body.code]).toEqual([400, 'VALUE_TOO_LARGE']);
    answers.forEach(({ body }, i) => {
      const [{ score }] = body['predictions'] as [{ score: number }];
      expect(score).toBe(lof.score(requests[i] as number[][])[0]);
    });
  });

  it('score many rows in slices, with the same scores', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => [Math.sin(i), i / 100, 0]);
    const forest = new IsolationForest({ seed: 1 }).fit(rows);
    const service = new Service({ models: { lof: { model: lof }, forest: { model: forest } } });
    for (const [name, detector] of [
      ['lof', lof],
      ['forest', forest],
    ] as const) {
      const { body } = await ask(service, `/invocations?model=${name}`, { json: { inputs: many } });
      const got = (body['predictions'] as Array<{ score: number }>).map(({ score }) => score);
      expect(got).toEqual([...detector.score(many)]);
    }
  });
});

it('the snippet of its page does what it says', async () => {
  const [, snippet] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/service.md', 'utf8')) ?? [];
  const body = (snippet as string).replace(/^import .*$/gm, '').replace('console.log(', 'return (');
  const run = new Function('LOF', 'Service', `return (async () => {${body}})()`);
  const { predictions } = (await run(LOF, Service)) as { predictions: Array<{ label: number }> };
  expect(predictions.map(({ label }) => label)).toEqual([0, 1]);
});

describe('requests that are wrong', () => {
  const infer = '/v2/models/lof/infer';
  const post = (body: BodyInit, headers: Record<string, string> = {}, options: ServiceOptions = {}): Promise<Asked> =>
    ask(serviceOf(options), infer, { body, headers });

  it.each([
    ['that is cut off', '{"inputs": [', 'JSON_INVALID'],
    ['with NaN', JSON.stringify(tensor()).replace('0.1', 'NaN'), 'JSON_INVALID'],
    ['with 1e999', JSON.stringify(tensor()).replace('0.1', '1e999'), 'INFINITE_VALUE'],
    ['with a key twice', JSON.stringify(tensor()).replace('"shape"', '"data":[1],"shape"'), 'JSON_DUPLICATE_KEY'],
    ['with a key twice, once escaped', '{"inputs":[],"\\u0069nputs":[]}', 'JSON_DUPLICATE_KEY'],
    ['nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'JSON_TOO_DEEP'],
    ['with a key of the prototype', '{"__proto__": {"inputs": []}}', 'BODY_INVALID'],
    ['that is empty', ' ', 'JSON_INVALID'],
  ])('JSON %s: 400', async (_, body, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  });

  it('brackets and keys in strings are no nesting and no keys', async () => {
    const strange = { ...tensor(), id: `${'[{'.repeat(50)}"\\": "id":`, parameters: { 'a:"b': 1, a: ':' } };
    expect((await ask(serviceOf(), infer, { json: strange })).status).toBe(200);
  });

  it('a body too large, announced or not, packed or not: 413', async () => {
    const large = JSON.stringify({ inputs: [1], pad: 'x'.repeat(5000) });
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
    for (const [body, headers] of [
      [large, { 'content-length': String(large.length) }],
      [large, {}],
      [bomb, { 'content-encoding': 'gzip' }],
    ] as const) {
      const { status, body: answer } = await post(body as BodyInit, headers, {
        maxBodyBytes: body === bomb ? 2 ** 20 : 1000,
      });
      expect([status, answer.code]).toEqual([413, 'BODY_TOO_LARGE']);
    }
  });

  it('a body that unpacks to too much: 413, also where the server is too busy to unpack it in time', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
    let isOn = true;
    const keepBusy = (): void => {
      const until = performance.now() + 20;
      while (performance.now() < until);
      if (isOn) setImmediate(keepBusy);
    };
    keepBusy();
    const { status } = await post(bomb, { 'content-encoding': 'gzip' }, { timeout: 100, maxBodyBytes: 2 ** 22 });
    isOn = false;
    expect(status).toBe(413);
  });

  it('gzip is unpacked, and refused where it is broken', async () => {
    const packed = gzipSync(JSON.stringify(tensor()));
    const headers = { 'content-encoding': 'gzip' };
    expect((await post(packed, headers)).status).toBe(200);
    for (const broken of [packed.subarray(0, 30), Buffer.from('plain')])
      expect((await post(broken, headers)).body.code).toBe('GZIP_INVALID');
    const deflate = { 'content-encoding': 'deflate' };
    expect((await post(deflateSync(JSON.stringify(tensor())), deflate)).status).toBe(200);
    expect((await post('plain', deflate)).body.code).toBe('DEFLATE_INVALID');
    expect((await post('{}', { 'content-encoding': 'br' })).status).toBe(415);
  });

  it('a body that does not come to its end: 408', async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"in')) });
    const { status, body: answer } = await post(body, {}, { timeout: 50 });
    expect([status, answer.code]).toEqual([408, 'BODY_TOO_SLOW']);
  });

  it('too many rows: 413; another type: 415; another method: 405; nowhere: 404', async () => {
    const many = await ask(serviceOf({ maxRows: 1 }), infer, { json: tensor() });
    expect([many.status, many.body.code]).toEqual([413, 'TOO_MANY_ROWS']);
    expect((await post('a,b\n1,2', { 'content-type': 'text/csv' })).status).toBe(415);
    expect((await ask(serviceOf(), infer)).status).toBe(405);
    for (const path of [
      '/',
      '/v2/models/other',
      '/v2/models/..%2F..%2Fetc%2Fpasswd',
      '/v2/models/lof/versions/9',
      '/v2/models/__proto__',
    ])
      expect((await ask(serviceOf(), path)).status).toBe(404);
    expect((await ask(serviceOf(), '/v2/models/%E0%A4%A')).status).toBe(400);
    expect((await post(new Uint8Array([0xff, 0xfe]))).body.code).toBe('BODY_NOT_UTF8');
    expect((await ask(serviceOf(), infer, { method: 'POST' })).body.code).toBe('BODY_MISSING');
  });

  it('the key is asked for everywhere but for health', async () => {
    const service = serviceOf({ apiKey: 'secret' });
    for (const headers of [
      {},
      { authorization: 'Bearer secre' },
      { 'x-api-key': 'secret ' + 'x' },
      { authorization: 'secret' },
    ])
      expect((await ask(service, infer, { json: tensor(), headers })).status).toBe(401);
    for (const headers of [{ authorization: 'Bearer secret' }, { 'x-api-key': 'secret' }])
      expect((await ask(service, infer, { json: tensor(), headers })).status).toBe(200);
    expect((await ask(service, '/metrics')).status).toBe(401);
    expect((await ask(service, '/v2/health/live')).status).toBe(200);
    expect((await ask(service, '/ping')).status).toBe(200);
  });

  it('an error that nobody foresaw is told to the owner and not to the world', async () => {
    const told: unknown[] = [];
    const broken = new LOF({ neighbors: 2 }).fit(rows);
    const service = new Service({ models: { broken: { model: broken } }, onError: (error) => told.push(error) });
    broken.score = () => {
      throw new TypeError('secret of the house');
    };
    const { status, text } = await ask(service, '/invocations', { json: { inputs: NEW } });
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect(told).toHaveLength(1);
  });

  it('options that are wrong are refused', () => {
    const refused = (make: () => unknown): void =>
      expect(make).toThrow(expect.objectContaining({ name: 'CurvadError' }));
    refused(() => serviceOf({ maxRows: 0 }));
    refused(() => serviceOf({ apiKey: '' }));
    refused(() => serviceOf({ port: 1 } as never));
    refused(() => new Service({ models: { 'a/b': { model: lof } } }));
    refused(() => new Service({ models: { a: { model: lof, features: ['x'] } } }));
    refused(() => new Service({ models: { a: { model: new Uint8Array(3) } } }));
    refused(
      () =>
        new Service({
          models: {
            a: { model: new LOF().fit([...Array(30)].map((_, i) => ({ x: i % 9, y: i % 4 }))), features: ['x', 'y'] },
          },
        }),
    );
  });
});
