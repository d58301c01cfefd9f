// Model files of forests from strangers: a walk must end and stay inside the nodes, whatever a file says.
// And forests without end: thousands are grown and forgotten, and the memory stays what it was.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checksum } from '../../src/core/model-file/checksum.js';
import { type Model, readModel, type Section, writeModel } from '../../src/core/model-file/model-file.js';
import { coreOf } from '../../src/core/wasm/core.js';
import type { Segment } from '../../src/core/wasm/memory/arena.js';
import { CurvadError, IsolationForest, load } from '../../src/index.js';
import { Random } from '../support/data.js';

const random = new Random(40);
const ROWS = random.rows(40, 3, () => random.integer(12));
const FOREST = new IsolationForest({ trees: 6, sampleSize: 16, features: 0.7 }).fit(ROWS);
const FILE = FOREST.toBytes();
const NEW = [...random.rows(9, 3), Float64Array.of(1e308, -1e308, 0)];

/** 'refused: CODE' or 'finite'; anything else fails the test. */
function outcome(bytes: Uint8Array, backend: 'js' | 'wasm' = 'wasm'): string {
  let scores: number[];
  try {
    using forest = load(bytes, { backend });
    scores = [...forest.scores, ...newScores(forest)];
  } catch (error) {
    if (error instanceof CurvadError && error.code.startsWith('MODEL_')) return `refused: ${error.code}`;
    throw error;
  }
  if (!scores.every(Number.isFinite)) throw new Error(`scores ${scores.join()}`);
  return 'finite';
}

/** Scores of new rows; a file may claim more columns, as long as no split is beyond them. */
function newScores(forest: { score(rows: Float64Array[]): Float64Array }): Float64Array {
  try {
    const scores = forest.score(NEW);
    for (const score of scores) if (!(score > 0 && score < 1)) throw new Error(`a score of ${score}`);
    return scores;
  } catch (error) {
    if (error instanceof CurvadError && error.code === 'WRONG_WIDTH') return new Float64Array(0);
    throw error;
  }
}

interface Parts {
  fields: Record<string, unknown>;
  sections: Record<string, Section>;
}

/** The file with its fields and sections edited, well sealed. */
function edited(edit: (parts: Parts) => void): Uint8Array {
  const { detector, fields, sections } = readModel(FILE);
  const parts: Parts = { fields: { ...fields }, sections: { ...sections } };
  edit(parts);
  return writeModel({ detector, ...parts } as Model);
}

const withNumber = (section: string, index: number, value: number) =>
  edited(({ sections }) => {
    (sections[section] as Section)[index] = value;
  });
const withField = (name: string, value: unknown) =>
  edited(({ fields }) => {
    fields[name] = value;
  });

/** The file with one tree of 16 rows, given as pairs of left child and size. */
const withTree = (...nodes: ReadonlyArray<readonly [left: number, size: number]>) =>
  edited(({ fields, sections }) => {
    fields['trees'] = 1;
    sections['counts'] = Uint32Array.of(nodes.length);
    sections['children'] = Uint32Array.from(nodes, ([left]) => left);
    sections['sizes'] = Uint32Array.from(nodes, ([, size]) => size);
    sections['features'] = new Uint32Array(nodes.length);
    sections['thresholds'] = new Float64Array(nodes.length);
  });

const { counts, children, sizes } = readModel(FILE).sections as Record<'counts' | 'children' | 'sizes', Uint32Array>;
const first = counts[0] as number;
/** In the first tree: a split below the root, and a leaf of one row. */
const split = children.findIndex((left, node) => node > 0 && node < first && left !== 0);
const leaf = children.findIndex((left, node) => node < first && left === 0 && sizes[node] === 1);

