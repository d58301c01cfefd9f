// Model files from strangers: damaged at random, or edited on purpose and sealed with a right checksum.
// Each ends in a CurvadError of the model file or in a model that scores finite numbers: never in
// another error, a hang, or a number that is none.
import { describe, expect, it } from 'vitest';
import { readModel } from '../../../src/core/model-file/model-file.js';
import { CAD, CurvadError } from '../../../src/index.js';
import { KERNELS, Random } from '../../support/data.js';
import * as files from '../../support/model-files.js';

const { headerOf, seal, withHeader } = files;
const random = new Random(9);
const ROWS = random.rows(12, 3);
const NEW = random.rows(3, 3);

const FILES = KERNELS.map((kernel, i) =>
  new CAD({
    neighbors: 3,
    kernel,
    precision: i % 2 === 0 ? 'double' : 'single',
    standardize: i % 3 === 0,
  })
    .fit(ROWS)
    .toBytes(),
);
const [LINEAR] = FILES as [Uint8Array];

const edited = (edit: (header: files.Header) => void, file = LINEAR) => files.edited(file, edit);
const withNumber = (name: string, index: number, value: number, file = LINEAR) =>
  files.withNumber(file, name, index, value);
const damaged = (file: Uint8Array, end: number) => files.damaged(file, end, random);
const outcome = (bytes: Uint8Array, backend?: 'js' | 'wasm') => files.outcome(bytes, NEW, backend);

describe('random damage', () => {
  it('is noticed, 10,000 times', () => {
    for (let i = 0; i < 10_000; i++) {
      const file = FILES[i % FILES.length] as Uint8Array;
      const bytes = damaged(file, file.length);
      const isSame = bytes.every((byte, at) => byte === file[at]);
      const expected = isSame ? /^finite$/ : /^refused/;
      if (!expected.test(outcome(bytes))) expect.fail(`damage ${i} went unnoticed`);
    }
  });

  it('under a right checksum gives an error of the file or finite scores, 10,000 times', () => {
    const seen = new Map<string, number>();
    for (let i = 0; i < 10_000; i++) {
      const file = FILES[i % FILES.length] as Uint8Array;
      const result = outcome(seal(damaged(file, file.length - 4)), i % 4 === 0 ? 'js' : 'wasm');
      seen.set(result, (seen.get(result) ?? 0) + 1);
    }
    expect(seen.get('finite'), JSON.stringify([...seen])).toBeGreaterThan(100);
    expect(seen.get('refused: MODEL_CORRUPT'), JSON.stringify([...seen])).toBeGreaterThan(100);
  });
});

const field = (name: string, value: unknown) =>
  edited(({ fields }) => {
    fields[name] = value;
  });
const section = (name: string, entry: unknown) =>
  edited(({ sections }) => {
    sections[name] = entry;
  });
const textWith = (from: string | RegExp, to: string) =>
  withHeader(LINEAR, JSON.stringify(headerOf(LINEAR)).replace(from, to));

const COUNTS = [0, -1, 1.5, 1e9, 2 ** 32, 1e308, null, '12', true, [12], { value: 12 }];

