// Looks whether the cells of a decoded Arrow column are all there before they are made an array: a column that tells of
// 2³¹ rows and has ten would use up all memory.

/** What flechette keeps of a part of a column. Which of it is there depends on the type. */
interface Batch {
  readonly length: number;
  readonly values?: ArrayLike<unknown>;
  readonly offsets?: ArrayLike<number | bigint> | null;
  readonly sizes?: ArrayLike<number | bigint>;
  readonly children?: readonly Batch[];
  readonly typeIds?: ArrayLike<number>;
  readonly type: { readonly stride?: number; readonly typeId: number };
}

export interface Types {
  readonly Bool: number;
  readonly Utf8View: number;
  readonly BinaryView: number;
  readonly FixedSizeList: number;
  readonly RunEndEncoded: number;
  readonly Null: number;
}

const VIEW_BYTES = 16;
/** Rows that a few bytes may stand for: nothing, or the same again and again. */
const MOST_REPEATED = 2 ** 22;

/** Throws where a part of a column has fewer cells than it says. `bytes`: of the whole file. */
export function checkCells(parts: readonly object[], types: Types, bytes: number): void {
  for (const part of parts) checkBatch(part as Batch, types, bytes);
}

function checkBatch(batch: Batch, types: Types, bytes: number): void {
  const { length, values, offsets, sizes, typeIds, children = [], type } = batch;
  need(Number.isSafeInteger(length) && length >= 0);
  for (const child of children) checkBatch(child, types, bytes);
  const { typeId, stride = 1 } = type;
  if (typeId === types.Null || typeId === types.RunEndEncoded) {
    need(length <= Math.max(MOST_REPEATED, 8 * bytes));
  } else if (typeId === types.FixedSizeList) {
    need(stride >= 0 && length * stride <= (children[0]?.length ?? 0) && length <= Math.max(MOST_REPEATED, 8 * bytes));
  } else if (typeIds !== undefined) {
    need(typeIds.length >= length);
  } else if (sizes !== undefined) {
    need(sizes.length >= length && (offsets?.length ?? 0) >= length);
    for (let i = 0; i < length; i++) needWithin(offsets?.[i], Number(offsets?.[i]) + Number(sizes[i]), children[0]);
  } else if (offsets !== undefined && offsets !== null) {
    need(length === 0 || offsets.length > length);
    if (children.length > 0)
      for (let i = 0; i < length; i++) needWithin(offsets[i], Number(offsets[i + 1]), children[0]);
  } else if (children.length > 0) {
    for (const child of children) need(child.length >= length);
  } else if (values !== undefined) {
    const isView = typeId === types.Utf8View || typeId === types.BinaryView;
    const cells = typeId === types.Bool ? values.length * 8 : values.length / (isView ? VIEW_BYTES : 1);
    need(cells >= length);
  }
}

/** A list is a part of the cells below it. */
function needWithin(from: number | bigint | undefined, to: number, cells: Batch | undefined): void {
  need(Number(from) >= 0 && to >= Number(from) && to <= (cells?.length ?? 0));
}

function need(isThere: boolean): void {
  if (!isThere) throw new Error('a column has fewer cells than it says');
}
