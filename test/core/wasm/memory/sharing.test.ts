// Code for memory that several threads work on is the same code: only what it says of its memory differs.
import { describe, expect, it } from 'vitest';
import { binary } from '../../../../src/core/wasm/binaries.js';
import { forSharedMemory } from '../../../../src/core/wasm/memory/sharing.js';

const code = binary('simd') as Uint8Array<ArrayBuffer>;
const memory = (shared: boolean) => new WebAssembly.Memory({ initial: 1, maximum: 65536, shared });
const run = (bytes: Uint8Array<ArrayBuffer>, env: object) =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes), { env } as WebAssembly.Imports);

/** A module that begins with these sections, each an id and its bytes. */
const moduleOf = (...sections: ReadonlyArray<readonly [id: number, ...bytes: number[]]>) =>
  Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, ...sections.flatMap(([id, ...bytes]) => [id, bytes.length, ...bytes]));

describe('a build for shared memory', () => {
  it('differs in one byte, and runs on shared memory only', () => {
    const shared = forSharedMemory(code) as Uint8Array<ArrayBuffer>;
    expect(shared.filter((byte, i) => byte !== code[i])).toHaveLength(1);
    expect(() => run(shared, { memory: memory(true) })).not.toThrow();
    expect(() => run(shared, { memory: memory(false) })).toThrow(WebAssembly.LinkError);
    expect(() => run(code, { memory: memory(true) })).toThrow(WebAssembly.LinkError);
  });

  it('is not made of code whose memory is its own, has no limit, or is not all that it imports', () => {
    const memoryImport = [1, 109, 1, 110, 2] as const;
    expect(forSharedMemory(moduleOf([5, 1, 1, 1, 2]))).toBeUndefined();
    expect(forSharedMemory(moduleOf([2, 1, ...memoryImport, 0, 1]))).toBeUndefined();
    expect(forSharedMemory(moduleOf([2, 2, ...memoryImport, 1, 1, 2, ...memoryImport, 1, 1, 2]))).toBeUndefined();
    expect(forSharedMemory(moduleOf([2, 1, ...memoryImport, 1, 1, 2]))).toEqual(
      moduleOf([2, 1, ...memoryImport, 3, 1, 2]),
    );
  });
});
