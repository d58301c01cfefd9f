// Calls that are given up leave no memory behind: the core is as large after many of them as after a few.
import { describe, expect, it } from 'vitest';
import { coreOf } from '../../src/core/wasm/core.js';
import { type AsyncOptions, CAD, DROP3, ENN, InverseCAD, landscapeAsync } from '../../src/index.js';
import { Random } from '../support/data.js';
import { outcome } from './support.js';

const backend = 'wasm-simd';
const LABELS = Array.from({ length: 1500 }, (_, i) => i % 2);
const ROWS = new Random(81).rows(1500, 100);
const cad = new CAD({ backend }).fit(ROWS);

const CALLS: Array<[string, (options: AsyncOptions) => Promise<unknown>]> = [
  ['InverseCAD', (options) => new InverseCAD({ backend }).rankAsync(ROWS, LABELS, options)],
  ['ENN', (options) => new ENN({ backend }).retainAsync(ROWS, LABELS, options)],
  ['DROP3', (options) => new DROP3({ backend }).retainAsync(ROWS, LABELS, options)],
  ['a landscape', (options) => landscapeAsync(cad, { resolution: 100 }, options)],
];

describe.each(CALLS)('%s', (_, call) => {
  it('given up at any moment leaves no memory behind', async () => {
    const { arena } = coreOf('simd');
    const giveUp = async (report: number): Promise<string> => {
      const controller = new AbortController();
      let reports = 0;
      const onProgress = () => {
        if (++reports >= report) controller.abort();
      };
      return outcome(call({ threads: 0, signal: controller.signal, onProgress }));
    };
    const ends = new Set<string>();
    await call({ threads: 0 }); // to its end: the most it ever needs
    for (let report = 1; report <= 8; report++) ends.add(await giveUp(report));
    const { size } = arena;
    for (let i = 0; i < 40; i++) ends.add(await giveUp(1 + (i % 8)));
    expect(ends).toContain('AbortError');
    expect(arena.size).toBe(size);
  });
});
