// Model files from strangers, under right checksums: fields, sections, numbers and bytes edited, parts of other models
// grafted in. Each ends in an error of the model file, or in a model that keeps every promise of a model.
import { explain, load } from 'curvad';
import { SeriesDetector, SlidingWindow } from 'curvad/streams';
import { checksum } from '../../../src/core/model-file/checksum.js';
import { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, codeOf, promise } from '../attack.js';
import { type AnyDetector, drawDetector, makeDetector, same } from '../detectors.js';
import { drawTable } from '../tables.js';
import { chance, EDGE_NUMBERS, EDGE_VALUES, edit, pathsOf, pick, shorter } from '../values.js';

const HEADER_AT = 16;
const WIDTH = { f32: 4, f64: 8, u32: 4 } as const;
type Type = keyof typeof WIDTH;

interface Header {
  detector: unknown;
  fields: Record<string, unknown>;
  sections: Record<string, unknown>;
}

interface Section {
  readonly name: string;
  type: Type;
  bytes: Uint8Array;
}

/** A file taken apart. */
interface Parts {
  readonly head: Uint8Array;
  readonly header: Header;
  readonly sections: Section[];
}

/** A file that is taken apart again and again. */
class Original {
  readonly isStream: boolean;
  /** Ways to what can be edited. */
  readonly paths: readonly string[][];
  readonly sections: readonly Section[];
  /** Not to be changed. */
  readonly header: Header;
  readonly #head: Uint8Array;
  readonly #text: string;

  constructor(file: Uint8Array) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const body = HEADER_AT + view.getUint32(12, true);
    this.#head = file.slice(0, HEADER_AT);
    this.#text = new TextDecoder().decode(file.subarray(HEADER_AT, body));
    this.header = JSON.parse(this.#text) as Header;
    this.isStream = this.header.detector === 'SlidingWindow' || this.header.detector === 'SeriesDetector';
    this.paths = pathsOf({ fields: this.header.fields, sections: this.header.sections });
    this.sections = Object.entries(this.header.sections).map(([name, entry]) => {
      const [type, offset, length] = entry as [Type, number, number];
      return { name, type, bytes: file.slice(body + offset, body + offset + length * WIDTH[type]) };
    });
  }

