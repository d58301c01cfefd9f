// The build turns an imported .wasm file into text: hexadecimal, and ranges of another build.
declare module '*.wasm' {
  export const parts: ReadonlyArray<string | readonly number[]>;
}

declare module '*.wasm?beside=simd' {
  export const parts: ReadonlyArray<string | readonly number[]>;
}

// For Cloudflare Workers: the compiled module.
declare module '*.wasm?module' {
  export const compiled: WebAssembly.Module;
}
