// LZ4 frames, written by hand after the description of the format.
import { describe, expect, it } from 'vitest';
import { unpackLz4Frame } from '../../src/files/lz4.js';

const HEADER = [0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0xc0];
const block = (bytes: readonly number[], isPacked = true) => [bytes.length, 0, 0, isPacked ? 0 : 0x80, ...bytes];
const frame = (...blocks: readonly (readonly number[])[]) => Uint8Array.from([...HEADER, ...blocks.flat(), 0, 0, 0, 0]);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const letters = (word: string) => [...Buffer.from(word)];

describe('LZ4 frames', () => {
  it('are unpacked: literals, repetitions that overlap, blocks that refer to those before, plain blocks', () => {
    // 2 literals, then 8 bytes from 2 back; then 1 literal.
    const repeated = block([0x24, ...letters('ab'), 2, 0, 0x10, ...letters('!')]);
    expect(text(unpackLz4Frame(frame(repeated), 11))).toBe('ababababab!');
    // No literals, 4 bytes from 11 back: into the block before; then 2 literals.
    const linked = block([0x00, 11, 0, 0x20, ...letters('..')]);
    expect(text(unpackLz4Frame(frame(repeated, linked), 17))).toBe('ababababab!abab..');
    expect(
      text(unpackLz4Frame(frame(block(letters('plain'), false), linked.length ? block([0x10, 0x41]) : []), 6)),
    ).toBe('plainA');
    const long = block([0xf0, 5, ...letters('01234567890123456789')]);
    expect(text(unpackLz4Frame(frame(long), 20))).toBe('01234567890123456789');
  });

  it.each([
    ['another magic', Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]), 4],
    ['a distance before the start', frame(block([0x14, 0x41, 9, 0, 0x10, 0x42])), 10],
    ['a distance of zero', frame(block([0x14, 0x41, 0, 0, 0x10, 0x42])), 10],
    ['more bytes than announced', frame(block([0x20, 0x41, 0x42])), 1],
    ['fewer bytes than announced', frame(block([0x20, 0x41, 0x42])), 3],
    ['a block that is cut off', frame(block([0x20, 0x41, 0x42])).subarray(0, 12), 2],
  ])('are refused with %s', (_, bytes, length) => {
    expect(() => unpackLz4Frame(bytes, length)).toThrow();
  });
});
