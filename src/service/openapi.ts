// The description of the service for programs: OpenAPI 3.1, made of the routes themselves.
import { VERSION } from '../core/version.js';
import { ARROW } from './arrow.js';
import type { Models } from './models.js';
import type { Route } from './route.js';

const VALUE = { type: ['number', 'string', 'boolean', 'null'] };
const LIST_ROWS = { type: 'array', minItems: 1, items: { type: 'array', items: VALUE } };
const OBJECT_ROWS = { type: 'array', minItems: 1, items: { type: 'object', additionalProperties: VALUE } };

const ERROR = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string' },
    code: { type: 'string' },
    row: { type: 'integer' },
    column: { type: 'integer' },
  },
};

const INFERENCE = {
  type: 'object',
  required: ['inputs'],
  properties: {
    id: { type: 'string' },
    inputs: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['name', 'shape', 'datatype'],
        properties: {
          name: { type: 'string' },
          shape: { type: 'array', items: { type: 'integer', minimum: 0 } },
          datatype: { type: 'string', examples: ['FP64'] },
          data: { type: 'array' },
        },
      },
    },
    outputs: {
      type: 'array',
      items: { type: 'object', required: ['name'], properties: { name: { enum: ['score', 'label'] } } },
    },
  },
};

const INVOCATION = {
  oneOf: [
    {
      type: 'object',
      required: ['dataframe_split'],
      properties: {
        dataframe_split: {
          type: 'object',
          required: ['data'],
          properties: { columns: { type: 'array', items: { type: 'string' } }, data: LIST_ROWS },
        },
      },
    },
    { type: 'object', required: ['dataframe_records'], properties: { dataframe_records: OBJECT_ROWS } },
    { type: 'object', required: ['instances'], properties: { instances: { oneOf: [LIST_ROWS, OBJECT_ROWS] } } },
    {
      type: 'object',
      required: ['inputs'],
      properties: { inputs: { oneOf: [LIST_ROWS, { type: 'object', additionalProperties: { type: 'array' } }] } },
    },
  ],
};

const BODIES: Readonly<Record<string, unknown>> = {
  infer: { 'application/json': { schema: INFERENCE } },
  invocations: { 'application/json': { schema: INVOCATION } },
  score: {
    'application/x-ndjson': { schema: { type: 'string' } },
    [ARROW]: { schema: { type: 'string', format: 'binary' } },
  },
  explain: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['row'],
        properties: { row: { anyOf: [{ type: 'array', items: VALUE }, { type: 'object' }] } },
      },
    },
  },
};

/** Of the routes, for the models that are served now. */
export function openApi(routes: readonly Route[], models: Models): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = paths[route.pattern] ?? {};
    path[route.method.toLowerCase()] = operationOf(route, models);
    paths[route.pattern] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'curvad',
      version: VERSION,
      description: 'Anomaly scores over HTTP: Open Inference Protocol v2 and MLflow',
    },
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } }, schemas: { Error: ERROR } },
  };
}

function operationOf({ method, pattern, about, isOpen, type }: Route, models: Models): unknown {
  const known: Readonly<Record<string, readonly string[]>> = {
    model: models.names,
    version: [...new Set(models.names.flatMap((name) => models.versionsOf(name)))],
  };
  const body = BODIES[pattern.split('/').at(-1) as string];
  const refusals = method === 'POST' ? ['400', '404', '408', '413', '415'] : [];
  const named = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  if (named.length > 0 && method === 'GET') refusals.push('404');
  if (!isOpen) refusals.push('400', '401');
  if (/ready$|POST/.test(`${pattern} ${method}`) || method === 'POST') refusals.push('503');
  const isText = type !== undefined || /^\/(ping|health|version)$/.test(pattern);
  const refusal = {
    description: 'What is wrong',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
  return {
    summary: about,
    ...(named.length > 0 && {
      parameters: named.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string', enum: known[name] },
      })),
    }),
    ...(body !== undefined && method === 'POST' && { requestBody: { required: true, content: body } }),
    responses: {
      200: {
        description: 'Done',
        content: {
          [type ?? (isText ? 'text/plain; charset=utf-8' : 'application/json')]: {},
          ...(pattern.endsWith('/score') && { [ARROW]: {} }),
        },
      },
      ...Object.fromEntries([...new Set(refusals)].map((status) => [status, refusal])),
    },
    ...(!isOpen && { security: [{}, { key: [] }] }),
  };
}
