// The one place that knows the file system: files by their path, for Node, Deno and Bun.
import { constants, createReadStream } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { stdin } from 'node:process';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import type { Table } from '../tables/table.js';
import type { FileInput } from './input.js';
import type { ReadOptions } from './options.js';
import { checkedOptions } from './options.js';
import { readOrigin, readTable as readTableOf } from './read.js';
import { readEach, type TableFiles } from './several.js';
import type { ByteSource, Chunks, Origin } from './source.js';

export * from './index.js';

const CHUNK = 2 ** 18;

/** A file as an origin, or standard input for "-". */
export async function originAt(path: string): Promise<Origin> {
  if (path === '-') return { name: '-', bytes: undefined, size: undefined, chunks: () => stdin, gunzip };
  const found = await stat(path);
  if (found.isDirectory()) throw new CurvadError('FILE_FORMAT', `${quote(path)} is a folder, not a file`);
  await access(path, constants.R_OK);
  const chunks = () => createReadStream(path, { highWaterMark: CHUNK });
  const size = found.isFile() ? found.size : undefined;
  return { name: path, bytes: size === undefined ? undefined : bytesOf(path, size), size, chunks, gunzip };
}

/** Opened for each piece: nothing is left to close. */
function bytesOf(path: string, size: number): ByteSource {
  return {
    byteLength: size,
    async slice(start, end = size) {
      const file = await open(path);
      try {
        const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
        let at = 0;
        while (at < bytes.length) {
          const { bytesRead } = await file.read(bytes, at, bytes.length - at, start + at);
          if (bytesRead === 0) throw new CurvadError('FILE_DAMAGED', `${quote(path)} became shorter while it was read`);
          at += bytesRead;
        }
        return bytes.buffer;
      } finally {
        await file.close();
      }
    },
  };
}

/** Faster than DecompressionStream, and reads several gzip members in a row. */
async function* gunzip(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip({ chunkSize: CHUNK });
  const input = Readable.from(chunks, { objectMode: false });
  input.on('error', (error) => unpacked.destroy(error));
  yield* input.pipe(unpacked) as AsyncIterable<Uint8Array>;
}

/** Reads a table from a path, or from what the readers of every runtime take. */
export async function readTable(input: FileInput | string, options: ReadOptions = {}): Promise<Table> {
  if (typeof input !== 'string') return readTableOf(input, options);
  const checked = checkedOptions(options);
  return readOrigin(named(await originAt(input), checked.name ?? basename(input)), checked);
}

/** Reads files that have the same columns into one table, one below the other. */
export function readTables(inputs: ReadonlyArray<FileInput | string>, options: ReadOptions = {}): Promise<TableFiles> {
  return readEach(inputs, options, readTable);
}

function named(origin: Origin, name: string): Origin {
  return { ...origin, name };
}
