// Unpacks the files that scripts/pack.js packed, with a small module that comes along (assembly/unpack.ts): compiled
// code needs no time to get fast.

export interface Packed {
  /** The module, in base64. */
  readonly unpacker: string;
  /** Of the files, in bytes. */
  readonly sizes: readonly number[];
  /** What the module makes the files of, all together. */
  readonly code: string;
}

/** Bytes the module needs for what it learns, at least. The code is behind them. */
const CONTEXTS = 2 ** 18 + 4096;
const PAGE = 65536;

/** The files, in the order they were packed in. Throws where the runtime refuses to compile. */
export function unpack({ unpacker, sizes, code }: Packed): Uint8Array<ArrayBuffer>[] {
  const start = CONTEXTS + code.length + 1;
  const end = sizes.reduce((sum, size) => sum + size, start);
  const pages = Math.ceil(end / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(new TextEncoder().encode(code), CONTEXTS);
  const module = new WebAssembly.Module(Uint8Array.from(atob(unpacker), (character) => character.charCodeAt(0)));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  (exports['unpack'] as (code: number, from: number, to: number) => void)(CONTEXTS, start, end);
  let at = start;
  return sizes.map((size) => {
    at += size;
    return bytes.slice(at - size, at);
  });
}
