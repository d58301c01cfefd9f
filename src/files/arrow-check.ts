// Looks whether what Arrow's metadata tell is there at all, before they are decoded: a vector of 2³¹ entries in a file of
// 1 KB, or a message that ends before it begins, would keep the decoder busy until memory is used up.
//
// Metadata are FlatBuffers: a table has its fields where its list of fields says; a vector has a count and its entries.

const MAGIC = 'ARROW1';
/** Fields in fields in fields. */
const MOST_NESTED = 64;
const CONTINUATION = -1;

/** Entries of the tables Footer, Message, Schema, Field, DictionaryBatch and RecordBatch, by their place. */
const FOOTER = { schema: 1, dictionaries: 2, batches: 3, metadata: 4 } as const;
const MESSAGE = { type: 1, header: 2, bodyLength: 3 } as const;
const SCHEMA = { fields: 1, metadata: 2 } as const;
const FIELD = { typeId: 2, type: 3, children: 5, metadata: 6 } as const;
const BATCH = { nodes: 1, buffers: 2, compression: 3, variadic: 4 } as const;
const DICTIONARY_DATA = 1;
const HEADERS = { schema: 1, dictionary: 2, batch: 3 } as const;
const UNION = 14;
const BLOCK_BYTES = 24;
const NODE_BYTES = 16;
/** Rows that few bytes may stand for, where they hold nothing, or the same again and again. */
const MOST_REPEATED = 2 ** 22;
/** How much smaller packing makes what is not made to be packed. */
const MOST_PACKED = 1024;

/** Throws where an Arrow file or stream tells of more than is there; the reader says which file it was. */
export function checkArrow(bytes: Uint8Array): void {
  try {
    new ArrowCheck(bytes).run();
  } catch (error) {
    throw error instanceof RangeError ? new Error('it ends before what it tells of') : error;
  }
}

