// The builds that come with the package: as text in the code, so that no file can go missing when the
// package is bundled. They are much alike: two of them are kept as what differs from the third. Other
// entries have another file in place of this one.
import { parts as relaxed } from '../../../build/relaxed.wasm?beside=simd';
import { parts as scalar } from '../../../build/scalar.wasm?beside=simd';
import { parts as simd } from '../../../build/simd.wasm';
import type { Binary, Build } from './build.js';

const PARTS: Record<Build, Parameters<typeof decode>[0]> = { relaxed, simd, scalar };

const decoded = new Map<Build, Uint8Array<ArrayBuffer>>();

export function included(build: Build): Binary | undefined {
  let bytes = decoded.get(build);
  if (bytes === undefined) {
    bytes = build === 'simd' ? decode(PARTS.simd) : decode(PARTS[build], included('simd') as Uint8Array);
    decoded.set(build, bytes);
  }
  return bytes;
}

/** Puts bytes together from hexadecimal text and [start, length] of ranges of others. */
function decode(
  parts: ReadonlyArray<string | readonly number[]>,
  others: Uint8Array = new Uint8Array(),
): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length / 2 : (part[1] as number)), 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      for (let i = 0; i < part.length; i += 2) bytes[at++] = 16 * digit(part, i) + digit(part, i + 1);
    } else {
      const [start, length] = part as [number, number];
      bytes.set(others.subarray(start, start + length), at);
      at += length;
    }
  }
  return bytes;
}

function digit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : code - 0x57; // 0 to 9, a to f
}