  /** Parts that may be changed. */
  parts(): Parts {
    const header = JSON.parse(this.#text) as Header;
    return { head: this.#head, header, sections: this.sections.map((section) => ({ ...section })) };
  }
}

type Edit =
  | { readonly what: 'field'; readonly path: string[]; readonly value: unknown }
  | { readonly what: 'removal'; readonly path: string[] }
  | { readonly what: 'detector'; readonly name: unknown }
  | { readonly what: 'number'; readonly section: string; readonly index: number; readonly value: number }
  | { readonly what: 'type'; readonly section: string; readonly type: Type }
  | { readonly what: 'length'; readonly section: string; readonly length: number }
  | { readonly what: 'graft'; readonly section: string; readonly from: number }
  | { readonly what: 'graft field'; readonly path: string[]; readonly from: number }
  | { readonly what: 'byte'; readonly at: number; readonly value: number }
  | { readonly what: 'cut'; readonly at: number };

interface Plan {
  readonly file: number;
  readonly edits: readonly Edit[];
  readonly backend: 'js' | 'wasm';
  /** What is asked of a model that was loaded, beside scores. */
  readonly question: number;
}

const QUESTIONS = 8;
const SEED = 19;
const FILES_OF_DETECTORS = 60;

const align = (size: number): number => Math.ceil(size / 8) * 8;

function putTogether({ head, header, sections }: Parts): Uint8Array {
  let at = 0;
  for (const { name, type, bytes } of sections) {
    // What was edited in the table of sections stays as it was edited.
    const entry = (header.sections as Header['sections'] | undefined)?.[name];
    if (Array.isArray(entry) && entry.length === 3) header.sections[name] = [type, at, bytes.length / WIDTH[type]];
    at += align(bytes.length);
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const headerLength = align(text.length);
  const file = new Uint8Array(HEADER_AT + headerLength + at + 4);
  file.set(head);
  file.fill(0x20, HEADER_AT, HEADER_AT + headerLength);
  file.set(text, HEADER_AT);
  new DataView(file.buffer).setUint32(12, headerLength, true);
  at = HEADER_AT + headerLength;
  for (const { bytes } of sections) {
    file.set(bytes, at);
    at += align(bytes.length);
  }
  return file;
}

function seal(file: Uint8Array): Uint8Array {
  if (file.length >= 4) new DataView(file.buffer).setUint32(file.length - 4, checksum(file.subarray(0, -4)), true);
  return file;
}

class ModelFiles implements Attack<Plan> {
  readonly #files: readonly Original[];
  readonly #fresh = new Random(SEED).rows(3, 3).map((row) => [...row]);

  constructor(files: readonly Uint8Array[]) {
    this.#files = files.map((file) => new Original(file));
  }

  draw(random: Random): Plan {
    const file = random.integer(this.#files.length);
    const edits = Array.from({ length: 1 + random.integer(3) }, () => this.#drawEdit(random, file));
    const backend = chance(random, 0.3) ? 'js' : 'wasm';
    return { file, edits, backend, question: random.integer(QUESTIONS) };
  }

  run(plan: Plan): string {
    const bytes = this.#bytes(plan);
    const before = process.cpuUsage();
    const isStream = this.#original(plan.file).isStream;
    const ending = isStream ? this.#stream(plan, bytes) : this.#model(plan, bytes);
    const { user, system } = process.cpuUsage(before);
    promise(user + system < 3e6, () => `a file of ${bytes.length} bytes took ${(user + system) / 1e6} s`);
    return ending;
  }

  *smaller(plan: Plan): Generator<Plan> {
    for (const edits of shorter(plan.edits, 1)) yield { ...plan, edits };
  }

  evidence(plan: Plan): Record<string, Uint8Array> {
    return { curvad: this.#bytes(plan) };
  }

  #original(file: number): Original {
    return this.#files[file] as Original;
  }

  #drawEdit(random: Random, file: number): Edit {
    const { sections, paths } = this.#original(file);
    const path = pick(random, paths);
    const section = sections.length === 0 ? '' : pick(random, sections).name;
    const from = random.integer(this.#files.length);
    switch (random.integer(12)) {
      case 0:
        return { what: 'removal', path };
      case 1:
        return {
          what: 'detector',
          name: pick(random, [
            'CAD',
            'KNN',
            'LOF',
            'OneClassSVM',
            'IsolationForest',
            'EllipticEnvelope',
            'LandmarkCAD',
            'SlidingWindow',
            '__proto__',
            null,
          ]),
        };
      case 2:
      case 3:
        return { what: 'number', section, index: random.integer(64), value: pick(random, EDGE_NUMBERS) };
      case 4:
        return { what: 'type', section, type: pick(random, ['f32', 'f64', 'u32'] as const) };
      case 5:
        return { what: 'length', section, length: random.integer(80) };
      case 6:
        return { what: 'graft', section, from };
      case 7:
        return { what: 'graft field', path, from };
      case 8:
        return chance(random, 0.2)
          ? { what: 'cut', at: random.uniform() }
          : { what: 'byte', at: random.uniform(), value: random.integer(256) };
      default:
        return { what: 'field', path, value: this.#drawValue(random, path, file) };
    }
  }

  /** Another number near the right one is harder to tell than nonsense. */
  #drawValue(random: Random, path: readonly string[], file: number): unknown {
    if (chance(random, 0.4)) return pick(random, EDGE_VALUES);
    const { header } = this.#original(file);
    const value = path.reduce<unknown>((holder, key) => (holder as Record<string, unknown> | null)?.[key], header);
    if (typeof value !== 'number') return pick(random, EDGE_VALUES);
    return pick(random, [value + 1, value - 1, value * 2, -value, value / 3, Math.round(value), random.integer(20)]);
  }

  #bytes({ file, edits }: Plan): Uint8Array {
    const parts = this.#original(file).parts();
    for (const change of edits) this.#apply(change, parts);
    let bytes = putTogether(parts);
    for (const change of edits) {
      if (change.what === 'byte') bytes[Math.floor(change.at * bytes.length)] = change.value;
      if (change.what === 'cut') bytes = bytes.slice(0, Math.floor(change.at * bytes.length));
    }
    return seal(bytes);
  }

  #apply(change: Edit, { header, sections }: Parts): void {
    const section = 'section' in change ? sections.find(({ name }) => name === change.section) : undefined;
    if (change.what === 'field')
      edit(header, change.path, typeof change.value === 'object' ? structuredClone(change.value) : change.value);
    if (change.what === 'removal') edit(header, change.path, undefined, true);
    if (change.what === 'detector') header.detector = change.name;
    if (change.what === 'graft field') {
      const other = this.#original(change.from).parts().header;
      edit(
        header,
        change.path,
        change.path.reduce<unknown>((holder, key) => (holder as Record<string, unknown> | null)?.[key], other),
      );
    }
    if (section === undefined) return;
    if (change.what === 'number') section.bytes = withNumber(section, change.index, change.value);
    if (change.what === 'type') {
      section.type = change.type;
      section.bytes = section.bytes.slice(0, section.bytes.length - (section.bytes.length % WIDTH[change.type]));
    }
    if (change.what === 'length') {
      const bytes = new Uint8Array(change.length * WIDTH[section.type]);
      bytes.set(section.bytes.subarray(0, bytes.length));
      section.bytes = bytes;
    }
    if (change.what === 'graft') {
      const others = this.#original(change.from).sections;
      const other = others.find(({ name }) => name === section.name) ?? others[0];
      if (other !== undefined) Object.assign(section, { type: other.type, bytes: other.bytes });
    }
  }

  #model({ backend, question }: Plan, bytes: Uint8Array): string {
    let detector: AnyDetector;
    try {
      detector = load(bytes, { backend });
    } catch (error) {
      return refused(error);
    }
    try {
      const scores = finiteScores(detector, this.#fresh);
      this.#ask(detector, question, bytes, scores);
      return 'loaded';
    } finally {
      detector.dispose();
    }
  }

  /** What a model that was loaded promises, one of it each time. */
  #ask(detector: AnyDetector, question: number, bytes: Uint8Array, scores: Float64Array | undefined): void {
    if (question === 0) {
      const other = load(bytes, { backend: detector.backend === 'js' ? 'wasm' : 'js' });
      const others = finiteScores(other, this.#fresh);
      promise(
        scores === undefined || (others !== undefined && same(scores, others)),
        () => 'js and WebAssembly score otherwise',
      );
      other.dispose();
    }
    if (question === 1 || question === 2) {
      const again = load(detector.toBytes());
      const others = finiteScores(again, this.#fresh);
      promise(
        scores === undefined || (others !== undefined && same(scores, others)),
        () => 'saved and loaded, it scores otherwise',
      );
      promise(Object.is(again.threshold, detector.threshold), () => 'saved and loaded, it has another threshold');
      again.dispose();
    }
    if (question === 3) tolerant(() => explain(detector, this.#fresh[0] as number[]).columns);
    if (question === 4) tolerant(() => explain(detector, 0).columns);
    if (question === 5)
      tolerant(() =>
        promise(
          detector.probability(this.#fresh).every((p) => p >= 0 && p <= 1),
          () => 'a probability is none',
        ),
      );
    if (question === 6) promise(`${detector}${JSON.stringify(detector)}`.length > 0, () => 'it has no summary');
    if (question === 7) tolerant(() => promise(detector.top(3).length <= 3, () => 'its first three are more'));
  }

  #stream({ file }: Plan, bytes: Uint8Array): string {
    const { header } = this.#original(file);
    const Stream = header.detector === 'SlidingWindow' ? SlidingWindow : SeriesDetector;
    let stream: SlidingWindow | SeriesDetector;
    try {
      stream = Stream.load(bytes);
    } catch (error) {
      return refused(error);
    }
    for (const row of this.#fresh) {
      tolerant(() => {
        const isReady = !(stream instanceof SlidingWindow) || stream.isReady;
        const score = stream instanceof SlidingWindow ? stream.update(row) : stream.update(row[0] as number);
        promise(!isReady || !Number.isNaN(score), () => 'a score of a stream is NaN');
      });
    }
    const again = Stream.load(stream.toBytes());
    tolerant(() => {
      const [a, b] = [stream, again].map((each) =>
        each instanceof SlidingWindow ? each.update([1, 2, 3]) : each.update(1),
      ) as [number, number];
      promise(Object.is(a, b), () => `saved and loaded, a stream scores ${b} instead of ${a}`);
    });
    if (stream instanceof SlidingWindow) stream.dispose();
    if (again instanceof SlidingWindow) again.dispose();
    return 'loaded';
  }
}

function withNumber({ type, bytes }: Section, index: number, value: number): Uint8Array {
  const edited = bytes.slice();
  const places = edited.length / WIDTH[type];
  if (places < 1) return edited;
  const view = new DataView(edited.buffer);
  const at = (index % places) * WIDTH[type];
  if (type === 'f32') view.setFloat32(at, value, true);
  else if (type === 'f64') view.setFloat64(at, value, true);
  else view.setUint32(at, value, true);
  return edited;
}

function refused(error: unknown): string {
  const code = codeOf(error);
  promise(code.startsWith('MODEL_'), () => `refused with ${code}: ${(error as Error).message}`);
  return code;
}

/** Errors of the input are right: a model may have other columns, or its range far away. */
function tolerant(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if ((error as Error).name === 'Broken') throw error;
    const code = codeOf(error);
    promise(!code.startsWith('MODEL_'), () => `${code} after loading: ${(error as Error).message}`);
  }
}

function finiteScores(detector: AnyDetector, rows: number[][]): Float64Array | undefined {
  promise(detector.scores.every(Number.isFinite), () => 'a training score is not finite');
  promise(!Number.isNaN(detector.threshold), () => 'the threshold is NaN');
  let scores: Float64Array | undefined;
  tolerant(() => {
    scores = detector.score(rows);
    promise(scores.every(Number.isFinite), () => `a score is ${scores?.find((score) => !Number.isFinite(score))}`);
  });
  return scores;
}

/** Fitted on small tables: half of what is in a file should matter. */
function corpus(): Uint8Array[] {
  const files: Uint8Array[] = [];
  for (let seed = 0; files.length < FILES_OF_DETECTORS; seed++) {
    const random = new Random(SEED + seed);
    const rows = seed % 3 === 0 ? drawTable(random, 30, 5).rows : random.rows(14, 3).map((row) => [...row]);
    try {
      const detector = makeDetector(drawDetector(random));
      files.push(detector.fit(seed % 4 === 1 ? named(rows, random) : rows).toBytes());
      detector.dispose();
    } catch (error) {
      codeOf(error);
    }
  }
  return [...files, ...streams()];
}

function named(rows: number[][], random: Random): object[] {
  return rows.map(([a, b, c], i) => ({
    a: random.uniform() < 0.1 ? a : (a ?? 0),
    b,
    'c d': c ?? i,
    colour: ['red', 'green', 'blue'][i % 3],
    on: i % 2 === 0,
  }));
}

function streams(): Uint8Array[] {
  const random = new Random(SEED);
  return [3, 20, 60].flatMap((count) => {
    const series = new SeriesDetector({ warmup: 5 });
    const window = new SlidingWindow(
      makeDetector({ kind: count === 20 ? 'LOF' : 'CAD', options: { neighbors: 3 } }) as never,
      { window: 30 },
    );
    for (let i = 0; i < count; i++) {
      series.update(random.gaussian());
      window.update([random.gaussian(), random.gaussian(), random.gaussian()]);
    }
    const files = [series.toBytes(), window.toBytes()];
    window.dispose();
    return files;
  });
}

export const models: Area = {
  name: 'models',
  about: 'model files edited under right checksums are refused, or are models that score finite numbers',
  share: 18,
  begin: async () => attack(new ModelFiles(corpus())),
};