class ArrowCheck {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Tables that may still be looked at: several may be one, but not so often that looking takes long. */
  #left: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = bytes.length;
  }

  run(): void {
    if (String.fromCharCode(...this.#bytes.subarray(0, MAGIC.length)) === MAGIC) this.#file();
    else for (let at = 0; at < this.#bytes.length; ) at = this.#message(at);
  }

  #file(): void {
    const end = this.#bytes.length - MAGIC.length - 4;
    const length = this.#view.getInt32(end, true);
    if (length <= 0 || length > end) throw new Error('its footer is not where it should be');
    const footer = this.#table(end - length);
    const schema = this.#fieldOf(footer, FOOTER.schema);
    if (schema !== 0) this.#schema(schema);
    this.#vector(footer, FOOTER.metadata, 4, () => {});
    for (const field of [FOOTER.dictionaries, FOOTER.batches]) {
      this.#vector(footer, field, BLOCK_BYTES, (entry) => {
        const offset = Number(this.#view.getBigInt64(entry, true));
        if (!(offset >= 0 && offset < this.#bytes.length)) throw new Error('a block is outside the file');
        this.#message(offset);
      });
    }
  }

  /** Checks a message, and returns where the next one begins. */
  #message(start: number): number {
    let at = start;
    let length = this.#view.getInt32(at, true);
    at += 4;
    if (length === CONTINUATION) {
      length = at + 4 > this.#bytes.length ? 0 : this.#view.getInt32(at, true);
      at += 4;
    }
    if (length === 0) return this.#bytes.length; // the end of a stream
    if (length < 0 || at + length > this.#bytes.length) throw new Error('a message is cut off');
    const message = this.#table(at);
    const body = this.#fieldOf(message, MESSAGE.bodyLength);
    const bodyLength = body === 0 ? 0 : Number(this.#view.getBigInt64(body, true));
    if (!(bodyLength >= 0 && at + length + bodyLength <= this.#bytes.length)) throw new Error('a message is cut off');
    const header = this.#fieldOf(message, MESSAGE.header);
    const type = this.#fieldOf(message, MESSAGE.type);
    if (header !== 0 && type !== 0) this.#header(this.#view.getUint8(type), header, bodyLength);
    return at + length + bodyLength;
  }

  #header(type: number, at: number, bodyLength: number): void {
    if (type === HEADERS.schema) this.#schema(at);
    if (type === HEADERS.batch) this.#batch(at, bodyLength);
    if (type !== HEADERS.dictionary) return;
    const data = this.#fieldOf(this.#table(at), DICTIONARY_DATA);
    // The rows of a dictionary are made an array while it is decoded.
    if (data !== 0) this.#batch(data, bodyLength, 0);
  }

  #schema(at: number): void {
    const schema = this.#table(at);
    this.#vector(schema, SCHEMA.fields, 4, (field) => this.#field(field, MOST_NESTED));
    this.#vector(schema, SCHEMA.metadata, 4, () => {});
  }

  #field(at: number, depth: number): void {
    if (depth === 0) throw new Error(`its columns are nested more than ${MOST_NESTED} deep`);
    const field = this.#table(at);
    this.#vector(field, FIELD.metadata, 4, () => {});
    this.#vector(field, FIELD.children, 4, (child) => this.#field(child, depth - 1));
    const typeId = this.#fieldOf(field, FIELD.typeId);
    const type = this.#fieldOf(field, FIELD.type);
    if (typeId === 0 || type === 0) return;
    if (this.#view.getUint8(typeId) === UNION) this.#vector(this.#table(type), 1, 4, () => {});
  }

  #batch(at: number, bodyLength: number, mostRepeated = MOST_REPEATED): void {
    const batch = this.#table(at);
    const isPacked = this.#fieldOf(batch, BATCH.compression) !== 0;
    const mostRows = Math.max(mostRepeated, 8 * bodyLength * (isPacked ? MOST_PACKED : 1));
    this.#vector(batch, BATCH.nodes, NODE_BYTES, (entry) => {
      const rows = this.#view.getBigInt64(entry, true);
      if (rows < 0 || rows > mostRows) throw new Error(`a column has ${rows} rows in ${bodyLength} bytes`);
    });
    this.#vector(batch, BATCH.buffers, NODE_BYTES, (entry) => {
      const [offset, length] = [entry, entry + 8].map((place) => Number(this.#view.getBigInt64(place, true)));
      const end = (offset as number) + (length as number);
      if ((offset as number) < 0 || (length as number) < 0 || end > bodyLength)
        throw new Error('a buffer is outside its message');
    });
    this.#vector(batch, BATCH.variadic, 8, (entry) => {
      if (this.#view.getBigInt64(entry, true) > this.#bytes.length) throw new Error('it ends before what it tells of');
    });
  }

  /** The place of the table that a reference leads to. */
  #table(reference: number): number {
    if (this.#left-- <= 0) throw new Error('its parts refer to one another without end');
    const at = reference + this.#view.getInt32(reference, true);
    this.#view.getInt32(at, true);
    return at;
  }

  /** The place of a field of a table; 0 where it has none. */
  #fieldOf(table: number, field: number): number {
    const fields = table - this.#view.getInt32(table, true);
    const slot = 4 + 2 * field;
    // As they are decoded: as signed numbers.
    const offset = slot < this.#view.getInt16(fields, true) ? this.#view.getInt16(fields + slot, true) : 0;
    return offset === 0 ? 0 : table + offset;
  }

  /** Visits the entries of a vector, each of some bytes. */
  #vector(table: number, field: number, bytes: number, visit: (at: number) => void): void {
    const at = this.#fieldOf(table, field);
    if (at === 0) return;
    const vector = at + this.#view.getInt32(at, true);
    const count = this.#view.getInt32(vector, true);
    if (count < 0 || vector + 4 + count * bytes > this.#bytes.length)
      throw new Error('it ends before what it tells of');
    for (let i = 0; i < count; i++) visit(vector + 4 + i * bytes);
  }
}
