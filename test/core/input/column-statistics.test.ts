// Column statistics against exact rational arithmetic, and what merging must not change.
import { describe, expect, it } from 'vitest';
import { ColumnStatistics } from '../../../src/core/input/column-statistics.js';
import { CAD, CurvadError, LOF } from '../../../src/index.js';
import { Random } from '../../support/data.js';

/** A double as a whole number of 2⁻¹⁰⁷⁴. */
function inUnits(value: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0] as bigint;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -size : size;
}

/** The doubles on both sides of one. */
function beside(value: number): [number, number] {
  if (value === 0) return [-Number.MIN_VALUE, Number.MIN_VALUE];
  const bits = new BigInt64Array(Float64Array.of(Math.abs(value)).buffer);
  const [less, more] = [-1n, 1n].map(
    (step) => new Float64Array(BigInt64Array.of((bits[0] as bigint) + step).buffer)[0],
  );
  return value > 0 ? [less as number, more as number] : [-(more as number), -(less as number)];
}

const size = (value: bigint): bigint => (value < 0n ? -value : value);

function expectExact(values: readonly number[]): void {
  const statistics = new ColumnStatistics(1).add(values.map((value) => [value]));
  const count = BigInt(values.length);
  const sum = values.reduce((total, value) => total + inUnits(value), 0n);
  const mean = statistics.mean[0] as number;
  const error = size(inUnits(mean) * count - sum);
  for (const other of beside(mean).filter(Number.isFinite))
    expect(error <= size(inUnits(other) * count - sum), `${mean} is nearer to the mean than ${other}`).toBe(true);
  // n² times the variance, in units squared.
  const spread = count * values.reduce((total, value) => total + inUnits(value) ** 2n, 0n) - sum ** 2n;
  const deviation = statistics.deviation[0] as number;
  const [low, high] = beside(deviation);
  expect(deviation === 0 ? spread === 0n : (inUnits(low) * count) ** 2n <= spread).toBe(true);
  if (Number.isFinite(high)) expect((inUnits(high) * count) ** 2n >= spread).toBe(true);
  expect(statistics.min[0]).toBe(Math.min(...values) + 0);
  expect(statistics.max[0]).toBe(Math.max(...values) + 0);
}

const random = new Random(21);

describe('mean and deviation are exact', () => {
  it.each<[string, (i: number) => number]>([
    ['ordinary numbers', () => random.gaussian()],
    ['whole numbers', () => random.integer(1000)],
    ['f32', () => Math.fround(random.gaussian())],
    ['a small spread far from zero', () => 1e9 + random.gaussian() * 1e-6],
    ['every magnitude', () => random.gaussian() * 2 ** (random.integer(2000) - 1000)],
    ['numbers whose squares underflow', () => random.gaussian() * 1e-200],
    ['subnormal numbers', () => random.integer(1000) * Number.MIN_VALUE],
    ['numbers whose squares overflow', () => random.gaussian() * 1e300],
    ['the whole range', (i) => (i % 2 ? Number.MAX_VALUE : -Number.MAX_VALUE)],
    ['the borders of what needs to be moved', (i) => [2 ** 440, 2 ** -440, 2 ** 440.5, 2 ** -440.5][i % 4] as number],
    ['what cancels', (i) => [1e100, 1, -1e100][i % 3] as number],
    ['a constant', () => 0.1],
    ['zeros of both signs', (i) => (i % 2 ? 0 : -0)],
  ])('for %s', (_, value) => {
    expectExact(Array.from({ length: 301 }, (_, i) => value(i)));
  });

  it('for so many rows that the bins are emptied', () => {
    const rows = 600_000;
    const data = Float64Array.from({ length: rows }, (_, i) => 2 ** 31.9 + (i % 7));
    const { mean, deviation } = new ColumnStatistics(1).add({ data, rows, columns: 1 });
    const sum = data.reduce((total, value) => total + inUnits(value), 0n);
    expect(size(inUnits(mean[0] as number) * BigInt(rows) - sum) <= BigInt(rows) * inUnits(2 ** -22)).toBe(true);
    expect(deviation[0]).toBeCloseTo(2, 5);
  });
});

describe('statistics of parts', () => {
  const rows = random.rows(1000, 4, () => random.gaussian() * 10 ** (random.integer(20) - 10));
  const all = new ColumnStatistics(4).add(rows);

  it('are those of all rows to the last bit, however the rows are split, ordered and merged', () => {
    for (let trial = 0; trial < 20; trial++) {
      const shuffled = rows.map((row) => ({ row, at: random.uniform() })).sort((a, b) => a.at - b.at);
      const parts = Array.from({ length: 5 }, () => new ColumnStatistics(4));
      for (const { row } of shuffled) parts[random.integer(5)]?.add([row]);
      const merged = parts.reverse().reduce((whole, part) => whole.merge(part), new ColumnStatistics(4));
      expect(merged.rows).toBe(1000);
      for (const what of ['min', 'max', 'mean', 'deviation'] as const) expect(merged[what]).toEqual(all[what]);
    }
  });

  it('survive JSON, empty ones too', () => {
    const copy = ColumnStatistics.from(JSON.parse(JSON.stringify(all)));
    for (const what of ['rows', 'min', 'max', 'mean', 'deviation'] as const) expect(copy[what]).toEqual(all[what]);
    const none = ColumnStatistics.from(JSON.parse(JSON.stringify(new ColumnStatistics(4))));
    expect(none.merge(all).mean).toEqual(all.mean);
  });

  it('refuse what is not of their kind', () => {
    const codeOf = (act: () => unknown): string | undefined => {
      try {
        act();
      } catch (error) {
        if (error instanceof CurvadError) return error.code;
      }
      return undefined;
    };
    expect(codeOf(() => new ColumnStatistics(0))).toBe('COLUMNS_INVALID');
    expect(codeOf(() => new ColumnStatistics(3).add(rows))).toBe('WRONG_WIDTH');
    expect(codeOf(() => new ColumnStatistics(3).merge(all))).toBe('WRONG_WIDTH');
    expect(codeOf(() => new ColumnStatistics(3).mean)).toBe('EMPTY_INPUT');
    for (const data of [null, {}, { ...all.toJSON(), rows: -1 }, { ...all.toJSON(), sums: ['x', '0', '0', '0'] }])
      expect(codeOf(() => ColumnStatistics.from(data as never))).toBe('STATISTICS_INVALID');
  });
});

describe('standardizing', () => {
  it.each(['single', 'double'] as const)('does not depend on the order of rows: %s', (precision) => {
    const rows = random.rows(400, 5, () => random.gaussian() * 3 + 7);
    const order = rows.map((_, i) => ({ i, at: random.uniform() })).sort((a, b) => a.at - b.at);
    for (const Kind of [CAD, LOF]) {
      const options = { standardize: true, precision };
      const straight = new Kind(options).fit(rows).scores;
      const shuffled = new Kind(options).fit(order.map(({ i }) => rows[i] as Float64Array)).scores;
      expect(order.map(({ i }) => straight[i])).toEqual([...shuffled]);
    }
  });
});
