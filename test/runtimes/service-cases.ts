// Requests to a scoring service and the answers that are due, for every runtime that runs it: the protocols, and what a
// stranger may send. The service has the model `odd`, a LOF of three columns a, b, c, the key `k`, and the limits below.
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { LOF } from '../../src/index.js';

export const LIMITS = { maxBodyBytes: 20_000, maxRows: 50, timeout: 700 } as const;
export const KEY = 'k';
const COLUMNS = ['a', 'b', 'c'];

const rows = Array.from({ length: 80 }, (_, i) => ({ a: Math.sin(i), b: Math.cos(i), c: (i % 7) / 7 }));
/** The model that is served. */
export const model = new LOF({ neighbors: 5 }).fit(rows);

const NEW = [
  [0.1, 0.2, 0.3],
  [3, -3, 3],
];
const records = NEW.map(([a, b, c]) => ({ c, a, b }));
const scores = [...model.score(records)];
const labels = [...model.predict(records)];
const predictions = scores.map((score, i) => ({ score, label: labels[i] }));
const outputs = [
  { name: 'score', shape: [2], datatype: 'FP64', data: scores },
  { name: 'label', shape: [2], datatype: 'INT32', data: labels },
];
const inferred = { model_name: 'odd', model_version: '1', outputs };

export interface Case {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, bytes, or what is sent as JSON. */
  readonly body?: unknown;
  readonly status: number;
  readonly code?: string;
  /** What the answer is, or has. */
  readonly json?: unknown;
  readonly text?: string | RegExp;
}

const tensor = (over = {}) => ({
  inputs: [{ name: 'rows', shape: [2, 3], datatype: 'FP64', data: NEW.flat(), ...over }],
});
const text = (over: (json: string) => string): string => over(JSON.stringify(tensor()));
const INFER = '/v2/models/odd/infer';
const NDJSON = { 'content-type': 'application/x-ndjson' };
const GZIP = { 'content-encoding': 'gzip' };

