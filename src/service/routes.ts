// The routes of the service.
import { VERSION } from '../core/version.js';
import { explainRowsAsync } from '../explanations/explain.js';
import type { Table } from '../tables/table.js';
import { ARROW, arrowOf, tableOfBody } from './arrow.js';
import { BinaryTensors, JSON_LENGTH } from './binary-tensors.js';
import { type Ask, textOf } from './body.js';
import { HttpError } from './http-error.js';
import { answerInference, metadataOf, readInference } from './inference.js';
import { answerInvocation, readInvocation } from './invocations.js';
import { openApi } from './openapi.js';
import type { Call, PackedAnswer, Route } from './route.js';
import { fromRows, isObject, objectOf } from './rows.js';
import type { Scored, ServedModel } from './served-model.js';
import { parseJson } from './strict-json.js';

const NDJSON = 'application/x-ndjson';

/** A route of a model, and the same route with a version. */
function ofModel(method: 'GET' | 'POST', ending: string, rest: Pick<Route, 'about' | 'type' | 'run'>): Route[] {
  const [plain, versioned] = ['/v2/models/{model}', '/v2/models/{model}/versions/{version}'];
  return [plain, versioned].map((start) => ({ method, pattern: start + ending, ...rest }));
}

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: '/v2/health/live',
    about: 'Whether the server runs',
    isOpen: true,
    run: () => ({ live: true }),
  },
  { method: 'GET', pattern: '/v2/health/ready', about: 'Whether models are there', isOpen: true, run: ready },
  {
    method: 'GET',
    pattern: '/v2',
    about: 'The server',
    run: () => ({ name: 'curvad', version: VERSION, extensions: ['binary_tensor_data'] }),
  },
  {
    method: 'GET',
    pattern: '/v2/models',
    about: 'The models',
    run: ({ models }) => ({ models: models.names.map((name) => ({ name, versions: models.versionsOf(name) })) }),
  },
  ...ofModel('GET', '', {
    about: 'What a model takes and gives',
    run: (call) => metadataOf(modelOf(call), call.models.versionsOf(modelOf(call).name)),
  }),
  ...ofModel('GET', '/ready', {
    about: 'Whether a model is there',
    run: (call) => ({ name: modelOf(call).name, ready: true }),
  }),
  ...ofModel('POST', '/infer', { about: 'Scores and labels of rows, as tensors', run: infer }),
  ...ofModel('POST', '/score', {
    about: 'Scores of lines of JSON, line by line, or of an Arrow stream',
    type: NDJSON,
    run: scoreStream,
  }),
  ...ofModel('POST', '/explain', { about: 'Why a row has its score', run: explainRow }),
  { method: 'GET', pattern: '/ping', about: 'Whether the server runs (MLflow)', isOpen: true, run: () => '\n' },
  { method: 'GET', pattern: '/health', about: 'Whether the server runs (MLflow)', isOpen: true, run: () => '\n' },
  { method: 'GET', pattern: '/version', about: 'The version of curvad', run: () => VERSION },
  { method: 'POST', pattern: '/invocations', about: 'Scores and labels of rows (MLflow)', run: invoke },
  {
    method: 'GET',
    pattern: '/metrics',
    about: 'Counts for Prometheus',
    type: 'text/plain; version=0.0.4; charset=utf-8',
    run: ({ metrics }) => metrics.text(),
  },
  { method: 'GET', pattern: '/openapi.json', about: 'This description', run: ({ models }) => openApi(ROUTES, models) },
];

