// Typed arrays of another realm are typed arrays: instanceof does not know them.
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { RowReader } from '../../../src/core/input/matrix.js';

const foreign = (code: string): unknown => runInNewContext(code);

describe('rows of another realm', () => {
  it.each(['Float64Array', 'Float32Array'])('are read from one %s', (name) => {
    const data = foreign(`new ${name}([1, 2, 3, 4])`);
    expect(data instanceof Float64Array || data instanceof Float32Array).toBe(false);
    const into = new Float64Array(2);
    new RowReader().attach({ data, rows: 2, columns: 2 }).read(1, into, 0);
    expect([...into]).toEqual([3, 4]);
  });

  it('are read where each is a typed array or an array', () => {
    const into = new Float64Array(2);
    const rows = new RowReader().attach(foreign('[new Float64Array([1, 2]), [3, 4], new Int32Array([5, 6])]'));
    rows.read(2, into, 0);
    expect([...into]).toEqual([5, 6]);
  });

  it.each([
    '[new Float64Array(new SharedArrayBuffer(16))]',
    '({ data: new Float64Array(new SharedArrayBuffer(16)), rows: 1, columns: 2 })',
  ])('are refused in shared memory: %s', (code) => {
    expect(() => new RowReader().attach(foreign(code))).toThrow(expect.objectContaining({ code: 'SHARED_MEMORY' }));
  });

  it('are refused where a row is a DataView', () => {
    const rows = foreign('[new DataView(new ArrayBuffer(8))]');
    expect(() => new RowReader().attach(rows)).toThrow(expect.objectContaining({ code: 'ROW_TYPE' }));
  });
});
