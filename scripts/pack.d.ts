import type { Packed } from '../src/core/wasm/unpack.js';

export declare function pack(files: readonly (readonly Uint8Array[])[]): Packed;
export declare function inPieces(files: readonly Uint8Array[]): Uint8Array[][];
