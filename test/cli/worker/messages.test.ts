// Arrow messages out of a stream of bytes: whatever pieces they come in, and when they tell of more than comes.
import { tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { describe, expect, it } from 'vitest';
import { ChunkSource } from '../../../src/cli/worker/bytes.js';
import { MessageReader } from '../../../src/cli/worker/messages.js';

const stream = (rows: number): Uint8Array =>
  tableToIPC(tableFromArrays({ a: Float64Array.from({ length: rows }, Math.sqrt) }), {
    format: 'stream',
  }) as Uint8Array;

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

describe('messages', () => {
  it.each([7, 1000, 2 ** 26])('are the bytes that came, in pieces of %i', async (size) => {
    const bytes = stream(size === 7 ? 20 : 3_000_000); // more than the first room
    const reader = new MessageReader(new ChunkSource(pieces(bytes, size)));
    const read: Uint8Array[] = [];
    for (let next = await reader.next(); next !== undefined && next !== 'end'; next = await reader.next())
      read.push(next.bytes);
    expect(Buffer.concat(read).equals(bytes.subarray(0, -8))).toBe(true);
  });

  it('that tell of 4 GB and end before them take no such memory', async () => {
    const bytes = stream(20);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const second = 8 + view.getUint32(4, true); // behind the schema
    const table = second + 8 + view.getInt32(second + 8, true);
    const fields = table - view.getInt32(table, true);
    view.setBigInt64(table + view.getUint16(fields + 4 + 2 * 3, true), 2n ** 32n, true);
    const before = process.memoryUsage().arrayBuffers;
    let taken = Infinity;
    async function* watched(): AsyncGenerator<Uint8Array> {
      yield* pieces(bytes, 100);
      taken = process.memoryUsage().arrayBuffers - before; // when more of the body is asked for
    }
    const reader = new MessageReader(new ChunkSource(watched()));
    await reader.next();
    await expect(reader.next()).rejects.toThrow(/ends in the middle/);
    expect(taken).toBeLessThan(2 ** 26);
  });
});
