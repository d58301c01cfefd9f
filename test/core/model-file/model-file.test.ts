// Model files: what is saved is what is loaded, bit for bit, in every backend; what was cut off, changed
// or never was a model file is refused. Files made to deceive are in model-file.hostile.test.ts.
import { describe, expect, it } from 'vitest';
import { CAD, type CADOptions, CurvadError, load } from '../../../src/index.js';
import { BACKENDS, KERNELS, PRECISIONS, Random, WASM_BACKENDS } from '../../support/data.js';
import { seal } from '../../support/model-files.js';

const random = new Random(8);
const ROWS = random.rows(50, 4);
const NEW = random.rows(15, 4, () => 2 * random.gaussian());

const COMBINATIONS: Array<{ name: string; options: CADOptions }> = KERNELS.flatMap((kernel) =>
  PRECISIONS.flatMap((precision) =>
    [false, true].flatMap((standardize) =>
      [undefined, 0.1].map((contamination) => ({
        name: [kernel, precision, standardize ? 'standardized' : 'as it is', contamination ?? 'two means'].join(', '),
        options: { neighbors: 6, kernel, precision, standardize, ...(contamination && { contamination }) },
      })),
    ),
  ),
);

function codeOf(bytes: unknown): string {
  try {
    load(bytes as Uint8Array);
  } catch (error) {
    if (error instanceof CurvadError) return error.code;
    throw error;
  }
  return 'loaded';
}

describe.each(BACKENDS)('a model saved and loaded in %s', (backend) => {
  it.each(COMBINATIONS)('is the same bit for bit: $name', ({ options }) => {
    const model = new CAD({ ...options, backend }).fit(ROWS);
    const loaded = CAD.load(model.toBytes(), { backend });
    expect(loaded.backend).toBe(backend);
    expect(loaded.precision).toBe(model.precision);
    expect(loaded.scores).toEqual(model.scores);
    expect(loaded.rawScores).toEqual(model.rawScores);
    expect(loaded.threshold).toBe(model.threshold);
    expect(loaded.isDegenerate).toBe(false);
    expect(loaded.labels).toEqual(model.labels);
    expect(loaded.score(NEW)).toEqual(model.score(NEW));
    expect(loaded.predict(NEW)).toEqual(model.predict(NEW));
    expect(loaded.toBytes(), 'and is saved the same again').toEqual(model.toBytes());
    if (options.kernel === 'linear') expect(loaded.gradient(NEW)).toEqual(model.gradient(NEW));
  });
});

describe('a model loaded by another backend', () => {
  it.each(COMBINATIONS)('of js scores within 1e-12 in WebAssembly: $name', ({ options }) => {
    const model = new CAD({ ...options, backend: 'js' }).fit(ROWS);
    const expected = model.score(NEW);
    for (const backend of WASM_BACKENDS) {
      const loaded = CAD.load(model.toBytes(), { backend });
      expect(loaded.scores).toEqual(model.scores);
      loaded.score(NEW).forEach((score, i) => {
        expect(Math.abs(score - (expected[i] as number)), `${backend}, row ${i}`).toBeLessThanOrEqual(1e-12);
      });
    }
  });

  it.each(PRECISIONS)('scores identically for the linear kernel in %s precision, whoever saved it', (precision) => {
    for (const from of BACKENDS) {
      const model = new CAD({ neighbors: 6, precision, backend: from }).fit(ROWS);
      for (const to of BACKENDS) {
        const loaded = load(model.toBytes(), { backend: to });
        expect(loaded.score(NEW), `${from} → ${to}`).toEqual(model.score(NEW));
        expect(loaded.toBytes(), `${from} → ${to}`).toEqual(model.toBytes());
      }
    }
  });
});

