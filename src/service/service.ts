// A scoring service as one function from request to response, for servers with the Request and Response classes, and for
// Node's HTTP server.
import { CurvadError } from '../core/errors.js';
import { checkOptionNames, wholeNumber } from '../core/options.js';
import { ApiKey } from './api-key.js';
import { type Ask, type Limits, readBytes } from './body.js';
import { asHttpError, HttpError } from './http-error.js';
import { Metrics } from './metrics.js';
import { Models } from './models.js';
import { PackedAnswer } from './route.js';
import { findRoute } from './routes.js';
import type { ModelOptions } from './served-model.js';

export interface ServiceOptions {
  /** Models by name. */
  readonly models?: Readonly<Record<string, ModelOptions>>;
  /** The key that requests must send as "Authorization: Bearer …" or "X-API-Key", except health checks. Default: none. */
  readonly apiKey?: string;
  /** Bytes of a body, unpacked. Default 16 MiB. */
  readonly maxBodyBytes?: number;
  /** Rows of a request. Default 100,000. */
  readonly maxRows?: number;
  /** Milliseconds for a body to arrive, and again for rows to be scored. Default 30,000. */
  readonly timeout?: number;
  /** Receives unexpected errors; the request gets status 500 without details. */
  readonly onError?: (error: unknown) => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const OPTION_NAMES = ['models', 'apiKey', 'maxBodyBytes', 'maxRows', 'timeout', 'onError'] as const;

export class Service {
  readonly #models = new Models();
  readonly #metrics = new Metrics();
  readonly #key: ApiKey | undefined;
  readonly #limits: Limits;
  readonly #onError: (error: unknown) => void;

  constructor(options?: ServiceOptions) {
    const given = checkOptionNames(options, OPTION_NAMES, 'Service') as ServiceOptions;
    const count = (name: 'maxBodyBytes' | 'maxRows' | 'timeout', initial: number): number =>
      wholeNumber(given[name], name, 1, initial, 'COUNT_INVALID');
    this.#limits = {
      bodyBytes: count('maxBodyBytes', 16 * 2 ** 20),
      rows: count('maxRows', 100_000),
      milliseconds: count('timeout', 30_000),
    };
    if (given.apiKey !== undefined && (typeof given.apiKey !== 'string' || given.apiKey === ''))
      throw new CurvadError('OPTIONS_TYPE', 'apiKey must be text that is not empty');
    this.#key = given.apiKey === undefined ? undefined : new ApiKey(given.apiKey);
    this.#onError = given.onError ?? (() => {});
    for (const [name, model] of Object.entries(given.models ?? {})) this.#models.put(name, model);
  }

  /** Serves a model from now on, in place of one of the same name and version; calls under way are not disturbed. */
  put(name: string, model: ModelOptions): this {
    this.#models.put(name, model);
    return this;
  }

  /** No longer serves a model, or one version of it; whether there was one. */
  delete(name: string, version?: string): boolean {
    return this.#models.delete(name, version);
  }

  /** Answers a request: what Deno.serve, Bun.serve and Workers call. Needs no `this`. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const { status, headers, body } = await this.answer({
      method: request.method,
      url: request.url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/',
      header: (name) => request.headers.get(name),
      chunks: request.body === null ? undefined : chunksOf(request.body),
    });
    return new Response(request.method === 'HEAD' ? null : body, { status, headers });
  };

  /** The same without the classes Request and Response. Never rejects. */
  async answer(ask: Ask): Promise<Answer> {
    const start = performance.now();
    let route = 'none';
    let answer: Answer;
    try {
      const found = findRoute(ask);
      route = found.route.pattern;
      if (!found.route.isOpen) await this.#key?.check(ask);
      const { models, metrics, limits } = { models: this.#models, metrics: this.#metrics, limits: this.#limits };
      const read = (): Promise<Uint8Array> => readBytes(ask, limits);
      const result = await found.route.run({ ...found, models, metrics, limits, header: ask.header, read });
      answer = answerOf(result, found.route.type);
    } catch (error) {
      answer = this.#refusal(error);
    }
    this.#metrics.request(route, answer.status, (performance.now() - start) / 1000);
    return answer;
  }

  #refusal(error: unknown): Answer {
    let known = asHttpError(error);
    if (known === undefined) {
      known = new HttpError(500, 'INTERNAL', 'something went wrong on the server');
      this.#onError(error);
    }
    const { status, code, message, details } = known;
    const headers: Record<string, string> = {};
    if (status === 401) headers['www-authenticate'] = 'Bearer';
    if (status === 405) headers['allow'] = String(details['allow']);
    // error as the Open Inference Protocol has it, error_code and message as MLflow.
    return jsonAnswer(status, { error: message, code, error_code: code, message, ...details }, headers);
  }
}

function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { ...COMMON, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body, plain),
  };
}

/** Converts typed arrays to lists. */
function plain(_: string, value: unknown): unknown {
  return value instanceof Float64Array || value instanceof Uint32Array ? Array.from(value) : value;
}

/** Text has the type of its route, and all else that does not say is JSON. */
function answerOf(result: unknown, type = 'text/plain; charset=utf-8'): Answer {
  if (result instanceof PackedAnswer) {
    const { bytes: body, type: own, headers } = result;
    return { status: 200, headers: { ...COMMON, 'content-type': own, ...headers }, body };
  }
  if (typeof result !== 'string') return jsonAnswer(200, result);
  return { status: 200, headers: { ...COMMON, 'content-type': type }, body: result };
}

const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
