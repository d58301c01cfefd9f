// Numbers from bytes are those that Number() gives, to the last bit, in all ways of writing them.
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/files/index.js';
import { parseNumber } from '../../src/files/number.js';
import { Random } from '../support/data.js';

const encoder = new TextEncoder();
const read = (text: string) => {
  const bytes = encoder.encode(text);
  return parseNumber(bytes, 0, bytes.length, 0x2e);
};
const random = new Random(5);
const below = (n: number) => Math.floor(random.uniform() * n);
const digits = (count: number) => Array.from({ length: count }, () => below(10)).join('');

function expectLikeNumber(texts: Iterable<string>): void {
  const wrong: string[] = [];
  for (const text of texts) if (!Object.is(read(text), Number(text))) wrong.push(`${text}: ${read(text)}`);
  expect(wrong.slice(0, 5)).toEqual([]);
}

const ROUNDS = 30_000;
const times = (text: () => string) => Array.from({ length: ROUNDS }, text);
const sign = () => ['', '-', '+'][below(3)] as string;

describe('numbers', () => {
  it.each<[string, () => string]>([
    ['whole', () => `${sign()}${digits(1 + below(22))}`],
    ['decimal', () => `${sign()}${digits(1 + below(10))}.${digits(1 + below(18))}`],
    ['with exponents', () => `${sign()}${digits(1)}.${digits(1 + below(19))}e${below(640) - 320}`],
    ['with few digits and large exponents', () => `${digits(1 + below(4))}E${['+', '-'][below(2)]}${20 + below(300)}`],
    ['as programs write doubles', () => String((random.uniform() - 0.5) * 10 ** (below(560) - 280))],
    [
      'at the limits of doubles',
      () => `${digits(1 + below(17))}e${[-345, -330, -324, -310, -300, 290, 300][below(7)]}`,
    ],
  ])('%s are those of Number()', (_, text) => expectLikeNumber(times(text)));

  it('may have a million digits', async () => {
    const long = ['1'.repeat(1e6), `0.${'3'.repeat(1e6)}`, `-${'0'.repeat(1e6)}5`, `1${'0'.repeat(1e6)}e-1000000`];
    expect(long.map(read)).toEqual(long.map(Number));
    const { columns } = await readTable(new TextEncoder().encode(`a,b\n1,${long[1]}\n2,3\n`));
    expect(columns[1]).toMatchObject({ kind: 'number', values: Float64Array.of(Number(long[1]), 3) });
  });

  it('in the middle between two doubles go to the even one', () => {
    const halves = Array.from({ length: 4000 }, () => {
      const value = 1 + random.uniform();
      const low = BigInt(Math.floor(value * 2 ** 52));
      const power = BigInt(20 + below(12)); // of which the digits are no more than can be written
      return String((2n * low + 1n) << power);
    });
    expectLikeNumber(halves);
    expectLikeNumber(halves.map((text) => `${text.slice(0, 17)}e${text.length - 17}`));
    expectLikeNumber([
      '9007199254740993',
      '9007199254740993e0',
      '4503599627370496.5',
      '8.5e-324',
      '2.4703282292062327e-324',
    ]);
  });
});