describe('a model file', () => {
  it('is read as it was written', () => {
    expect([split > 0, leaf > 0, outcome(FILE), outcome(FILE, 'js')]).toEqual([true, true, 'finite', 'finite']);
  });

  // biome-ignore format: a table
  const edits: Array<[string, Uint8Array, RegExp]> = [
    ['a node that is its own child', withNumber('children', split, split), /node \d+ of tree 0 has children at/],
    ['a child before its parent', withNumber('children', split, 1), /has children at 1/],
    ['a child beyond the tree', withNumber('children', split, first), /has children at/],
    ['a right child beyond the tree', withNumber('children', split, first - 1), /has children at/],
    ['a child beyond 2³¹', withNumber('children', split, 2 ** 32 - 1), /has children at 4294967295/],
    ['nodes nobody reaches', withNumber('children', 0, 0), /is not the child of any node/],
    ['a column beyond the last', withNumber('features', split, 3), /splits on column 3/],
    ['a column of 2³² − 1', withNumber('features', 0, 2 ** 32 - 1), /splits on column 4294967295/],
    ['fewer columns than it splits on', withField('columns', 1), /splits on column/],
    ['a threshold of NaN', withNumber('thresholds', 0, Number.NaN), /thresholds has values that are not finite/],
    ['an infinite threshold', withNumber('thresholds', split, Infinity), /not finite/],
    ['a leaf that lost its row', withNumber('sizes', leaf, 0), /loses rows|has no rows/],
    ['a leaf of too many rows', withNumber('sizes', leaf, 2 ** 32 - 1), /loses rows/],
    ['a root of too many rows', withNumber('sizes', 0, 17), /node 0 of tree 0 must have 16 rows/],
    ['a tree without nodes', withNumber('counts', 0, 0), /nodes/],
    ['a tree of too many nodes', withNumber('counts', 5, 2 ** 32 - 1), /nodes/],
    ['a tree too few', withField('trees', 5), /counts has 6 values, expected 5/],
    ['no trees', withField('trees', 0), /trees must be/],
    ['another sample size', withField('sampleSize', 17), /must have 17 rows/],
    ['a sample size of one', withField('sampleSize', 1), /sampleSize must be/],
    ['a share of columns above 1', withField('features', 2), /features must be/],
    ['a seed of -1', withField('seed', -1), /seed must be/],
    ['no columns', withField('columns', 0), /columns must be/],
    ['one row', edited(({ sections }) => { sections['scores'] = Float64Array.of(0.5); }), /it has 1 rows/],
    ['sizes of fewer nodes', edited(({ sections }) => { sections['sizes'] = sizes.slice(1); }), /section sizes has/],
    ['children as f64', edited(({ sections }) => { sections['children'] = Float64Array.from(children); }), /children must be u32/],
    ['no thresholds', edited(({ sections }) => { delete sections['thresholds']; }), /thresholds is missing/],
  ];

  it.each(edits)('is refused for %s', (_, bytes, message) => {
    for (const backend of ['js', 'wasm'] as const) {
      expect(() => load(bytes, { backend })).toThrow(expect.objectContaining({ code: 'MODEL_CORRUPT' }));
      expect(() => IsolationForest.load(bytes, { backend })).toThrow(message);
    }
  });

  it('is refused for a tree that is deeper than its sample allows', () => {
    // A chain, one leaf at every step: 15 splits where 4 are the most.
    const chain = Array.from({ length: 15 }, (_, i) => [2 * i + 1, 16 - i] as const);
    const nodes = chain.flatMap((node, i) => (i === 0 ? [node] : [node, [0, 1] as const]));
    expect(() => load(withTree(...nodes, [0, 1], [0, 1]))).toThrow('splits at depth 4, the limit is 4');
  });

  it('is refused for a tree whose branches grow together', () => {
    const bytes = withTree([1, 16], [3, 8], [3, 8], [0, 4], [0, 4]);
    expect(() => load(bytes)).toThrow('node 2 of tree 0 has the child of another node');
  });

  it('is refused for a leaf without rows whose neighbour has them all', () => {
    expect(() => load(withTree([1, 16], [0, 0], [0, 16]))).toThrow('node 1 of tree 0 has no rows');
    expect(outcome(withTree([1, 16], [0, 1], [0, 15])), 'a tree made by hand may well be right').toBe('finite');
  });

  it('that claims many columns costs nothing until rows of that width come, and is refused beyond the limit', () => {
    expect(outcome(withField('columns', 2 ** 32 - 1))).toBe('refused: MODEL_TOO_LARGE');
    expect(outcome(withField('columns', 50_000)), 'its sample has three').toBe('refused: MODEL_CORRUPT');
    const withoutSample = edited(({ fields, sections }) => {
      fields['columns'] = 50_000;
      delete sections['sample'];
      delete sections['sampleRows'];
    });
    expect(outcome(withoutSample)).toBe('finite');
  });

  it('damaged anywhere under a right checksum gives an error of the file or finite scores, 6,000 times', () => {
    const seen = new Map<string, number>();
    const body = 16 + new DataView(FILE.buffer).getUint32(12, true);
    for (let i = 0; i < 6000; i++) {
      const bytes = FILE.slice();
      for (let changes = 1 + random.integer(4); changes > 0; changes--) {
        // One in five in the header, where a change of any kind mostly ends in text that is no JSON.
        const at = random.uniform() < 0.2 ? 16 + random.integer(body - 16) : body + random.integer(bytes.length - body);
        bytes[at] = random.uniform() < 0.5 ? random.integer(256) : random.integer(3);
      }
      new DataView(bytes.buffer).setUint32(bytes.length - 4, checksum(bytes.subarray(0, -4)), true);
      const result = outcome(bytes, i % 4 === 0 ? 'js' : 'wasm');
      seen.set(result, (seen.get(result) ?? 0) + 1);
    }
    expect(seen.get('finite'), JSON.stringify([...seen])).toBeGreaterThan(100);
    expect(seen.get('refused: MODEL_CORRUPT'), JSON.stringify([...seen])).toBeGreaterThan(1000);
  });
});

