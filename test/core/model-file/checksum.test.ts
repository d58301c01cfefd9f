// The checksum of model files against xxHash itself (the Python package, see test/fixtures/make.py).
import { describe, expect, it } from 'vitest';
import { checksum } from '../../../src/core/model-file/checksum.js';
import { fixture } from '../../support/data.js';

const { cases } = fixture<{ cases: Array<{ length: number; hash: number }> }>('checksum');

/** byte i = ((i · 2654435761) mod 2³²) >> 24, as the fixtures were made. */
function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Math.imul(i, 2654435761) >>> 24);
}

describe('checksum', () => {
  it.each(cases)('is XXH32 of $length bytes', ({ length, hash }) => {
    expect(checksum(pattern(length))).toBe(hash);
  });

  it.each(cases)('is the same for $length bytes at an odd place of a buffer', ({ length, hash }) => {
    for (const offset of [1, 3, 7]) {
      const buffer = new Uint8Array(length + 16).fill(0xff);
      buffer.set(pattern(length), offset);
      expect(checksum(buffer.subarray(offset, offset + length))).toBe(hash);
    }
  });

  it('changes with any single bit', () => {
    const bytes = pattern(61);
    const whole = checksum(bytes);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = bytes.slice();
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(checksum(changed), `bit ${bit}`).not.toBe(whole);
    }
  });
});
