// Requests from strangers: any method, path, header and body. Each is answered in time with a status of its own, never
// with 500, and well-formed ones after it have the scores of the library.
import { CAD, LOF } from 'curvad';
import { Service } from 'curvad/service';
import { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, promise } from '../attack.js';
import { type Damage, damaged, drawDamage } from '../bytes.js';
import { same } from '../detectors.js';
import { chance, EDGE_VALUES, edit, pathsOf, pick, shorter } from '../values.js';

interface Plan {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: number;
  readonly edits: ReadonlyArray<{ readonly path: string[]; readonly value: unknown }>;
  readonly damages: readonly Damage[];
  readonly chunk: number;
}

const ROWS = new Random(19).rows(60, 3).map((row) => [...row]);
const OTHERS = new Random(20).rows(5, 3).map((row) => [...row]);

/** Requests that are right, before they are damaged. */
const BODIES: ReadonlyArray<readonly [path: string, body: unknown]> = [
  ['/v2/models/lof/infer', { inputs: [{ name: 'x', shape: [5, 3], datatype: 'FP64', data: OTHERS }] }],
  [
    '/v2/models/lof/versions/1/infer',
    { inputs: [{ name: 'x', shape: [5, 3], datatype: 'FP32', data: OTHERS.flat() }] },
  ],
  ['/invocations?model=cad', { dataframe_split: { columns: ['a', 'b', 'c'], data: OTHERS } }],
  ['/invocations?model=cad', { dataframe_records: OTHERS.map(([a, b, c]) => ({ a, b, c })) }],
  ['/invocations?model=lof', { inputs: OTHERS }],
  ['/v2/models/cad/score', { a: 1, b: 2, c: 3 }],
  ['/v2/models/cad/explain', { row: OTHERS[0] }],
  ['/v2/models', {}],
  ['/metrics', {}],
  ['/openapi.json', {}],
];
const WORDS = ['{', '}', '[', ']', '"', ',', ':', '\\u0000', '1e999', '-', '__proto__', '[[[[[[[[', 'null', 'é', '%00']
  .map((word) => new TextEncoder().encode(word))
  .concat(Uint8Array.of(0xff));
const PATHS = [
  '/',
  '/v2/models/%ff/infer',
  '/v2/models/../../etc/passwd',
  '/v2/models/__proto__/infer',
  '//',
  '/v2?a=%',
];
const HEADERS: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  {},
  {},
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br' },
  { 'content-type': 'application/octet-stream' },
  { 'content-type': 'application/vnd.apache.arrow.stream' },
  { 'content-length': '-1' },
  { 'inference-header-content-length': '7' },
];

class Requests implements Attack<Plan> {
  readonly #errors: unknown[] = [];
  readonly #lof = new LOF({ neighbors: 5 }).fit(ROWS);
  readonly #service = new Service({
    models: {
      lof: { model: this.#lof },
      cad: { model: new CAD({ neighbors: 5 }).fit(ROWS), features: ['a', 'b', 'c'] },
    },
    maxBodyBytes: 20_000,
    maxRows: 100,
    timeout: 5000,
    onError: (error) => this.#errors.push(error),
  });

  draw(random: Random): Plan {
    const body = random.integer(BODIES.length);
    const [path, content] = BODIES[body] as (typeof BODIES)[number];
    const paths = pathsOf(content);
    return {
      method: chance(random, 0.85) ? 'POST' : pick(random, ['GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE', 'FOO']),
      path: chance(random, 0.1) ? pick(random, PATHS) : path,
      headers: pick(random, HEADERS),
      body,
      edits:
        paths.length === 0
          ? []
          : Array.from({ length: random.integer(3) }, () => ({
              path: pick(random, paths),
              value: pick(random, EDGE_VALUES),
            })),
      damages: chance(random, 0.4) ? [drawDamage(random, WORDS)] : [],
      chunk: 1 + random.integer(500),
    };
  }

  async run(plan: Plan): Promise<string> {
    this.#errors.length = 0;
    const bytes = this.#bytes(plan);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += plan.chunk) yield bytes.slice(at, at + plan.chunk);
    }
    const headers = new Map(Object.entries(plan.headers));
    const {
      status,
      body,
      headers: given,
    } = await this.#service.answer({
      method: plan.method,
      url: plan.path,
      header: (name) => headers.get(name.toLowerCase()) ?? null,
      chunks: plan.method === 'GET' || plan.method === 'HEAD' ? undefined : chunks(),
    });
    if (this.#errors.length > 0) throw this.#errors[0];
    promise(
      status >= 200 && status < 500 && status !== 408,
      () => `the status is ${status}: ${String(body).slice(0, 200)}`,
    );
    if (given['content-type'] === 'application/json') JSON.parse(String(body));
    await this.#checkScores();
    return String(status);
  }

  *smaller(plan: Plan): Generator<Plan> {
    for (const edits of shorter(plan.edits)) yield { ...plan, edits };
    if (plan.damages.length > 0) yield { ...plan, damages: [] };
    yield { ...plan, headers: {} };
  }

  evidence(plan: Plan): Record<string, Uint8Array> {
    return { body: this.#bytes(plan) };
  }

  #bytes({ body, edits, damages }: Plan): Uint8Array {
    const content = structuredClone((BODIES[body] as (typeof BODIES)[number])[1]);
    for (const { path, value } of edits)
      edit(content, path, typeof value === 'object' ? structuredClone(value) : value);
    return damaged(new TextEncoder().encode(JSON.stringify(content)), damages);
  }

  /** What came before leaves the service as it was. */
  async #checkScores(): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify({ inputs: OTHERS }));
    const { status, body } = await this.#service.answer({
      method: 'POST',
      url: '/invocations?model=lof',
      header: () => null,
      chunks: (async function* () {
        yield bytes;
      })(),
    });
    promise(status === 200, () => `a right request has the status ${status}: ${body}`);
    const { predictions } = JSON.parse(String(body)) as { predictions: Array<number | { score: number }> };
    const scores = predictions.map((one) => (typeof one === 'number' ? one : one.score));
    promise(same(scores, this.#lof.score(OTHERS)), () => 'the service scores otherwise');
  }
}

export const service: Area = {
  name: 'service',
  about: 'requests of any kind are answered with a status of their own, and scores stay those of the library',
  share: 4,
  begin: async () => attack(new Requests()),
};
