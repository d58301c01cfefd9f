// Columns of an answer. Typed arrays become columns as they are: where flechette is told a type, it goes value by value.
import { batchType, Column, columnFromArray, type DataType, float64, int8, uint32, utf8 } from '@uwdata/flechette';

type Values = Float64Array | Int8Array | Uint32Array;

/** A column of the numbers of an array. */
export function columnOf(values: Values): Column<unknown> {
  return values.length > 0 ? columnFromArray(values) : emptyColumn(typeOf(values));
}

/** The same where some values may be missing. */
export function sparseColumnOf(values: ArrayLike<number | null>, type: DataType): Column<unknown> {
  const isWhole = values instanceof Float64Array || values instanceof Int8Array;
  return isWhole ? columnOf(values) : columnFromArray(values as number[], type);
}

/** A column of one text. */
export function textColumn(text: string): Column<unknown> {
  return columnFromArray([text], utf8());
}

export function emptyColumn(type: DataType): Column<unknown> {
  return columnFromArray([], type);
}

/** A column of texts that are all missing. */
export function noTexts(length: number): Column<unknown> {
  const type = utf8();
  const validity = new Uint8Array(Math.ceil(length / 8));
  const offsets = new Int32Array(length + 1);
  const Texts = batchType(type) as new (batch: object) => never;
  const batch = new Texts({ length, nullCount: length, type, validity, offsets, values: new Uint8Array(0) });
  return new Column([batch], type);
}

function typeOf(values: Values): DataType {
  if (values instanceof Float64Array) return float64();
  return values instanceof Int8Array ? int8() : uint32();
}
