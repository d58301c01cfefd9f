// Model files of every detector: what is saved is what is loaded, bit for bit, in every backend, and what
// was cut off, damaged or edited on purpose ends in an error of the file or in finite scores. What the
// format itself promises is in test/core.
import { describe, expect, it } from 'vitest';
import { CurvadError, load } from '../../src/index.js';
import { BACKENDS, PRECISIONS, Random } from '../support/data.js';
import { DETECTORS, type DetectorCase, type Options } from '../support/detectors.js';
import { damaged, edited, headerOf, outcome, seal, withNumber } from '../support/model-files.js';

const random = new Random(21);
const ROWS = random.rows(40, 3);
const NEW = random.rows(12, 3, () => 2 * random.gaussian());
const FEW = ROWS.slice(0, 12);

/** The options all or some detectors have, alone and together. */
function combinations({ takes }: DetectorCase): Options[] {
  const precisions = takes('precision') ? PRECISIONS.map((precision) => ({ precision })) : [{}];
  const scalings = takes('standardize') ? [{}, { standardize: true }] : [{}];
  return [{}, { contamination: 0.1 }].flatMap((threshold) =>
    precisions.flatMap((precision) => scalings.map((scaling) => ({ ...threshold, ...precision, ...scaling }))),
  );
}

const code = (act: () => void): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof CurvadError) return error.code;
    throw error;
  }
  return 'loaded';
};

describe.each(DETECTORS)('a model of $name', (detector) => {
  it.each(combinations(detector))('is the same bit for bit when loaded, by itself or any backend: %j', (options) => {
    for (const backend of BACKENDS) {
      const model = detector.make({ ...options, backend }).fit(ROWS);
      const file = model.toBytes();
      for (const to of BACKENDS) {
        using loaded = load(file, { backend: to });
        expect(loaded.backend).toBe(to);
        expect(loaded.scores).toEqual(model.scores);
        expect([loaded.threshold, loaded.isDegenerate]).toEqual([model.threshold, model.isDegenerate]);
        expect(loaded.labels).toEqual(model.labels);
        expect(loaded.score(NEW), `${backend} → ${to}`).toEqual(model.score(NEW));
        expect(loaded.predict(NEW)).toEqual(model.predict(NEW));
        expect(loaded.toBytes(), 'and is saved the same again').toEqual(file);
      }
    }
  });

  it('is loaded by its own class, and by no other', () => {
    const file = detector.make().fit(ROWS).toBytes();
    const model = detector.load(file);
    expect(model).toBeInstanceOf(detector.make().constructor);
    expect(load(file)).toBeInstanceOf(detector.make().constructor);
    expect(model.score(NEW)).toEqual(detector.make().fit(ROWS).score(NEW));
    for (const other of DETECTORS.filter(({ kind }) => kind !== detector.kind)) {
      expect(code(() => other.load(file))).toBe('MODEL_FOREIGN');
    }
    expect(code(() => detector.load(file, { backnd: 'js' } as object))).toBe('UNKNOWN_OPTION');
    expect(code(() => detector.load(file, { backend: 'gpu' as 'js' }))).toBe('BACKEND_UNKNOWN');
  });

  it('is refused by load without its class, with what to call instead', () => {
    const loadAlone = (detector.make().constructor as unknown as { load: unknown }).load as (
      file: Uint8Array,
    ) => unknown;
    const file = detector.make().fit(ROWS).toBytes();
    expect(() => loadAlone(file)).toThrow(expect.objectContaining({ code: 'DETECTOR_INVALID' }));
  });

  it('can be fitted again after loading, with the same options', () => {
    const file = detector.make().fit(ROWS).toBytes();
    expect(load(file).fit(FEW).scores).toEqual(detector.make().fit(FEW).scores);
  });

  it.skipIf(detector.refusesEqualRows)('keeps a threshold that is infinite, where all scores are equal', () => {
    const model = detector.make({ threshold: 'two-means' }).fit(FEW.map(() => [1, 1, 1]));
    const loaded = load(model.toBytes());
    expect([loaded.threshold, loaded.isDegenerate]).toEqual([Infinity, true]);
    expect(loaded.predict(NEW)).toEqual(model.predict(NEW));
  });
});

