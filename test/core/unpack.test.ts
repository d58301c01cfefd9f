// What is packed at build time is unpacked again, byte for byte.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pack } from '../../scripts/pack.js';
import { unpack } from '../../src/core/wasm/unpack.js';

const BUILDS = ['relaxed', 'simd', 'scalar'].map((name) => new Uint8Array(readFileSync(`build/${name}.wasm`)));
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** Many, with little to copy. */
const ODD_BYTES = Uint8Array.from({ length: 100_000 }, (_, i) => Math.imul(i, i) >> 7);

const repeated = (times: number): Uint8Array => Uint8Array.from({ length: 256 * times }, (_, i) => i % 256);

function expectUnpacked(files: readonly Uint8Array[]): void {
  expect(unpack(pack(files))).toEqual(files);
}

describe('packed files', () => {
  it('come out as they went in, whatever is in them', () => {
    const file = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300, max: 3 }), // with much to copy
    );
    fc.assert(fc.property(fc.array(file, { maxLength: 4 }), expectUnpacked), { numRuns: 200 });
  });

  it.each([
    ['every byte', EVERY_BYTE],
    ['every byte, backwards', EVERY_BYTE.slice().reverse()],
    ['one byte', Uint8Array.of(255)],
    ['no byte', new Uint8Array(0)],
    ['every byte many times', repeated(20)],
    ['one byte many times', new Uint8Array(5000).fill(7)],
    ['a copy from far back', Uint8Array.from([...EVERY_BYTE, ...ODD_BYTES, ...EVERY_BYTE])],
  ])('come out as they went in: %s', (_, bytes) => {
    expectUnpacked([bytes]);
    expectUnpacked([bytes, Uint8Array.of(7), bytes]);
  });

  it('are the builds, in less than half the space of one', () => {
    const packed = pack(BUILDS);
    expect(unpack(packed)).toEqual(BUILDS);
    expect(packed.code.length * (Math.log2(91) / 8)).toBeLessThan((BUILDS[0] as Uint8Array).length / 2);
  });

  it('take hardly more space for a file that is there twice', () => {
    const [build] = BUILDS as [Uint8Array];
    expect(pack([build, build]).code.length).toBeLessThan(1.01 * pack([build]).code.length);
  });

  it('are text that needs no escapes', () => {
    const { code, unpacker } = pack([...BUILDS, EVERY_BYTE]);
    for (const text of [code, unpacker]) expect(JSON.stringify(text)).toBe(`"${text}"`);
    expect(code).toMatch(/^[#-~]+$/);
  });
});