describe('an edited header', () => {
  it.each(['rows', 'columns', 'neighbors'])('is refused for any other kind of %s', (name) => {
    for (const value of COUNTS)
      expect(outcome(field(name, value)), JSON.stringify(value)).toMatch(/^refused: MODEL_(CORRUPT|TOO_LARGE)$/);
  });

  it.each(['rows', 'columns', 'gamma', 'precision', 'threshold'])('is refused without %s', (name) => {
    expect(outcome(edited(({ fields }) => delete fields[name]))).toBe('refused: MODEL_CORRUPT');
  });

  it.each(['rows', 'offset', 'scale', 'scores'])('is refused without section %s, or with a wrong one', (name) => {
    const [type, offset, length] = headerOf(LINEAR).sections[name] as [string, number, number];
    expect(outcome(edited(({ sections }) => delete sections[name]))).toMatch(/^refused/);
    // biome-ignore format: a table
    const entries = [
      [type === 'f32' ? 'f64' : 'f32', offset, length], ['i32', offset, length], [null, offset, length],
      [type, offset + 4, length], [type, offset + 0.5, length], [type, -8, length], [type, 2 ** 39, length],
      [type, offset, 2 ** 39], [type, offset, 2 ** 53], [type, offset, -1], [type, offset, 1.5], [type, offset, 0],
      [type, offset, length - 1], [type, String(offset), length], [type, offset, null], [type, offset], [], {}, null, 7,
    ];
    for (const entry of entries) expect(outcome(section(name, entry)), JSON.stringify(entry)).toMatch(/^refused/);
  });

  // biome-ignore format: a table
  const edits: Array<[string, Uint8Array]> = [
    ['an unknown kernel', field('kernel', 'gauss')],
    ['a kernel that is no string', field('kernel', 1)],
    ['a threshold that is a string', field('threshold', '1')],
    ['an infinite threshold', textWith(/"threshold":[^,}]+/, '"threshold":1e999')],
    ['an unknown precision', field('precision', 'half')],
    ['the other precision', field('precision', 'single')],
    ['a gamma of zero', field('gamma', 0)],
    ['a degree of zero', field('degree', 0)],
    ['an infinite coef0', textWith(/"coef0":[^,}]+/, '"coef0":-1e999')],
    ['a contamination of 1', field('contamination', 1)],
    ['another detector', edited((header) => { header.detector = 'KNN'; })],
    ['yet another detector', edited((header) => { header.detector = 'LOF'; })],
    ['an inherited name as detector', edited((header) => { header.detector = 'constructor'; })],
    ['__proto__ as detector', edited((header) => { header.detector = '__proto__'; })],
    ['no detector', edited((header) => { header.detector = null; })],
    ['fields in an array', edited((header) => { header.fields = [] as unknown as files.Header['fields']; })],
    ['no fields', edited((header) => { header.fields = null as unknown as files.Header['fields']; })],
    ['sections that are a string', edited((header) => { header.sections = 'rows' as unknown as files.Header['sections']; })],
    ['all fields behind __proto__', edited((header) => { header.fields = JSON.parse(`{"__proto__":${JSON.stringify(header.fields)}}`); })],
    ['text that is no JSON', withHeader(LINEAR, '{"detector":')],
    ['an empty text', withHeader(LINEAR, '')],
    ['null', withHeader(LINEAR, 'null')],
    ['deep nesting', withHeader(LINEAR, '['.repeat(1e6))],
  ];

  it.each(edits)('is refused for %s', (_, bytes) => {
    expect(outcome(bytes)).toMatch(/^refused/);
  });

  it('cannot reach the prototype of anything', () => {
    outcome(textWith('"fields":{', '"fields":{"__proto__":{"polluted":1},'));
    outcome(textWith('"sections":{', '"sections":{"__proto__":["f64",0,1],'));
    expect('polluted' in {}).toBe(false);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it.each(['gamma', 'coef0', 'degree'])('scores finite numbers for any %s it may have', (name) => {
    for (const value of [5e-324, 1e-300, 1, 7, 1e9, 2 ** 31 - 1, 1e150, 1e308, -1, -1e150, -1e308]) {
      for (const file of FILES)
        for (const backend of ['js', 'wasm'] as const) {
          const bytes = edited(({ fields }) => {
            fields[name] = value;
          }, file);
          expect(
            () => outcome(bytes, backend),
            `${name} ${value} ${headerOf(file).fields['kernel']} ${backend}`,
          ).not.toThrow();
        }
    }
  });

  it.each(['polynomial', 'sigmoid'] as const)('scores finite numbers for any parameters of %s', (kernel) => {
    const file = FILES[KERNELS.indexOf(kernel)] as Uint8Array;
    for (const degree of [1, 2, 3, 20, 201, 1001, 2 ** 31 - 1]) {
      for (const coef0 of [-1e308, -2, -1, 0, 1e308]) {
        for (const gamma of [5e-324, 1, 1e308]) {
          const bytes = edited(({ fields }) => Object.assign(fields, { degree, coef0, gamma }), file);
          for (const backend of ['js', 'wasm'] as const) {
            expect(() => outcome(bytes, backend), JSON.stringify({ degree, coef0, gamma, backend })).not.toThrow();
          }
        }
      }
    }
  });

  it('cannot make the sections larger than the file', () => {
    const bytes = edited(({ sections }) => {
      for (let i = 0; i < 100; i++) sections[`extra ${i}`] = sections['rows'];
    });
    expect(sectionBytes(bytes)).toBeLessThanOrEqual(bytes.length);
  });
});

/** What is read of a file, or 0 where it is refused. */
function sectionBytes(bytes: Uint8Array): number {
  try {
    return Object.values(readModel(bytes).sections).reduce((sum, { byteLength }) => sum + byteLength, 0);
  } catch (error) {
    if (error instanceof CurvadError && error.code.startsWith('MODEL_')) return 0;
    throw error;
  }
}

describe('an edited number', () => {
  it.each(['rows', 'offset', 'scale', 'scores'])('that is not finite is refused in %s', (name) => {
    for (const file of FILES)
      for (const value of [Number.NaN, Infinity, -Infinity]) {
        expect(outcome(withNumber(name, 1, value, file))).toBe('refused: MODEL_CORRUPT');
      }
  });

  it('beyond the range of the precision is refused in rows', () => {
    const single = FILES[1] as Uint8Array;
    expect(outcome(withNumber('rows', 5, 1e200))).toBe('refused: MODEL_CORRUPT');
    expect(outcome(withNumber('rows', 5, -1e31, single))).toBe('refused: MODEL_CORRUPT');
  });

  it('that is zero or negative is refused in scale', () => {
    for (const value of [0, -0, -1, -5e-324])
      expect(outcome(withNumber('scale', 0, value))).toBe('refused: MODEL_CORRUPT');
  });

  it.each([1e200, -1e200, 1e308, 5e-324, 0])('of %d elsewhere gives an error of the file or finite scores', (value) => {
    for (const file of FILES)
      for (const name of ['rows', 'offset', 'scale', 'scores']) outcome(withNumber(name, 2, value, file));
  });
});
