// Typed arrays of another realm are typed arrays: instanceof does not know them.
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { RowReader } from '../../../src/core/input/matrix.js';
import { KNN, load } from '../../../src/index.js';

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

describe('a model file of another realm', () => {
  const file = new KNN({ neighbors: 2 }).fit([[1], [2], [4], [8]]).toBytes();
  const list = JSON.stringify([...file]);

  it.each([`new Uint8Array(${list})`, `new Uint8Array(${list}).buffer`])('is loaded', (code) => {
    const bytes = foreign(code);
    expect(bytes instanceof Uint8Array || bytes instanceof ArrayBuffer).toBe(false);
    expect(load(bytes as Uint8Array).toBytes()).toEqual(file);
  });

  it.each(["({ [Symbol.toStringTag]: 'ArrayBuffer', length: 4 })", 'new Int8Array(40)', '[1, 2]'])(
    'is no %s',
    (code) => {
      expect(() => load(foreign(code) as Uint8Array)).toThrow(expect.objectContaining({ code: 'MODEL_TYPE' }));
    },
  );
});
