// LZ4 frames, as Arrow files are mostly packed with them. Blocks may refer to bytes of the blocks before, so
// all are unpacked into one output. Every length and distance is checked: the bytes are a stranger's.

const MAGIC = 0x184d2204;

/** Unpacks a frame into so many bytes. */
export function unpackLz4Frame(input: Uint8Array, length: number): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  if (input.length < 7 || view.getUint32(0, true) !== MAGIC) throw new Error('an LZ4 frame is damaged');
  const flags = input[4] as number;
  const hasBlockChecksums = (flags & 0x10) !== 0;
  let at = 7 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0);
  const output = new Uint8Array(length);
  let written = 0;
  while (at + 4 <= input.length) {
    const word = view.getUint32(at, true);
    if (word === 0) break;
    const size = word & 0x7fffffff;
    at += 4;
    if (at + size > input.length) throw new Error('an LZ4 frame is cut off');
    const block = input.subarray(at, at + size);
    if (word >>> 31 === 1) {
      output.set(block, written);
      written += size;
    } else written = unpackBlock(block, output, written);
    at += size + (hasBlockChecksums ? 4 : 0);
  }
  if (written !== length) throw new Error('an LZ4 frame has not the length it should');
  return output;
}

function unpackBlock(input: Uint8Array, output: Uint8Array, start: number): number {
  let at = 0;
  let to = start;
  const extended = (nibble: number): number => {
    let total = nibble;
    if (nibble === 15) {
      let byte = 255;
      while (byte === 255) total += byte = input[at++] ?? 0;
    }
    return total;
  };
  while (at < input.length) {
    const token = input[at++] as number;
    const literals = extended(token >> 4);
    if (at + literals > input.length || to + literals > output.length) throw new Error('an LZ4 block is damaged');
    output.set(input.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    if (at >= input.length) break;
    const distance = (input[at] as number) | ((input[at + 1] ?? 0) << 8);
    at += 2;
    const end = to + extended(token & 15) + 4;
    if (distance === 0 || distance > to || end > output.length) throw new Error('an LZ4 block is damaged');
    for (; to < end; to++) output[to] = output[to - distance] as number; // may overlap: byte by byte
  }
  return to;
}
