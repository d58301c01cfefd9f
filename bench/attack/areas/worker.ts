// curvad worker: Arrow streams of all its calls, one after the other in pieces of any size, damaged, cut, with lies in
// their metadata, with requests that are wrong. Every answer is a whole stream, streams before a damage are answered as
// ever, what follows a refused call too, and no length that a message tells of is believed before its bytes have come.
import {
  columnFromArray,
  float64,
  largeBinary,
  tableFromColumns,
  tableFromIPC,
  tableToIPC,
  utf8,
} from '@uwdata/flechette';
import { KNN } from 'curvad';
import { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, promise } from '../attack.js';
import { type Damage, damaged, drawDamage, joined } from '../bytes.js';
import { same } from '../detectors.js';
import { built } from '../sources.js';
import { chance, EDGE_VALUES, edit, pathsOf, pick, shorter } from '../values.js';

type Sources = typeof import('../../../src/cli/worker/bytes.js') &
  typeof import('../../../src/cli/worker/messages.js') &
  typeof import('../../../src/cli/worker/session.js');

const random = new Random(19);
const ROWS = random.rows(40, 3).map((row) => [...row]);
const OTHERS = random.rows(7, 3).map((row) => [...row]);
const MODEL = new KNN({ neighbors: 3 }).fit(ROWS).toBytes();
const EXPECTED = new KNN({ neighbors: 3 }).fit(ROWS).score(OTHERS);

type Content = 'rows' | 'others' | 'model' | 'text' | 'nothing';

/** Requests that are right, with what their streams hold. */
const REQUESTS: ReadonlyArray<readonly [Content, Readonly<Record<string, unknown>>]> = [
  ['rows', { call: 'fit', key: 'a', detector: 'KNN', options: { neighbors: 3 }, id: 'id' }],
  ['rows', { call: 'fit', key: 'b', detector: 'LandmarkCAD', options: { landmarks: 8 }, table: { missing: 'median' } }],
  ['others', { call: 'score', key: 'given', id: 'id' }],
  ['others', { call: 'score', key: 'given', columns: ['a', 'b', 'c'] }],
  ['others', { call: 'probability', key: 'given' }],
  ['others', { call: 'explain', key: 'given', columns: ['a', 'b', 'c'] }],
  ['nothing', { call: 'model', key: 'given' }],
  ['model', { call: 'load', key: 'c' }],
  ['nothing', { call: 'drop', key: 'c' }],
  ['nothing', { call: 'detectors' }],
  ['rows', { call: 'hold', key: 's', columns: ['a', 'b', 'c'] }],
  ['others', { call: 'near', key: 's', k: 3, columns: ['a', 'b', 'c'] }],
  ['rows', { call: 'nearEach', key: 's', k: 3, columns: ['a', 'b', 'c'] }],
  ['rows', { call: 'select', selector: 'InverseCAD', how: { count: 5 }, columns: ['a', 'b', 'c'], classes: 'id' }],
  ['rows', { call: 'statistics', columns: ['a', 'b', 'c'] }],
  ['text', { call: 'merge' }],
  ['rows', { call: 'threshold', detector: 'KNN', options: {}, columns: ['a'] }],
  ['rows', { call: 'assemble', key: 'd', detector: 'KNN', options: {}, columns: ['a', 'b', 'c'], scores: 'id' }],
  ['nothing', { call: 'landmarks', detector: 'LandmarkCAD', options: { landmarks: 8 }, count: 40 }],
  ['rows', { call: 'block', key: 'e', detector: 'KNN', options: {}, columns: ['a', 'b', 'c'], id: 'id', scaling: {} }],
];

interface Stream {
  readonly request: number;
  readonly edits: ReadonlyArray<{ readonly path: string[]; readonly value: unknown }>;
  readonly damages: readonly Damage[];
}

interface Plan {
  readonly streams: readonly Stream[];
  /** Bytes of a piece in which the input comes. */
  readonly piece: number;
}

const WORDS = [
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x10, 0, 0, 0),
  Uint8Array.of(0xff, 0xff, 0xff, 0x7f),
  Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0),
  new TextEncoder().encode('ARROW1\0\0'),
];
const MB = 2 ** 20;

function contentOf(content: Content) {
  const rows = content === 'others' ? OTHERS : ROWS;
  const numbers = [0, 1, 2].map((j) => [
    'abc'[j],
    columnFromArray(
      rows.map((row) => row[j] as number),
      float64(),
    ),
  ]);
  const ids = [
    'id',
    columnFromArray(
      rows.map((_, i) => i),
      float64(),
    ),
  ];
  const kinds = [
    'kind',
    columnFromArray(
      rows.map((_, i) => (i % 2 ? 'x' : 'y')),
      utf8(),
    ),
  ];
  if (content === 'model') return [['model', columnFromArray([MODEL], largeBinary())]];
  if (content === 'text') return [['statistics', columnFromArray(['{"columns":3}'], utf8())]];
  if (content === 'nothing') return [['nothing', columnFromArray([0], float64())]];
  return [...numbers, ids, kinds];
}

function streamOf(content: Content, request: unknown): Uint8Array {
  const table = tableFromColumns(contentOf(content) as never);
  table.schema.metadata = new Map([['curvad', JSON.stringify(request) ?? 'null']]);
  return tableToIPC(table, { format: 'stream' }) as Uint8Array;
}

const CHECK = streamOf('others', { call: 'score', key: 'given', columns: ['a', 'b', 'c'] });