describe('forests that are forgotten', () => {
  const MB = 2 ** 20;
  const PAGE = 2 ** 16;
  const { arena } = coreOf('simd');
  const options = { trees: 20, backend: 'wasm-simd' } as const;
  /** Takes so much of the comfortable size that the next forests must soon drop others. */
  let ballast: Segment;

  beforeAll(() => {
    ballast = arena.allocate(30 * MB);
  });
  afterAll(() => arena.free(ballast));

  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inUse = () => {
    for (let i = 0; i < 3; i++) collect();
    return { outside: process.memoryUsage().arrayBuffers, inside: arena.size };
  };
  const churn = (count: number) => {
    for (let i = 0; i < count; i++) new IsolationForest({ ...options, seed: i }).fit(ROWS).score(NEW);
  };

  it('cost no memory: 2,000 grown in one go', () => {
    churn(300);
    const before = inUse();
    churn(2000);
    const after = inUse();
    // WebAssembly memory grows by an eighth, in whole pages: once is no leak.
    expect(after.inside - before.inside).toBeLessThanOrEqual(Math.max(MB, before.inside / 8 + PAGE));
    expect(after.outside - before.outside).toBeLessThanOrEqual(MB);
  });

  it('push those that are kept out of the memory, and these score the same when they are back', () => {
    const kept = new IsolationForest({ ...options, trees: 100, sampleSize: 40 }).fit(ROWS);
    const expected = kept.score(NEW);
    const file = kept.toBytes();
    churn(500);
    expect(kept.score(NEW)).toEqual(expected);
    expect(Buffer.compare(kept.toBytes(), file)).toBe(0);
  });

  it('and disposed of give their room to the next', () => {
    const starts = new Set<number>();
    for (let i = 0; i < 50; i++) {
      using forest = new IsolationForest(options).fit(ROWS);
      forest.score(NEW);
      starts.add(arena.size);
    }
    expect(starts.size).toBe(1);
    const disposed = new IsolationForest(options).fit(ROWS);
    disposed.dispose();
    expect(() => disposed.score(NEW)).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
  });
});
