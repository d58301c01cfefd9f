// Bytes of a descriptor: read in place, and by a stream where the descriptor does not wait for them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { afterAll, describe, expect, it } from 'vitest';
import { type ByteSource, DescriptorSource } from '../../../src/cli/worker/bytes.js';

const directory = mkdtempSync(join(tmpdir(), 'curvad-bytes-'));
afterAll(() => rmSync(directory, { recursive: true }));

const never = (): never => {
  throw new Error('no stream is needed');
};

async function read(source: ByteSource, count: number): Promise<string> {
  const bytes = new Uint8Array(count);
  let at = 0;
  for (let taken = -1; at < count && taken !== 0; at += taken) taken = await source.read(bytes.subarray(at));
  return Buffer.from(bytes.subarray(0, at)).toString();
}

describe('a descriptor', () => {
  it('is read to its end', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, 'abcdef');
    const source = new DescriptorSource(openSync(file, 'r'), never);
    expect(await read(source, 4)).toBe('abcd');
    expect(await read(source, 4)).toBe('ef');
    expect(await source.read(new Uint8Array(1))).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('that does not wait for bytes is read by a stream', async () => {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const descriptor = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const source = new DescriptorSource(descriptor, () => new Socket({ fd: descriptor }));
    writeSync(writer, 'ab');
    expect(await read(source, 2)).toBe('ab');
    setTimeout(() => writeSync(writer, 'cdef'), 50);
    expect(await read(source, 3)).toBe('cde');
    expect(await read(source, 1)).toBe('f');
    closeSync(writer);
  });
});

it.each(['SIGTERM', 'SIGINT'] as const)('a worker that waits for bytes ends with %s', async (signal) => {
  const worker = spawn(process.execPath, ['dist/cli.js', 'worker'], { stdio: ['pipe', 'pipe', 'inherit'] });
  worker.stdin.write(tableToIPC(tableFromArrays({ a: [1] }), { format: 'stream' }) as Uint8Array);
  await once(worker.stdout, 'data'); // it said that it knows no such call
  worker.kill(signal);
  expect(await once(worker, 'exit')).toEqual([null, signal]);
});