class Worker implements Attack<Plan> {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  draw(draw: Random): Plan {
    const one = (): Stream => {
      const request = draw.integer(REQUESTS.length);
      const paths = pathsOf((REQUESTS[request] as (typeof REQUESTS)[0])[1]);
      const edits = chance(draw, 0.4) ? [{ path: pick(draw, paths), value: pick(draw, EDGE_VALUES) }] : [];
      const count = chance(draw, 0.4) ? 1 + draw.integer(2) : 0;
      return { request, edits, damages: Array.from({ length: count }, () => drawDamage(draw, WORDS)) };
    };
    return { streams: Array.from({ length: 1 + draw.integer(4) }, one), piece: 1 + draw.integer(5000) };
  }

  size({ streams }: Plan): number {
    return streams.length;
  }

  async run(plan: Plan): Promise<string> {
    const before = process.cpuUsage();
    const memory = process.memoryUsage().arrayBuffers;
    const first = plan.streams.findIndex(({ damages }) => damages.length > 0);
    const streams = plan.streams.map((stream) => this.#bytes(stream));
    const { answers, error, most } = await answered(this.#sources, joined(...streams, CHECK), plan.piece);
    const { user } = process.cpuUsage(before);
    promise(user < 3e6, () => `${streams.length} small streams took ${user / 1e6} s`);
    promise(most - memory < 300 * MB, () => `small streams took ${((most - memory) / MB).toFixed(0)} MB`);
    const known = first < 0 ? streams.length + 1 : first;
    promise(answers.length >= known, () => `${answers.length} answers to ${known} streams that were whole`);
    for (const answer of answers) checkError(answer);
    // Nothing but a damage may end the session.
    promise(
      error === undefined || (first >= 0 && error instanceof this.#sources.OutOfStep),
      () => `the session ended: ${error}`,
    );
    if (error !== undefined) return 'out of step';
    checkScores(answers.at(-1) as Answer, plan.streams.every(isHarmless));
    return first < 0 ? 'answered' : 'answered in spite of damage';
  }

  *smaller(plan: Plan): Generator<Plan> {
    for (const streams of shorter(plan.streams, 1)) yield { ...plan, streams };
    for (const [i, stream] of plan.streams.entries()) {
      if (stream.edits.length > 0) yield { ...plan, streams: plan.streams.with(i, { ...stream, edits: [] }) };
      for (const damages of shorter(stream.damages))
        yield { ...plan, streams: plan.streams.with(i, { ...stream, damages }) };
    }
    if (plan.piece < 100_000) yield { ...plan, piece: 100_000 };
  }

  evidence({ streams }: Plan): Record<string, Uint8Array> {
    return { arrows: joined(...streams.map((stream) => this.#bytes(stream))) };
  }

  #bytes({ request, edits, damages }: Stream): Uint8Array {
    const [content, right] = REQUESTS[request] as (typeof REQUESTS)[0];
    const asked = structuredClone(right);
    for (const { path, value } of edits) edit(asked, path, value);
    return damaged(streamOf(content, asked), damages);
  }
}

/** Whether a stream leaves the model that is scored with in the end. */
const isHarmless = ({ request, edits, damages }: Stream): boolean =>
  edits.length === 0 && damages.length === 0 && (REQUESTS[request] as (typeof REQUESTS)[0])[1]['key'] !== 'given';

interface Answer {
  readonly scores: ArrayLike<number> | undefined;
  readonly error: { code?: unknown; message?: unknown } | undefined;
}

async function answered({ ChunkSource, MessageReader, Session }: Sources, bytes: Uint8Array, piece: number) {
  const session = new Session(undefined, undefined);
  const answers: Answer[] = [];
  let error: unknown;
  let most = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield streamOf('model', { call: 'load', key: 'given' });
    for (let at = 0; at < bytes.length; at += piece) {
      most = Math.max(most, process.memoryUsage().arrayBuffers);
      yield bytes.slice(at, at + piece);
    }
  }
  let parts: Uint8Array[] = [];
  const write = async (part: Uint8Array): Promise<void> => {
    parts.push(part.slice());
    if (part.length !== 8) return;
    answers.push(answerOf(joined(...parts)));
    parts = [];
  };
  try {
    await session.serve(new MessageReader(new ChunkSource(pieces())), write);
  } catch (thrown) {
    error = thrown;
  }
  promise(parts.length === 0, () => 'an answer was begun and not ended');
  return { answers: answers.slice(1), error, most };
}

function answerOf(bytes: Uint8Array): Answer {
  const table = tableFromIPC(bytes);
  const errors = Array.from(table.getChild('error') ?? []) as Array<string | null>;
  const text = errors.at(-1);
  const error = text == null ? undefined : (JSON.parse(text) as Answer['error']);
  const scores = table.names.includes('score') ? (table.getChild('score').toArray() as ArrayLike<number>) : undefined;
  return { scores, error };
}

/** What is refused says why: an error of the library's, or that the input is wrong. */
function checkError({ error }: Answer): void {
  if (error === undefined) return;
  promise(
    typeof error.code === 'string' && error.code !== 'FAILED',
    () => `an answer failed: ${JSON.stringify(error)}`,
  );
  promise(typeof error.message === 'string' && error.message !== '', () => 'an error has no words');
}

/** A stream that is right is answered with the right scores, whatever came before it. */
function checkScores({ scores, error }: Answer, isLeft: boolean): void {
  if (!isLeft) return;
  promise(error === undefined, () => `a right stream is refused: ${JSON.stringify(error)}`);
  promise(scores !== undefined && same(Float64Array.from(scores), EXPECTED), () => 'a right stream has other scores');
}

export const worker: Area = {
  name: 'worker',
  about: 'streams to curvad worker, damaged or not, are answered one by one, and none of their lengths is believed',
  share: 5,
  begin: async () => {
    const sources = await built(['cli/worker/session.ts', 'cli/worker/messages.ts', 'cli/worker/bytes.ts']);
    return attack(new Worker(sources as Sources));
  },
};
