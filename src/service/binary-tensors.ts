// Tensors as binary data, an extension of the Open Inference Protocol: the body begins with JSON, whose length a header
// tells, and the data of the tensors follow, one after the other, little-endian and row-major.
import { HttpError } from './http-error.js';

/** The header with the length of the JSON. */
export const JSON_LENGTH = 'inference-header-content-length';
export const BINARY = 'application/octet-stream';

type Bytes = Uint8Array<ArrayBuffer>;

/** What reads a number of a datatype, and the bytes it has. */
const READERS: Readonly<Record<string, readonly [size: number, read: (view: DataView, at: number) => number]>> = {
  FP64: [8, (view, at) => view.getFloat64(at, true)],
  FP32: [4, (view, at) => view.getFloat32(at, true)],
  FP16: [2, (view, at) => halfOf(view.getUint16(at, true))],
  INT64: [8, (view, at) => Number(view.getBigInt64(at, true))],
  INT32: [4, (view, at) => view.getInt32(at, true)],
  INT16: [2, (view, at) => view.getInt16(at, true)],
  INT8: [1, (view, at) => view.getInt8(at)],
  UINT64: [8, (view, at) => Number(view.getBigUint64(at, true))],
  UINT32: [4, (view, at) => view.getUint32(at, true)],
  UINT16: [2, (view, at) => view.getUint16(at, true)],
  UINT8: [1, (view, at) => view.getUint8(at)],
  BOOL: [1, (view, at) => view.getUint8(at)],
};

/** The data behind the JSON of a body, tensor by tensor. */
export class BinaryTensors {
  readonly json: Uint8Array;
  readonly #view: DataView;
  #at: number;

  constructor(body: Uint8Array, length: string) {
    const end = /^\d{1,15}$/.test(length) ? Number(length) : Number.NaN;
    if (!(end <= body.length)) throw invalid(`the header ${JSON_LENGTH} is not the length of the JSON in the body`);
    this.json = body.subarray(0, end);
    this.#view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    this.#at = end;
  }

  /** The values of the next tensor, which has so many bytes. */
  take(datatype: string, size: unknown): unknown[] {
    const start = this.#at;
    if (!Number.isSafeInteger(size) || (size as number) < 0 || (size as number) > this.#view.byteLength - start)
      throw invalid('binary_data_size must be the bytes of the tensor behind the JSON');
    this.#at += size as number;
    if (datatype === 'BYTES') return this.#textsFrom(start);
    const [width, read] = READERS[datatype] as (typeof READERS)[string];
    if ((size as number) % width !== 0) throw invalid(`${size} bytes are no whole number of ${datatype}`);
    return Array.from({ length: (size as number) / width }, (_, i) => read(this.#view, start + i * width));
  }

  /** Refuses bytes that belong to no tensor. */
  end(): void {
    const rest = this.#view.byteLength - this.#at;
    if (rest > 0) throw invalid(`${rest} bytes behind the JSON belong to no input: set binary_data_size`);
  }

  /** Texts up to where the tensor ends, each behind its length. */
  #textsFrom(start: number): string[] {
    const texts: string[] = [];
    const { buffer, byteOffset } = this.#view;
    for (let at = start; at < this.#at; ) {
      const length = this.#at - at < 4 ? Infinity : this.#view.getUint32(at, true);
      if (length > this.#at - at - 4) throw invalid('a text of BYTES is longer than its tensor');
      try {
        const bytes = new Uint8Array(buffer, byteOffset + at + 4, length);
        texts.push(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      } catch {
        throw new HttpError(400, 'BODY_NOT_UTF8', 'a text of BYTES is not UTF-8');
      }
      at += 4 + length;
    }
    return texts;
  }
}

/** JSON and the data behind it, as one body with the length of the JSON. */
export function joined(json: string, parts: readonly ArrayBufferView<ArrayBuffer>[]): { body: Bytes; length: number } {
  const head = new TextEncoder().encode(json);
  const body = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, head.length));
  body.set(head);
  let at = head.length;
  for (const { buffer, byteOffset, byteLength } of parts) {
    body.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return { body, length: head.length };
}

/** A number of 16 bits: a sign, 5 bits of exponent and 10 of fraction. */
function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

function invalid(message: string): HttpError {
  return new HttpError(400, 'BODY_INVALID', message);
}