describe('a loaded model', () => {
  const model = new CAD({ neighbors: 6 }).fit(ROWS);
  const file = model.toBytes();

  it.each(['paper', 'higher', 'lower'] as const)('keeps the orientation %s', (orientation) => {
    const other = new CAD({ neighbors: 6, orientation, kernel: 'rbf' }).fit(ROWS);
    expect(load(other.toBytes()).score(NEW)).toEqual(other.score(NEW));
  });

  it('keeps a threshold that is infinite, where all scores are equal', () => {
    const flat = new CAD({ neighbors: 2 }).fit([[1], [1], [1], [1]]);
    const loaded = load(flat.toBytes());
    expect([loaded.threshold, loaded.isDegenerate]).toEqual([Infinity, true]);
    expect(loaded.predict([[1], [2]])).toEqual(flat.predict([[1], [2]]));
  });

  it.each<[string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | ArrayBuffer]>([
    ['an ArrayBuffer', (bytes) => bytes.buffer],
    ['a Buffer, which is what readFileSync gives', (bytes) => Buffer.from(bytes)],
    [
      'an odd place of a larger buffer',
      (bytes) => {
        const larger = new Uint8Array(bytes.length + 9);
        larger.set(bytes, 5);
        return larger.subarray(5, 5 + bytes.length);
      },
    ],
  ])('can come from %s', (_, as) => {
    expect(load(as(file)).score(NEW)).toEqual(model.score(NEW));
  });

  it('does not depend on the bytes any more, nor the saved model on its file', () => {
    const bytes = file.slice();
    const loaded = CAD.load(bytes);
    bytes.fill(0);
    expect(loaded.score(NEW)).toEqual(model.score(NEW));
    model.toBytes().fill(0);
    expect(model.toBytes()).toEqual(file);
  });

  it('can be fitted again', () => {
    const again = load(file).fit(ROWS.slice(0, 20));
    expect(again.scores).toEqual(new CAD({ neighbors: 6 }).fit(ROWS.slice(0, 20)).scores);
  });
});

describe('what is not a whole model file', () => {
  const file = new CAD({ neighbors: 2 }).fit(ROWS.slice(0, 5)).toBytes();
  const text = (content: string) => new TextEncoder().encode(content);

  it('is refused at every length it may be cut off', () => {
    const codes = new Map<string, number>();
    for (let length = 0; length < file.length; length++) {
      const code = codeOf(file.slice(0, length));
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(
      [...codes.keys()].every((code) => code.startsWith('MODEL_')),
      JSON.stringify([...codes]),
    ).toBe(true);
    expect(codeOf(file.slice(0, file.length / 2))).toBe('MODEL_TRUNCATED');
    expect(codeOf(file)).toBe('loaded');
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(0), 'MODEL_TRUNCATED'],
    ['zeros', new Uint8Array(1000), 'MODEL_FOREIGN'],
    ['a PNG', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13), 'MODEL_FOREIGN'],
    ['text', text('{"detector":"CAD","fields":{},"sections":{}}'), 'MODEL_FOREIGN'],
    ['a model whose line ends were changed', Uint8Array.from(file.filter((byte) => byte !== 0x0d)), 'MODEL_FOREIGN'],
    ['one byte more', Uint8Array.of(...file, 0), 'MODEL_CHECKSUM'],
    ['eight bytes more, well sealed', seal(Uint8Array.of(...file, 0, 0, 0, 0, 0, 0, 0, 0)), 'MODEL_CORRUPT'],
    ['two models in one', Uint8Array.of(...file, ...file), 'MODEL_CHECKSUM'],
    ['version 2', seal(file.with(8, 2)), 'MODEL_VERSION'],
    ['version 2³² − 1', seal(file.with(8, 255).with(9, 255).with(10, 255).with(11, 255)), 'MODEL_VERSION'],
    ['a checksum of its own', file.with(-1, (file.at(-1) as number) ^ 1), 'MODEL_CHECKSUM'],
  ])('is refused: %s', (_, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  it.each<[string, unknown]>([
    ['a string', 'CURVAD\r\n'],
    ['a number', 7],
    ['null', null],
    ['undefined', undefined],
    ['a DataView', new DataView(file.buffer)],
    ['a Float64Array', new Float64Array(8)],
    ['an array of bytes', [...file]],
    ['a model', new CAD()],
  ])('is refused by type: %s', (_, bytes) => {
    expect(codeOf(bytes)).toBe('MODEL_TYPE');
  });

  it('is refused where its memory was transferred away', () => {
    const bytes = file.slice();
    const { buffer } = bytes;
    structuredClone(buffer, { transfer: [buffer] });
    expect(codeOf(bytes)).toMatch(/^MODEL_/);
    expect(codeOf(buffer)).toMatch(/^MODEL_/);
  });

  it.each<[string, unknown, string]>([
    ['an unknown backend', { backend: 'gpu' }, 'BACKEND_UNKNOWN'],
    ['no object', null, 'OPTIONS_TYPE'],
    ['a misspelt name', { backnd: 'js' }, 'UNKNOWN_OPTION'],
  ])('is not blamed for wrong options of load: %s', (_, options, code) => {
    expect(() => load(file, options as object)).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
  });
});
