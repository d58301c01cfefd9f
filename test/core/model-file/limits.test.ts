// What a model file from a stranger may be and ask for.
import { describe, expect, it } from 'vitest';
import { CAD, load } from '../../../src/index.js';
import { SeriesDetector, SlidingWindow } from '../../../src/streams/index.js';
import { Random } from '../../support/data.js';
import { edited, withNumber } from '../../support/model-files.js';

const random = new Random(3);
const file = new CAD({ neighbors: 3 }).fit(random.rows(20, 4)).toBytes();
const code = 'MODEL_TOO_LARGE';
const withWindow = (state: Uint8Array, window: number): Uint8Array =>
  edited(state, ({ fields }) => Object.assign(fields, { window }));

describe('load refuses what is larger than allowed', () => {
  it.each([
    [{ maxBytes: file.length - 1 }, /bytes/],
    [{ maxRows: 19 }, /20 rows, maxRows allows 19/],
    [{ maxColumns: 3 }, /4 columns, maxColumns allows 3/],
  ])('%o', (options, message) => {
    for (const read of [load, CAD.load.bind(CAD)]) {
      expect(() => read(file, options)).toThrow(expect.objectContaining({ code }));
      expect(() => read(file, options)).toThrow(message);
    }
  });

  it('and takes what is as large as that', () => {
    const options = { maxBytes: file.length, maxRows: 20, maxColumns: 4 };
    expect(load(file, options).scores).toHaveLength(20);
    expect(load(file, { maxBytes: Infinity }).scores).toHaveLength(20);
  });

  it.each([0, -1, 1.5, Number.NaN, '5', null])('a limit must be a whole number: %o', (maxRows) => {
    expect(() => load(file, { maxRows } as object)).toThrow(expect.objectContaining({ code: 'COUNT_INVALID' }));
  });
});

describe('a state of a stream', () => {
  const series = new SeriesDetector({ warmup: 2 });
  const window = new SlidingWindow(new CAD({ neighbors: 3 }), { window: 30 });
  for (const [a, b] of random.rows(10, 2) as unknown as Array<[number, number]>) {
    series.update(a);
    window.update([a, b]);
  }
  const states = [
    ['SeriesDetector', SeriesDetector, series.toBytes()],
    ['SlidingWindow', SlidingWindow, window.toBytes()],
  ] as const;

  it.each(states)('of a %s asks for no more memory than allowed', (_, Stream, state) => {
    for (const window of [2 ** 31 - 1, 2 ** 28 + 1])
      expect(() => Stream.load(withWindow(state, window))).toThrow(expect.objectContaining({ code }));
    expect(() => Stream.load(withWindow(state, 200), { maxRows: 100 })).toThrow(/maxRows/);
    expect(() => Stream.load(state, { maxBytes: state.length })).toThrow(/its window takes/);
    expect(Stream.load(state, { maxBytes: 2 ** 20 }).toBytes()).toEqual(state);
  });

  it.each(['means', 'rows'])('with %s beyond what a series takes is refused', (section) => {
    const state = withNumber(series.toBytes(), section, 1, 1e200);
    expect(() => SeriesDetector.load(state)).toThrow(expect.objectContaining({ code: 'MODEL_CORRUPT' }));
  });

  it('a window for which there is no memory is refused by a new stream, too', () => {
    const refusal = expect.objectContaining({ code: 'OUT_OF_MEMORY' });
    expect(() => new SeriesDetector({ window: 2 ** 31 - 1 }).update(1)).toThrow(refusal);
    const wide = new SlidingWindow(new CAD(), { window: 2 ** 31 - 1 });
    expect(() => wide.update(new Float64Array(1000))).toThrow(refusal);
  });
});
