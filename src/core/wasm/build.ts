// The builds of assembly/ by name.

export type Build = 'relaxed' | 'simd';

/** A build, as bytes or already compiled. */
export type Binary = Uint8Array<ArrayBuffer> | WebAssembly.Module;
