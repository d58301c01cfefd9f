// Where bytes come from: a descriptor, read straight to where they belong, or any stream of chunks.
import { readSync } from 'node:fs';

export interface ByteSource {
  /** Fills the array from its start as far as bytes have come; how many, 0 where nothing comes any more. */
  read(into: Uint8Array): number | Promise<number>;
}

/** The chunks of a stream. */
export class ChunkSource implements ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#chunks = input[Symbol.asyncIterator]();
  }

  async read(into: Uint8Array): Promise<number> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return 0;
      this.#chunk = value;
    }
    const taken = this.#chunk.subarray(0, into.length);
    into.set(taken);
    this.#chunk = this.#chunk.subarray(taken.length);
    return taken.length;
  }
}

/**
 * A descriptor that is read while nothing else is to be done: streams of Node.js make a chunk of memory of every 64 KB,
 * and all of it is copied once more. Where a descriptor does not wait for bytes, the stream takes over.
 */
export class DescriptorSource implements ByteSource {
  readonly #descriptor: number;
  readonly #streamOf: () => AsyncIterable<Uint8Array>;
  #stream: ChunkSource | undefined;

  constructor(descriptor: number, streamOf: () => AsyncIterable<Uint8Array>) {
    this.#descriptor = descriptor;
    this.#streamOf = streamOf;
  }

  read(into: Uint8Array): number | Promise<number> {
    if (this.#stream !== undefined) return this.#stream.read(into);
    try {
      return readSync(this.#descriptor, into);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0; // how Windows tells that a pipe has ended
      if (code !== 'EAGAIN') throw error;
      this.#stream = new ChunkSource(this.#streamOf());
      return this.#stream.read(into);
    }
  }
}
