// The life of every detector: it is fitted, fitted again, disposed of or forgotten. Models share one
// WebAssembly memory and must neither leave anything behind there nor disturb one another. How the memory
// does it is in test/core/life.test.ts.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { coreOf } from '../../src/core/wasm/core.js';
import { Random } from '../support/data.js';
import { DETECTORS, detectorsOfLimitedRange } from '../support/detectors.js';

const MB = 2 ** 20;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const random = new Random(51);
const { arena } = coreOf('simd');
const WASM = { backend: 'wasm-simd' };
const SMALL = random.rows(30, 3);
const OTHER = random.rows(50, 5);
const LARGE = random.rows(3000, 24);

/** Bytes of array buffers and of the WebAssembly memory, after everything forgotten was collected. */
function memoryInUse(): { outside: number; inside: number } {
  for (let i = 0; i < 2; i++) collectGarbage(); // buffers are swept in the background
  return { outside: process.memoryUsage().arrayBuffers, inside: arena.size };
}

describe.each(DETECTORS)('$name', ({ make }) => {
  it('is itself after fit', () => {
    const detector = make();
    expect(detector.fit(SMALL)).toBe(detector);
  });

  it('can be fitted again, to rows of another shape: the last fit counts', () => {
    const detector = make().fit(OTHER).fit(SMALL);
    const fresh = make().fit(SMALL);
    expect(detector.scores).toEqual(fresh.scores);
    expect(detector.score(SMALL)).toEqual(fresh.score(SMALL));
    expect(detector.toBytes()).toEqual(fresh.toBytes());
  });

  it('can be disposed of more than once, fitted or not, and by using', () => {
    const never = make();
    never.dispose();
    const detector = make().fit(SMALL);
    {
      using scoped = detector;
      expect(scoped.scores.length).toBe(30);
    }
    detector.dispose();
    for (const disposed of [never, detector]) {
      expect(() => disposed.fit(SMALL)).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
      expect(() => disposed.score(SMALL)).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
    }
  });

  it('leaves scores and files with those who took them when it is disposed of', () => {
    const detector = make().fit(SMALL);
    const [scores, file] = [detector.scores, detector.toBytes()];
    const copies = [scores.slice(), file.slice()];
    detector.dispose();
    make(WASM).fit(LARGE).dispose();
    expect([scores, file]).toEqual(copies);
  });

  it('costs no memory, whether it is disposed of, forgotten or fitted again', () => {
    const kept = make(WASM);
    const use = () => {
      make(WASM).fit(OTHER).dispose();
      make(WASM).fit(OTHER).score(OTHER);
      kept.fit(OTHER);
    };
    // Near the size beyond which forgotten models are moved out.
    const ballast = arena.allocate(31 * MB);
    for (let i = 0; i < 30; i++) use();
    const before = memoryInUse();
    for (let i = 0; i < 150; i++) use();
    const after = memoryInUse();
    arena.free(ballast);
    expect(after.outside - before.outside).toBeLessThanOrEqual(MB / 4);
    expect(after.inside - before.inside).toBeLessThanOrEqual(MB);
  });

  it('takes turns with models of other shapes and kinds, each scoring as before', () => {
    const models = DETECTORS.map((other) => other.make(WASM).fit(OTHER));
    const expected = models.map((model) => model.score(OTHER));
    const mine = make(WASM).fit(SMALL);
    const atSmall = mine.score(SMALL);
    for (let turn = 0; turn < 3; turn++) {
      const passing = make(WASM).fit(LARGE.slice(0, 600));
      models.forEach((model, i) => {
        expect(model.score(OTHER)).toEqual(expected[i]);
        expect(mine.score(SMALL)).toEqual(atSmall);
      });
      if (turn > 0) passing.dispose();
    }
  });
});

describe.each(detectorsOfLimitedRange())('a fit of $name that fails half way', ({ make }) => {
  it('leaves nothing behind in memory', () => {
    const bad = OTHER.with(49, Float64Array.of(1e160, 0, 0, 0, 0));
    const fail = () => expect(() => make(WASM).fit(bad)).toThrow('row 49, column 0');
    for (let i = 0; i < 20; i++) fail();
    const before = memoryInUse();
    for (let i = 0; i < 300; i++) fail();
    const after = memoryInUse();
    expect(after.inside).toBe(before.inside);
    expect(after.outside - before.outside).toBeLessThanOrEqual(MB / 2);
  });
});
