// What the readers take: files, Blobs, responses, streams and buffers, each as an Origin.
import { CurvadError, describe } from '../core/errors.js';
import { type ByteSource, type Chunks, chunksOf, type Origin } from './source.js';

/** A File or Blob, a Response, a stream or other asynchronous chunks of bytes, a buffer, or bytes at any place. */
export type FileInput = Blob | Response | ReadableStream<Uint8Array> | Chunks | ArrayBufferView | ByteSource;

/** Tells what was given by its shape, so that objects of other realms are taken too. */
export function originOf(input: FileInput, name: string | undefined): Origin {
  if (ArrayBuffer.isView(input)) return fromBytes(bufferOf(input), name ?? '');
  if (typeof input !== 'object' || input === null) throw wrongInput(input);
  if ('getReader' in input || Symbol.asyncIterator in input) return fromStream(input, name ?? '', undefined);
  if ('arrayBuffer' in input && 'size' in input) return fromBlob(input, name);
  if ('arrayBuffer' in input && 'headers' in input) return fromResponse(input, name);
  if ('byteLength' in input && typeof input.slice === 'function') return fromBytes(input, name ?? '');
  throw wrongInput(input);
}

function wrongInput(input: unknown): CurvadError {
  return new CurvadError(
    'INPUT_TYPE',
    `the file must be a File, Blob, Response, stream, Uint8Array, ArrayBuffer or { byteLength, slice }, got ${describe(input)}`,
  );
}

/** The bytes of a view, copied where they are part of a larger buffer. */
function bufferOf({ buffer, byteOffset, byteLength }: ArrayBufferView): ByteSource {
  return {
    byteLength,
    slice: (start, end = byteLength) => buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer,
  };
}

export function fromBytes(bytes: ByteSource, name: string): Origin {
  return { name, bytes, size: bytes.byteLength, chunks: () => chunksOf(bytes) };
}

function fromBlob(blob: Blob, name: string | undefined): Origin {
  const bytes = {
    byteLength: blob.size,
    slice: (start: number, end?: number) => blob.slice(start, end).arrayBuffer(),
  };
  return fromBytes(bytes, name ?? ('name' in blob ? String(blob.name) : ''));
}

function fromResponse(response: Response, name: string | undefined): Origin {
  if (!response.ok)
    throw new CurvadError('FILE_FORMAT', `the response is no file: it has the status ${response.status}`);
  if (response.body === null) throw new CurvadError('FILE_EMPTY', 'the response has no body: there is nothing to read');
  if (response.bodyUsed) throw new CurvadError('INPUT_TYPE', 'the body of the response was read before');
  const length = response.headers.get('content-length');
  const isPlain = response.headers.get('content-encoding') === null;
  const path = response.url.split(/[?#]/, 1)[0] as string;
  return fromStream(
    response.body,
    name ?? path.slice(path.lastIndexOf('/') + 1),
    isPlain && length !== null && /^\d+$/.test(length) ? Number(length) : undefined,
  );
}

function fromStream(stream: ReadableStream<Uint8Array> | Chunks, name: string, size: number | undefined): Origin {
  const chunks = 'getReader' in stream ? () => readAll(stream) : () => checked(stream);
  return { name, bytes: undefined, size, chunks };
}

/** Not every browser can iterate over a stream. */
async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const next = await reader.read();
      isDone = next.done;
      if (next.done) return;
      yield bytesOf(next.value);
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => {});
  }
}

async function* checked(chunks: Chunks): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield bytesOf(chunk);
}

function bytesOf(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk)) return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new CurvadError('INPUT_TYPE', `the chunks of a file must be Uint8Array, got ${describe(chunk)}`);
}

/** The name of an input that has one. */
export function nameOf(input: FileInput): string {
  return 'name' in input && typeof input.name === 'string' ? input.name : '';
}
