import type { Packed } from '../src/core/wasm/unpack.js';

export declare function pack(files: readonly Uint8Array[]): Packed;
