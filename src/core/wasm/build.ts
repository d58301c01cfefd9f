// The builds of assembly/ by name.

export type Build = 'simd';

/** `WebAssembly.Module`, also in projects whose libraries do not declare it (Node without the DOM). */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

/** `WebAssembly.Memory`, likewise. */
export type WasmMemory = typeof globalThis extends { WebAssembly: { Memory: { prototype: infer Memory } } }
  ? Memory
  : object;

/** A build, as bytes or already compiled. */
export type Binary = Uint8Array<ArrayBuffer> | CompiledModule;
