// The blocks of an Arrow file in the order of a stream: dictionaries before the record batches that use them. In a
// file they may stand in any order, and polars writes dictionaries last, which flechette does not expect.

/** Where a block is told in the footer, and where it is: metadata and body. */
interface Block {
  readonly entry: number;
  readonly offset: number;
  readonly length: number;
}

const MAGIC = 'ARROW1';
const [DICTIONARIES, RECORD_BATCHES] = [2, 3];
const BLOCK_BYTES = 24;

/** The bytes of the file with dictionaries first; the same bytes where they are so already, or are no file. */
export function dictionariesFirst(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (String.fromCharCode(...bytes.subarray(0, MAGIC.length)) !== MAGIC) return bytes;
    const end = bytes.length - MAGIC.length - 4;
    const footer = end - view.getInt32(end, true);
    const dictionaries = blocksIn(view, footer, DICTIONARIES);
    const records = blocksIn(view, footer, RECORD_BATCHES);
    const isOrdered = dictionaries.every(({ offset }) => records.every((record) => offset < record.offset));
    return isOrdered ? bytes : reordered(bytes, [...dictionaries, ...records]);
  } catch {
    return bytes; // whoever decodes them tells what is wrong
  }
}

/** The blocks of a field of the footer, a FlatBuffers table. */
function blocksIn(view: DataView, footer: number, field: number): Block[] {
  const table = footer + view.getInt32(footer, true);
  const fields = table - view.getInt32(table, true);
  const slot = 4 + 2 * field;
  const at = slot < view.getUint16(fields, true) ? view.getUint16(fields + slot, true) : 0;
  if (at === 0) return [];
  const vector = table + at + view.getInt32(table + at, true);
  return Array.from({ length: view.getInt32(vector, true) }, (_, i) => {
    const entry = vector + 4 + i * BLOCK_BYTES;
    const length = view.getInt32(entry + 8, true) + Number(view.getBigInt64(entry + 16, true));
    return { entry, offset: Number(view.getBigInt64(entry, true)), length };
  });
}

function reordered(bytes: Uint8Array, blocks: readonly Block[]): Uint8Array {
  const result = bytes.slice();
  const view = new DataView(result.buffer);
  let at = blocks.reduce((least, { offset }) => Math.min(least, offset), Infinity);
  for (const { entry, offset, length } of blocks) {
    result.set(bytes.subarray(offset, offset + length), at);
    view.setBigInt64(entry, BigInt(at), true);
    at += length;
  }
  return result;
}