const EXPRESSIONS = ROUTES.map(({ pattern }) => new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`));

export function findRoute({ method, url }: Ask): Pick<Call, 'parameters' | 'query'> & { route: Route } {
  const [path = '', search = ''] = url.split('?', 2) as [string, string?];
  const wanted = method === 'HEAD' ? 'GET' : method;
  const allowed = new Set<string>();
  for (const [i, route] of ROUTES.entries()) {
    const match = (EXPRESSIONS[i] as RegExp).exec(path);
    if (match === null) continue;
    allowed.add(route.method);
    if (route.method !== wanted) continue;
    const parameters = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, text]) => [name, decoded(text)]),
    );
    return { route, parameters, query: new URLSearchParams(search) };
  }
  if (allowed.size === 0)
    throw new HttpError(404, 'ROUTE_UNKNOWN', 'there is nothing here: GET /openapi.json lists what there is');
  const allow = [...allowed].join(', ');
  throw new HttpError(405, 'METHOD_NOT_ALLOWED', `use ${allow} here`, { allow });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError(400, 'PATH_INVALID', 'the path is not encoded as it must be');
  }
}

function modelOf({ models, parameters }: Call): ServedModel {
  return models.get(parameters['model'], parameters['version']);
}

function ready({ models }: Call): unknown {
  if (models.names.length > 0) return { ready: true };
  throw new HttpError(503, 'NOT_READY', 'there is no model yet');
}

async function readJson(call: Call): Promise<unknown> {
  expectType(call, /^application\/(json|[\w.-]+\+json)$/, 'application/json');
  return parseJson(textOf(await call.read()));
}

function expectType({ header }: Call, right: RegExp, name: string): void {
  if (!right.test(typeOf(header) ?? name)) throw new HttpError(415, 'TYPE_UNSUPPORTED', `content-type must be ${name}`);
}

function typeOf(header: Call['header']): string | undefined {
  return header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

async function score(model: ServedModel, rows: unknown, { limits, metrics }: Call): Promise<Scored> {
  const scored = await model.score(rows, limits);
  const anomalies = scored.scores.reduce((sum, value) => sum + Number(value > scored.threshold), 0);
  metrics.scored(model.name, model.version, scored.scores.length, anomalies);
  return scored;
}

async function infer(call: Call): Promise<unknown> {
  const model = modelOf(call);
  const length = call.header(JSON_LENGTH);
  const binary = length === null ? undefined : new BinaryTensors(await call.read(), length);
  const body = binary === undefined ? await readJson(call) : parseJson(textOf(binary.json));
  const request = readInference(body, model, binary);
  return answerInference(model, request, await score(model, request.rows, call));
}

async function invoke(call: Call): Promise<unknown> {
  const model = call.models.get(call.query.get('model') ?? undefined, call.query.get('version') ?? undefined);
  return answerInvocation(await score(model, readInvocation(await readJson(call), model), call));
}

async function scoreStream(call: Call): Promise<string | PackedAnswer> {
  const model = modelOf(call);
  if (/^application\/vnd\.apache\.arrow\.(stream|file)$/.test(typeOf(call.header) ?? '')) {
    const table = await tableOfBody(await call.read(), call.limits);
    return arrowOf(await score(model, model.names === undefined ? unnamed(table) : table, call));
  }
  return scoreLines(call, model);
}

/** A table whose columns are matched by position, for models without names. */
function unnamed(table: Table): unknown {
  return { ...table, isNamed: false };
}

async function scoreLines(call: Call, model: ServedModel): Promise<string> {
  expectType(call, /^application\/(x-)?(ndjson|jsonl|json-lines)$/, `${NDJSON} or ${ARROW}`);
  const lines = textOf(await call.read())
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length > call.limits.rows)
    throw new HttpError(
      413,
      'TOO_MANY_ROWS',
      `${lines.length} rows are more than the ${call.limits.rows} of a request`,
    );
  const rows = lines.map((line, row) => {
    try {
      return parseJson(line);
    } catch (error) {
      if (error instanceof HttpError)
        throw new HttpError(error.status, error.code, `line ${row + 1}: ${error.message}`, { row });
      throw error;
    }
  });
  const { scores, threshold } = await score(model, fromRows(rows, model), call);
  return Array.from(scores, (value) => `${JSON.stringify({ score: value, label: value > threshold ? 1 : 0 })}\n`).join(
    '',
  );
}

async function explainRow(call: Call): Promise<unknown> {
  const model = modelOf(call);
  const body = objectOf(await readJson(call), 'the body');
  const { row } = body;
  if (!Array.isArray(row) && !isObject(row))
    throw new HttpError(400, 'BODY_INVALID', 'row must be a list or an object');
  const { data } = model.read(fromRows([row], model));
  const signal = AbortSignal.timeout(call.limits.milliseconds);
  try {
    const { detector, names } = model;
    const options = detector.recipe === undefined && names !== undefined ? { names } : undefined;
    const [explanation] = await explainRowsAsync(detector, [data], options, { threads: 0, signal });
    return explanation;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new HttpError(503, 'EXPLAINING_TOO_SLOW', `it was not explained within ${call.limits.milliseconds} ms`);
  }
}
