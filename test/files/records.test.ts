// CSV is read the same however it is cut into chunks, and as the standard says.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadLine } from '../../src/files/bad-line.js';
import { numberIn } from '../../src/files/number.js';
import { RecordReader } from '../../src/files/records.js';
import { ABOUT_TIME } from '../support/timing.js';

const POINT = 0x2e;

function read(text: string, size = 7, separator = ','): string[][] {
  const reader = new RecordReader(separator);
  const bytes = Buffer.from(text);
  const records: string[][] = [];
  for (let at = 0; at < bytes.length; at += size) {
    reader.push(bytes.subarray(at, at + size));
    while (reader.next()) records.push(reader.texts());
  }
  reader.finish();
  while (reader.next()) records.push(reader.texts());
  return records;
}

describe('the reader of records', () => {
  it('gives back what was written, for any text, any ends of lines and any chunks', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '1', '.') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        table,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (rows, end, size, isClosed) => {
          const lines = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
          expect(read(lines.join(end) + (isClosed ? end : ''), size)).toEqual(rows);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('leaves quotes inside unquoted fields alone and passes over blank lines', () => {
    expect(read('a,5" pipe\n\n\r\n,\nlast,')).toEqual([
      ['a', '5" pipe'],
      ['', ''],
      ['last', ''],
    ]);
  });

  it('counts lines as editors do, those inside quotes too', () => {
    const reader = new RecordReader(',');
    reader.push(Buffer.from('a,b\n"x\ny",2\n\n3,4\n'));
    reader.finish();
    const lines: number[] = [];
    while (reader.next()) lines.push(reader.line);
    expect(lines).toEqual([1, 2, 5]);
  });

  it.each([
    ['1,2\n"a"b,3\n4,5\n', 2, 'text after a closing quote'],
    ['1,2\n3,"never closed\n4,5\n', 2, 'never closed'],
  ])('names the line it cannot read and goes on after it: %j', (text, line, why) => {
    const reader = new RecordReader(',');
    reader.push(Buffer.from(text));
    reader.finish();
    expect(reader.next()).toBe(true);
    let error: unknown;
    try {
      reader.next();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(BadLine);
    expect((error as BadLine).line).toBe(line);
    expect((error as BadLine).message).toContain(why);
    expect(reader.next()).toBe(true);
    expect(reader.texts()).toEqual(['4', '5']);
  });

  it('reads a line of 10 MB and one of 100,000 fields in chunks without trying again and again', ABOUT_TIME, () => {
    const start = performance.now();
    const [long, wide] = read(`${'x'.repeat(10_000_000)},1\n${'1,'.repeat(99_999)}1\n`, 2 ** 12);
    expect([long?.[0]?.length, long?.[1], wide?.length]).toEqual([10_000_000, '1', 100_000]);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('numbers from bytes', () => {
  it('are those Number gives, to the last bit', () => {
    const text = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.integer().map(String),
      fc.tuple(fc.bigInt(-(10n ** 25n), 10n ** 25n), fc.integer({ min: -330, max: 310 })).map(([m, e]) => `${m}e${e}`),
      fc.tuple(fc.integer(), fc.nat()).map(([a, b]) => `${a}.${b}`),
      fc.constantFrom(
        '+1.5',
        '.5',
        '5.',
        '-0',
        '0.1',
        '1E3',
        '1e+3',
        '123456789012345678',
        '9007199254740993',
        '4.35e-22',
      ),
    );
    fc.assert(
      fc.property(text, (written) => {
        expect(Object.is(numberIn(written, POINT), Number(written))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it.each(['', '-', '.', 'e5', '1e', '1e+', '1.2.3', '0x10', '1_000', '1,5', 'abc', '1 2', '٣'])(
    'are not in %j',
    (text) => {
      expect(numberIn(text, POINT)).toBeNaN();
    },
  );

  it('may have a decimal comma', () => {
    expect(numberIn('-1,25', 0x2c)).toBe(-1.25);
    expect(numberIn('0,12345678901234567890', 0x2c)).toBe(Number('0.12345678901234567890'));
    expect(numberIn('1.25', 0x2c)).toBeNaN();
  });
});