const PROTOCOLS: Case[] = [
  { name: 'lives', path: '/v2/health/live', status: 200, json: { live: true } },
  { name: 'is ready', path: '/v2/health/ready', status: 200, json: { ready: true } },
  { name: 'needs no key to say so', path: '/ping', headers: { 'x-api-key': '' }, status: 200, text: '\n' },
  { name: 'lists models', path: '/v2/models', status: 200, json: { models: [{ name: 'odd', versions: ['1'] }] } },
  {
    name: 'says what a model takes',
    path: '/v2/models/odd',
    status: 200,
    json: {
      name: 'odd',
      versions: ['1'],
      platform: 'curvad',
      inputs: [{ name: 'rows', datatype: 'FP64', shape: [-1, 3], parameters: { columns: COLUMNS } }],
      outputs: [
        { name: 'score', datatype: 'FP64', shape: [-1] },
        { name: 'label', datatype: 'INT32', shape: [-1] },
      ],
    },
  },
  {
    name: 'says that a version is ready',
    path: '/v2/models/odd/versions/1/ready',
    status: 200,
    json: { name: 'odd', ready: true },
  },
  { name: 'infers from flat data', path: INFER, body: tensor(), status: 200, json: inferred },
  { name: 'infers from nested data', path: INFER, body: tensor({ data: NEW }), status: 200, json: inferred },
  {
    name: 'infers by version',
    path: '/v2/models/odd/versions/1/infer',
    body: { id: 'x', ...tensor() },
    status: 200,
    json: { ...inferred, id: 'x' },
  },
  {
    name: 'infers from a tensor of each column',
    path: INFER,
    body: {
      inputs: [2, 0, 1].map((j) => ({
        name: COLUMNS[j],
        shape: [2],
        datatype: 'FP64',
        data: NEW.map((row) => row[j]),
      })),
      outputs: [{ name: 'label' }],
    },
    status: 200,
    json: { ...inferred, outputs: [outputs[1]] },
  },
  {
    name: 'is invoked with instances',
    path: '/invocations',
    body: { instances: NEW },
    status: 200,
    json: { predictions },
  },
  { name: 'is invoked with inputs', path: '/invocations', body: { inputs: NEW }, status: 200, json: { predictions } },
  {
    name: 'is invoked with records',
    path: '/invocations',
    body: { dataframe_records: records },
    status: 200,
    json: { predictions },
  },
  {
    name: 'is invoked with a split frame',
    path: '/invocations',
    body: { dataframe_split: { columns: ['b', 'a', 'c'], index: [0, 1], data: NEW.map(([a, b, c]) => [b, a, c]) } },
    status: 200,
    json: { predictions },
  },
  {
    name: 'scores lines of JSON',
    path: '/v2/models/odd/score',
    headers: NDJSON,
    body: NEW.map((row) => `${JSON.stringify(row)}\n`).join(''),
    status: 200,
    text: predictions.map((one) => `${JSON.stringify(one)}\n`).join(''),
  },
  {
    name: 'unpacks gzip',
    path: INFER,
    headers: GZIP,
    body: gzipSync(JSON.stringify(tensor())),
    status: 200,
    json: inferred,
  },
  {
    name: 'infers from binary data, and answers with it',
    path: INFER,
    ...binaryRequest(),
    status: 200,
    text: /^\{"model_name":"odd",.*"parameters":\{"binary_data_size":16\}.*\{"binary_data_size":8\}\}\]\}/,
  },
  {
    name: 'explains a row',
    path: '/v2/models/odd/explain',
    body: { row: NEW[1] },
    status: 200,
    text: new RegExp(`"score":${scores[1]},"threshold":${model.threshold},"label":1,.*"changes":`),
  },
  { name: 'has metrics', path: '/metrics', status: 200, text: /^curvad_rows_total\{model="odd",version="1"\} [1-9]/m },
  { name: 'describes itself', path: '/openapi.json', status: 200, text: /"openapi":"3\.\d/ },
  { name: 'answers HEAD without a body', path: '/v2/models/odd', method: 'HEAD', status: 200, text: '' },
];

function binaryRequest(): Pick<Case, 'headers' | 'body'> {
  const data = Float64Array.from(NEW.flat());
  const { data: _, ...rest } = tensor().inputs[0] as { data: unknown };
  const inputs = [{ ...rest, parameters: { binary_data_size: data.byteLength } }];
  const json = Buffer.from(JSON.stringify({ inputs, parameters: { binary_data_output: true } }));
  const headers = {
    'content-type': 'application/octet-stream',
    'inference-header-content-length': String(json.length),
  };
  return { headers, body: Buffer.concat([json, new Uint8Array(data.buffer)]) };
}

const bad = (name: string, body: unknown, status: number, code: string, headers = {}): Case => ({
  name,
  path: INFER,
  body,
  status,
  code,
  headers,
});