describe.each(DETECTORS)('a damaged model of $name', (detector) => {
  const files = combinations(detector).map((options) => detector.make(options).fit(FEW).toBytes());
  const [file] = files as [Uint8Array];
  const { fields, sections } = headerOf(file);

  it('is refused at every length it may be cut off', () => {
    for (let length = 0; length < file.length; length++) {
      const found = outcome(file.slice(0, length), NEW);
      if (!found.startsWith('refused')) expect.fail(`${length} of ${file.length} bytes: ${found}`);
    }
    expect(outcome(file, NEW)).toBe('finite');
  });

  it('is noticed, 1,000 times', () => {
    for (let i = 0; i < 1000; i++) {
      const bytes = damaged(file, file.length, random);
      if (bytes.some((byte, at) => byte !== file[at])) expect(outcome(bytes, NEW)).toMatch(/^refused/);
    }
  });

  it('under a right checksum gives an error of the file or finite scores, 4,000 times', () => {
    const seen = new Map<string, number>();
    for (let i = 0; i < 4000; i++) {
      const intact = files[i % files.length] as Uint8Array;
      const found = outcome(seal(damaged(intact, intact.length - 4, random)), NEW, i % 4 === 0 ? 'js' : 'wasm');
      seen.set(found, (seen.get(found) ?? 0) + 1);
    }
    expect(seen.get('finite'), JSON.stringify([...seen])).toBeGreaterThan(40);
    expect(seen.get('refused: MODEL_CORRUPT'), JSON.stringify([...seen])).toBeGreaterThan(40);
  });

  it.each(Object.keys(fields))('is no danger with any value of field %s, or without it', (name) => {
    outcome(
      edited(file, (header) => delete header.fields[name]),
      NEW,
    );
    const values = [0, -1, 1, 1.5, 3, 1e9, 2 ** 31 - 1, 2 ** 32, 1e308, -1e308, 5e-324];
    for (const value of [...values, null, '', '12', 'constructor', true, [12], { value: 12 }]) {
      const bytes = edited(file, (header) => {
        header.fields[name] = value;
      });
      for (const backend of ['js', 'wasm'] as const) outcome(bytes, NEW, backend);
    }
  });

  it.each(Object.keys(sections))('is refused without section %s, or with one that does not fit', (name) => {
    const [type, offset, length] = sections[name] as [string, number, number];
    const others = ['f32', 'f64', 'u32', 'i32', null].filter((other) => other !== type);
    const entries = [...others.map((other) => [other, offset, length]), [type, offset, length - 1], [type, offset, 0]];
    for (const entry of entries) {
      const bytes = edited(file, (header) => {
        header.sections[name] = entry;
      });
      expect(outcome(bytes, NEW), JSON.stringify(entry)).toMatch(/^refused/);
    }
    expect(
      outcome(
        edited(file, (header) => delete header.sections[name]),
        NEW,
      ),
    ).toMatch(/^refused/);
  });

  it.each(Object.keys(sections))('is no danger with any number in section %s', (name) => {
    for (const intact of files) {
      const [type, , length] = headerOf(intact).sections[name] as [string, number, number];
      for (const index of new Set([0, Math.floor(length / 2), length - 1])) {
        for (const value of [0, -0, -1, 1, 1e31, 1e161, -1e200, 1e308, 5e-324, 2 ** 31, 2 ** 32 - 1]) {
          outcome(withNumber(intact, name, index, value), NEW);
        }
        if (type === 'u32') continue;
        for (const value of [Number.NaN, Infinity, -Infinity]) {
          expect(outcome(withNumber(intact, name, index, value), NEW)).toBe('refused: MODEL_CORRUPT');
        }
      }
    }
  });
});

describe('the densities in a model of LOF', () => {
  const file = DETECTORS.find(({ kind }) => kind === 'LOF')
    ?.make()
    .fit(FEW)
    .toBytes() as Uint8Array;

  it.each([-1, -5e-324, 1e161])('are refused with a k-distance of %d', (value) => {
    expect(outcome(withNumber(file, 'kDistances', 3, value), NEW)).toBe('refused: MODEL_CORRUPT');
  });

  it.each([0, -0, -1, 1e10 + 1e-5, 1e300])('are refused with a density of %d', (value) => {
    expect(outcome(withNumber(file, 'densities', 3, value), NEW)).toBe('refused: MODEL_CORRUPT');
  });
});

describe.each(DETECTORS.filter(({ kind }) => kind === 'KNN' || kind === 'LOF'))(
  'a model of $name',
  ({ make, kind }) => {
    it.each(['neighbors', 'metric', 'standardize', 'precision', ...(kind === 'KNN' ? ['aggregate'] : [])])(
      'is refused without its %s, which has no default in a file',
      (name) => {
        const bytes = edited(make().fit(FEW).toBytes(), (header) => delete header.fields[name]);
        expect(outcome(bytes, NEW)).toBe('refused: MODEL_CORRUPT');
      },
    );
  },
);
