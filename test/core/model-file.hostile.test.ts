// Model files from strangers: damaged at random, or edited on purpose and sealed with a right checksum.
// Each ends in a CurvadError of the model file or in a model that scores finite numbers: never in
// another error, a hang, or a number that is none.
import { describe, expect, it } from 'vitest';
import { checksum } from '../../src/core/checksum.js';
import { readModel } from '../../src/core/model-file.js';
import { type AnyDetector, CAD, CurvadError, load } from '../../src/index.js';
import { KERNELS, Random } from '../support/data.js';

const HEADER_AT = 16;
const random = new Random(9);
const ROWS = random.rows(12, 3);
const NEW = random.rows(3, 3);

type Header = {
  detector: unknown;
  fields: Record<string, unknown>;
  sections: Record<string, unknown>;
};

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

function seal(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer).setUint32(bytes.length - 4, checksum(bytes.subarray(0, -4)), true);
  return bytes;
}

const bodyOf = (bytes: Uint8Array): number => HEADER_AT + new DataView(bytes.buffer).getUint32(12, true);

/** A file with another header text, well sealed. */
function withHeader(file: Uint8Array, text: string): Uint8Array {
  const body = file.subarray(bodyOf(file), -4);
  const encoded = new TextEncoder().encode(text);
  const length = Math.ceil(encoded.length / 8) * 8;
  const bytes = new Uint8Array(HEADER_AT + length + body.length + 4);
  bytes.set(file.subarray(0, HEADER_AT));
  bytes.fill(0x20, HEADER_AT, HEADER_AT + length);
  bytes.set(encoded, HEADER_AT);
  bytes.set(body, HEADER_AT + length);
  new DataView(bytes.buffer).setUint32(12, length, true);
  return seal(bytes);
}

const headerOf = (file: Uint8Array): Header =>
  JSON.parse(new TextDecoder().decode(file.subarray(HEADER_AT, bodyOf(file)))) as Header;

/** A file whose header was edited, well sealed. */
function edited(edit: (header: Header) => void, file = LINEAR): Uint8Array {
  const header = headerOf(file);
  edit(header);
  return withHeader(file, JSON.stringify(header));
}

/** A file with a number of one section replaced, well sealed. */
function withNumber(name: string, index: number, value: number, file = LINEAR): Uint8Array {
  const [type, offset] = headerOf(file).sections[name] as [string, number];
  const bytes = file.slice();
  const view = new DataView(bytes.buffer);
  if (type === 'f32') view.setFloat32(bodyOf(file) + offset + index * 4, value, true);
  else view.setFloat64(bodyOf(file) + offset + index * 8, value, true);
  return seal(bytes);
}

/** 'refused: CODE' or 'finite'; anything else fails the test. */
function outcome(bytes: Uint8Array, backend: 'js' | 'wasm' = 'wasm'): string {
  let model: AnyDetector;
  try {
    model = load(bytes, { backend });
  } catch (error) {
    if (error instanceof CurvadError && error.code.startsWith('MODEL_')) return `refused: ${error.code}`;
    throw error;
  }
  using loaded = model;
  const numbers = [...loaded.scores, ...newScores(loaded)];
  if (!numbers.every(Number.isFinite)) throw new Error(`scores ${numbers.join()}`);
  if (Number.isNaN(loaded.threshold)) throw new Error('the threshold is NaN');
  return 'finite';
}

/** Scores of new rows; a file may put its range so far away that every new row is outside it. */
function newScores(model: AnyDetector): Iterable<number> {
  try {
    return model.score(NEW);
  } catch (error) {
    if (error instanceof CurvadError && error.code === 'VALUE_TOO_LARGE') return [];
    throw error;
  }
}

/** Changes 1 to 8 bytes: any of them, or digits of the header, which is where the meaning is. */
function damaged(file: Uint8Array, end: number): Uint8Array {
  const bytes = file.slice();
  const isOfDigits = random.uniform() < 0.4;
  for (let changes = 1 + random.integer(8); changes > 0; changes--) {
    const at =
      random.uniform() < 0.5 || isOfDigits ? HEADER_AT + random.integer(bodyOf(file) - HEADER_AT) : random.integer(end);
    const before = bytes[at] as number;
    const isDigit = before >= 0x30 && before <= 0x39;
    if (!isOfDigits) bytes[at] = before ^ (1 + random.integer(255));
    else if (isDigit) bytes[at] = 0x30 + ((before - 0x30 + 1 + random.integer(9)) % 10);
  }
  return bytes;
}

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
      expect(outcome(field(name, value)), JSON.stringify(value)).toBe('refused: MODEL_CORRUPT');
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
    ['another detector', edited((header) => { header.detector = 'LOF'; })],
    ['an inherited name as detector', edited((header) => { header.detector = 'constructor'; })],
    ['__proto__ as detector', edited((header) => { header.detector = '__proto__'; })],
    ['no detector', edited((header) => { header.detector = null; })],
    ['fields in an array', edited((header) => { header.fields = [] as unknown as Header['fields']; })],
    ['no fields', edited((header) => { header.fields = null as unknown as Header['fields']; })],
    ['sections that are a string', edited((header) => { header.sections = 'rows' as unknown as Header['sections']; })],
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
