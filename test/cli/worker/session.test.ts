// What a session answers where bytes or requests are wrong: an error in the answer, or the end of the session, soon and
// without taking memory for what a message only tells of.
import { columnFromArray, float64, tableFromColumns, tableFromIPC, tableToIPC } from '@uwdata/flechette';
import { describe, expect, it } from 'vitest';
import { ChunkSource } from '../../../src/cli/worker/bytes.js';
import { MessageReader, OutOfStep } from '../../../src/cli/worker/messages.js';
import { Session } from '../../../src/cli/worker/session.js';

const ROWS = Array.from({ length: 12 }, (_, i) => [i, i * i]);

function streamOf(request: object): Buffer {
  const columns = [0, 1].map((j) => [
    'ab'[j],
    columnFromArray(
      ROWS.map((row) => row[j] as number),
      float64(),
    ),
  ]);
  const table = tableFromColumns(columns as never);
  table.schema.metadata = new Map([['curvad', JSON.stringify(request)]]);
  return Buffer.from(tableToIPC(table, { format: 'stream' }) as Uint8Array);
}

const FIT = { call: 'fit', key: 'knn', detector: 'KNN', options: { neighbors: 3 } };

/** The errors of the answers to streams, and what ended the session. */
async function errorsOf(bytes: Buffer): Promise<{ errors: unknown[]; end: unknown }> {
  const errors: unknown[] = [];
  let parts: Uint8Array[] = [];
  const write = async (part: Uint8Array): Promise<void> => {
    parts.push(part.slice());
    if (part.length !== 8) return;
    const text = Array.from(tableFromIPC(Buffer.concat(parts)).getChild('error') ?? []).at(-1) as string | null;
    errors.push(text == null ? null : JSON.parse(text));
    parts = [];
  };
  let end: unknown;
  await new Session(undefined, undefined)
    .serve(
      new MessageReader(
        new ChunkSource(
          (async function* () {
            yield bytes;
          })(),
        ),
      ),
      write,
    )
    .catch((error: unknown) => {
      end = error;
    });
  return { errors, end };
}

describe('a session', () => {
  it('answers a stream that is right', async () => {
    expect(await errorsOf(streamOf(FIT))).toEqual({ errors: [null], end: undefined });
  });

  it.each([2 ** 30, 2 ** 31 - 1, -1])('ends soon whatever number of its metadata is %i', async (lie) => {
    const stream = streamOf(FIT);
    const before = process.cpuUsage();
    for (let at = 8; at < stream.length - 8; at += 4) {
      const damaged = Buffer.from(stream);
      damaged.writeInt32LE(lie, at);
      const { errors, end } = await errorsOf(damaged);
      if (end !== undefined) expect(end).toBeInstanceOf(OutOfStep);
      for (const error of errors) expect(error).not.toMatchObject({ code: 'FAILED' });
    }
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20);
  });

  it.each([1e100, 0, -1, 0.5, '3', null])('refuses to find landmarks among %s rows', async (count) => {
    const request = { call: 'landmarks', detector: 'LandmarkCAD', options: { landmarks: 8 }, count };
    const { errors } = await errorsOf(Buffer.concat([streamOf(request), streamOf(FIT)]));
    expect(errors).toEqual([expect.objectContaining({ code: 'COUNT_INVALID' }), null]);
  });
});