const STRANGERS: Case[] = [
  bad('refuses a body that is cut off', '{"inputs": [', 400, 'JSON_INVALID'),
  bad(
    'refuses NaN',
    text((json) => json.replace('0.1', 'NaN')),
    400,
    'JSON_INVALID',
  ),
  bad(
    'refuses 1e999',
    text((json) => json.replace('0.1', '1e999')),
    400,
    'INFINITE_VALUE',
  ),
  bad(
    'refuses a key twice',
    text((json) => json.replace('"shape"', '"data":[1],"shape"')),
    400,
    'JSON_DUPLICATE_KEY',
  ),
  bad('refuses a key twice, once escaped', '{"inputs":[],"\\u0069nputs":[]}', 400, 'JSON_DUPLICATE_KEY'),
  bad('refuses deep nesting', `${'['.repeat(5000)}${']'.repeat(5000)}`, 400, 'JSON_TOO_DEEP'),
  bad('refuses the prototype', '{"__proto__": {"inputs": []}}', 400, 'BODY_INVALID'),
  bad('refuses text for a number', tensor({ data: ['x', 1, 1, 1, 1, 1] }), 400, 'NOT_A_NUMBER'),
  bad('refuses another width', tensor({ shape: [3, 2] }), 400, 'WRONG_WIDTH'),
  bad('refuses a shape that is not that of the data', tensor({ shape: [5, 3] }), 400, 'BODY_INVALID'),
  bad('refuses what is not UTF-8', new Uint8Array([0xff, 0xfe]), 400, 'BODY_NOT_UTF8'),
  bad('refuses gzip that is cut off', gzipSync(JSON.stringify(tensor())).subarray(0, 30), 400, 'GZIP_INVALID', GZIP),
  bad('refuses what is not gzip', 'plain', 400, 'GZIP_INVALID', GZIP),
  bad('refuses another encoding', '{}', 415, 'ENCODING_UNSUPPORTED', { 'content-encoding': 'zstd' }),
  bad('refuses another type', 'a,b\n1,2', 415, 'TYPE_UNSUPPORTED', { 'content-type': 'text/csv' }),
  bad('refuses a bomb of gzip', gzipSync(Buffer.alloc(10 * 2 ** 20)), 413, 'BODY_TOO_LARGE', GZIP),
  bad('refuses a body that is too large', `{"pad": "${'x'.repeat(LIMITS.maxBodyBytes)}"}`, 413, 'BODY_TOO_LARGE'),
  bad('refuses too many rows', tensor({ shape: [51, 3], data: Array(153).fill(0) }), 413, 'TOO_MANY_ROWS'),
  bad('refuses another key', tensor(), 401, 'KEY_WRONG', { 'x-api-key': 'K' }),
  { name: 'refuses no body', path: INFER, method: 'POST', status: 400, code: 'BODY_MISSING' },
  { name: 'refuses another method', path: INFER, status: 405, code: 'METHOD_NOT_ALLOWED' },
  { name: 'knows no other route', path: '/', status: 404, code: 'ROUTE_UNKNOWN' },
  { name: 'knows no other model', path: '/v2/models/other', status: 404, code: 'MODEL_UNKNOWN' },
  { name: 'knows no other version', path: '/v2/models/odd/versions/2', status: 404, code: 'VERSION_UNKNOWN' },
  { name: 'has no way to the files', path: '/v2/models/..%2F..%2Fetc%2Fpasswd', status: 404, code: 'MODEL_UNKNOWN' },
  { name: 'has no model of the prototype', path: '/v2/models/__proto__', status: 404, code: 'MODEL_UNKNOWN' },
  { name: 'refuses a path that is not encoded', path: '/v2/models/%E0%A4%A', status: 400, code: 'PATH_INVALID' },
];

export const CASES: readonly Case[] = [...PROTOCOLS, ...STRANGERS];

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a case as it is, with nothing added or mended on the way. */
export function send(origin: string, { path, body, method, headers }: Case): Promise<Answer> {
  const bytes = body === undefined ? undefined : bytesOf(body);
  const { hostname, port } = new URL(origin);
  const all = {
    'x-api-key': KEY,
    ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    ...(method === 'POST' && bytes === undefined && { 'content-length': '0' }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, method: method ?? (bytes ? 'POST' : 'GET'), headers: all, agent: false };
    const call = request(options, (answer) => {
      let received = '';
      answer.setEncoding('utf8').on('data', (part) => {
        received += part;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: received }));
    });
    call.on('error', reject);
    call.end(bytes);
  });
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The status of the answer to a body of which no more than its first byte comes. */
export function sendSlowly(origin: string): Promise<number> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const type = 'content-type: application/json\r\n';
  socket.write(`POST ${INFER} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\n${type}content-length: 50\r\n\r\n{`);
  return new Promise((resolve, reject) => {
    let received = '';
    socket.on('data', (part) => {
      received += part;
      const [, status] = /^HTTP\/1\.1 (\d+) /.exec(received) ?? [];
      if (status === undefined) return;
      resolve(Number(status));
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${JSON.stringify(received)}`)));
  });
}
