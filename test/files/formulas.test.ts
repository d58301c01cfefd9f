// Text of a table that a spreadsheet would run, or a terminal obey, on its way into CSV.
import { describe, expect, it } from 'vitest';
import { readTable, writeTable } from '../../src/files/index.js';
import { bytes } from './support.js';

async function written(cell: string, options = {}): Promise<string> {
  const table = await readTable(bytes(JSON.stringify([{ a: cell }, { a: 'x' }])));
  let text = '';
  for await (const piece of writeTable(table, 'csv', options)) text += piece;
  return text.slice('a\n'.length);
}

describe('a formula gets an apostrophe, whatever stands before it', () => {
  it.each(['=1+1', '\n=1+1', '\r\n=1', ' =1', '\t@SUM(A1)', '\u200b=1', '\u001b=1', '+1+cmd', '-2+3+cmd', '＝1'])(
    '%j',
    async (cell) => {
      expect(await written(cell)).toMatch(/^"?'/);
      expect(await written(cell, { guardFormulas: false })).not.toMatch(/^"?'/);
    },
  );

  it.each(['x=1', 'a-b', '1', ''])('and other text does not: %j', async (cell) => {
    expect(await written(cell)).not.toContain("'");
  });
});
