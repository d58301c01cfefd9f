// Files that were damaged on their way, or made to do harm: each ends in an error of curvad's, soon, or in a whole table.
import { type Table as ArrowTable, tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/files/node.js';
import { writeTable } from '../../src/files/write.js';
import type { Table } from '../../src/tables/table.js';
import { fixture } from '../support/data.js';
import { bytes } from './support.js';

const table: ArrowTable = tableFromArrays({ a: Float64Array.of(1, 2, 3), b: ['x', 'y', 'x'] });
const arrow = (format: 'file' | 'stream') => tableToIPC(table, { format }) as Uint8Array;

/** 'whole', or the code of the error; anything else is thrown. */
async function outcome(read: Promise<Table>): Promise<string> {
  try {
    const { columns, rows } = await read;
    for (const column of columns) {
      const values = column.kind === 'text' ? column.codes : column.values;
      expect(values?.length).toBe(rows);
    }
    return 'whole';
  } catch (error) {
    const { name, code } = error as { name: string; code: string };
    if (name !== 'CurvadError') throw error;
    return code;
  }
}

describe.each(['file', 'stream'] as const)('an Arrow %s', (format) => {
  it('with any byte replaced is refused or whole', async () => {
    const whole = arrow(format);
    for (let at = 0; at < whole.length; at++) {
      const damaged = whole.slice();
      damaged[at] = [0x77, 0xff, 0x00][at % 3] as number;
      expect(await outcome(readTable(damaged))).toMatch(/^whole$|^FILE_|^FORMAT_/);
    }
  });

  it('that is cut off anywhere is refused, or a stream that ends after a message', async () => {
    const whole = arrow(format);
    for (let end = 0; end < whole.length; end += 3)
      expect(await outcome(readTable(whole.subarray(0, end)))).toMatch(format === 'file' ? /^FILE_/ : /^FILE_|^whole$/);
  });
});

describe('a stream in pieces of any size', () => {
  const texts: ReadonlyArray<readonly [name: string, text: string]> = [
    ['a;b', 'a;b\n1,5;2\n3,5;4\n'],
    ['numbers without header', '1.5,2\n3,4\n'],
    ['letters beyond ASCII at the end', `name,value\n${'x,1\n'.repeat(20)}ü,2\n`],
    ['JSON', '[{"a":1,"b":"x"},{"a":2,"b":"y"}]'],
    ['JSON lines', '{"a":1}\n{"a":2}\n'],
    ['a page of the web', '<!DOCTYPE html><title>1,2</title>'],
    ['no end of the last line', 'a,b\n1,2\n3,4'],
  ];

  it.each([...texts.map(([name, text]) => [name, bytes(text)] as const), ['Arrow', arrow('file')] as const])(
    'is the table that the whole is: %s',
    async (_, whole) => {
      const expected = await readTable(whole).catch(({ code }) => code);
      for (const size of [1, 2, 3, 7, 50]) {
        async function* pieces(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < whole.length; at += size) yield whole.slice(at, at + size);
        }
        expect(await readTable(pieces()).catch(({ code }) => code)).toEqual(expected);
      }
    },
  );
});

describe('a Parquet file that is not what it says', () => {
  it.each(Object.entries(fixture<Record<string, string>>('damaged_parquet')))('is refused: %s', async (_, text) => {
    const start = performance.now();
    await expect(readTable(Buffer.from(text, 'base64'))).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
    expect(performance.now() - start, 'it made the reader go on for ever').toBeLessThan(20_000);
  });

  it('is unpacked no further than allowed', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `${i % 7},${i}\n`).join('');
    const pieces: Uint8Array[] = [];
    for await (const piece of writeTable(await readTable(bytes(`a,b\n${rows}`)), 'parquet'))
      pieces.push(piece as Uint8Array);
    const file = Buffer.concat(pieces);
    expect((await readTable(file)).rows).toBe(5000);
    await expect(readTable(file, { maxBytes: file.length + 1000 })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
  });
});

it.each(['7 3', '3, 2 1', '99999999999999999999, 1'])('an .npy file of the shape (%s) is refused', async (shape) => {
  const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117);
  const file = Buffer.concat([
    Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'),
    Buffer.from(`${header}\n`),
    Buffer.alloc(21),
  ]);
  await expect(readTable(file)).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
});
