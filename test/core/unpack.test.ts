// What is packed at build time is unpacked again, byte for byte.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inPieces, pack } from '../../scripts/pack.js';
import { unpack } from '../../src/core/wasm/unpack.js';

const BUILDS = ['relaxed', 'simd', 'scalar'].map((name) => new Uint8Array(readFileSync(`build/${name}.wasm`)));
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);

const joined = (pieces: readonly Uint8Array[]): Uint8Array => Uint8Array.from(pieces.flatMap((piece) => [...piece]));

function expectUnpacked(files: readonly (readonly Uint8Array[])[]): void {
  const packed = pack(files);
  for (const [place, pieces] of files.entries()) {
    expect(unpack(packed, files.length, place)).toEqual(joined(pieces));
  }
}

describe('packed files', () => {
  it('come out as they went in, whatever is in them', () => {
    const piece = fc.uint8Array({ minLength: 1, maxLength: 300 });
    const files = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }))
      .chain(([count, pieces]) =>
        fc.array(fc.array(piece, { minLength: pieces, maxLength: pieces }), { minLength: count, maxLength: count }),
      );
    fc.assert(fc.property(files, expectUnpacked), { numRuns: 200 });
  });

  it.each([
    ['every byte', EVERY_BYTE],
    ['every byte, backwards', EVERY_BYTE.slice().reverse()],
    ['one byte, which has no character of its own', Uint8Array.of(255)],
    ['every byte many times', joined(Array.from({ length: 50 }, () => EVERY_BYTE))],
    ['mostly bytes that the others have few of', Uint8Array.from({ length: 9999 }, (_, i) => 128 + (i % 128))],
  ])('come out as they went in: %s', (_, bytes) => {
    expectUnpacked([[bytes]]);
    expectUnpacked([[bytes, Uint8Array.of(0)], [Uint8Array.of(7), bytes], [bytes, bytes]]); // biome-ignore format: pieces
  });

  it('hold a piece once that several of them have', () => {
    const { pieces } = pack([
      [EVERY_BYTE, Uint8Array.of(1)],
      [EVERY_BYTE, Uint8Array.of(2)],
    ]);
    expect(pieces.map((piece) => piece !== '')).toEqual([true, false, true, true]);
  });

  it('are text that needs no escapes', () => {
    const pieces = [inPieces(BUILDS), [[EVERY_BYTE]]].flatMap((files) => pack(files).pieces);
    for (const piece of pieces) expect(JSON.stringify(piece)).toBe(`"${piece}"`);
    expect(pieces.join('')).toMatch(/^[#-~]+$/);
  });
});

describe('files in pieces', () => {
  it('have as many each, none empty, and are whole again together', () => {
    const files = inPieces(BUILDS);
    expect(new Set(files.map(({ length }) => length)).size).toBe(1);
    expect(files[0]?.length).toBeGreaterThan(10); // the functions were found
    for (const [i, pieces] of files.entries()) {
      expect(pieces.every(({ length }) => length > 0)).toBe(true);
      expect(joined(pieces)).toEqual(BUILDS[i]);
    }
  });

  it('are in one piece where one of them has no functions', () => {
    const none = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    const files = inPieces([BUILDS[0] as Uint8Array, none]);
    expect(files.map((pieces) => joined(pieces))).toEqual([BUILDS[0], none]);
    expect(files.map(({ length }) => length)).toEqual([1, 1]);
  });
});
