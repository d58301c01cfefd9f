// RowReader: every kind of input read as the same f64 rows, at any place of the output, one input after
// another. What it refuses is in test/detectors/bad-input.test.ts.
import { Matrix, MatrixSubView, MatrixTransposeView } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { RowReader, type RowSource } from '../../../src/core/input/matrix.js';

const ROWS = [
  [1, -2.5, 3],
  [4, 0, -0],
  [7, 8, 9.125],
  [-1, 2 ** 20, 0.5],
];

const KINDS: Record<string, unknown> = {
  'number[][]': ROWS,
  'Float64Array rows': ROWS.map((row) => Float64Array.from(row)),
  'Float32Array rows': ROWS.map((row) => Float32Array.from(row)),
  'rows of mixed kinds': ROWS.map((row, i) => (i % 2 === 0 ? row : Float64Array.from(row))),
  'flat Float64Array': { data: Float64Array.from(ROWS.flat()), rows: 4, columns: 3 },
  'flat Float32Array': { data: Float32Array.from(ROWS.flat()), rows: 4, columns: 3 },
  'part of a flat array': { data: Float64Array.from([9, ...ROWS.flat(), 9]).subarray(1, 13), rows: 4, columns: 3 },
  Matrix: new Matrix(ROWS),
  'transpose view': new MatrixTransposeView(new Matrix(ROWS).transpose()),
  'sub view': new MatrixSubView(new Matrix([[0, 0, 0, 0], ...ROWS.map((row) => [0, ...row])]), 1, 4, 1, 3),
  'matrix with get': { rows: 4, columns: 3, get: (i: number, j: number) => (ROWS[i] as number[])[j] },
};

function readAll(source: RowSource): number[][] {
  return Array.from({ length: source.rows }, (_, i) => {
    const row = new Float64Array(source.columns);
    source.read(i, row, 0);
    return [...row];
  });
}

describe('RowReader', () => {
  it.each(Object.entries(KINDS))('reads %s', (_, input) => {
    const reader = new RowReader().attach(input);
    expect([reader.rows, reader.columns]).toEqual([4, 3]);
    expect(readAll(reader)).toEqual(ROWS);
  });

  it.each(['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'])(
    'reads rows that are a %s',
    (name) => {
      const Values = (globalThis as unknown as Record<string, Uint8ArrayConstructor>)[name] as Uint8ArrayConstructor;
      const whole = [
        [1, 2],
        [100, 0],
      ];
      expect(readAll(new RowReader().attach(whole.map((row) => Values.from(row))))).toEqual(whole);
    },
  );

  it.each(Object.entries(KINDS))('writes only its own row of %s, where it is told', (_, input) => {
    const into = new Float64Array(6).fill(77);
    new RowReader().attach(input).read(2, into, 2);
    expect([...into]).toEqual([77, 77, 7, 8, 9.125, 77]);
  });

  it('can be attached to one input after another', () => {
    const reader = new RowReader();
    for (const input of Object.values(KINDS)) expect(readAll(reader.attach(input))).toEqual(ROWS);
    expect(readAll(reader.attach([[5]]))).toEqual([[5]]);
  });

  it('holds nothing after a refused input', () => {
    const reader = new RowReader().attach(ROWS);
    expect(() => reader.attach([[1], [Number.NaN]])).toThrow('row 1, column 0');
    expect([reader.rows, reader.columns]).toEqual([0, 0]);
    expect(() => reader.attach({ data: [new Float64Array(3)], rows: 1, columns: 2 })).toThrow(
      'data has 1 rows and 3 columns',
    );
    expect([reader.rows, reader.columns]).toEqual([0, 0]);
  });

  it('lets go of its input when it is detached', () => {
    const reader = new RowReader().attach(ROWS);
    reader.detach();
    const into = new Float64Array(3).fill(77);
    reader.read(0, into, 0);
    expect([reader.rows, reader.columns, ...into]).toEqual([0, 0, 77, 77, 77]);
  });
});
