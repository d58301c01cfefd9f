// The build turns imported .wasm files into text.
declare module '*.wasm?beside=simd,scalar' {
  export const packed: import('./unpack.js').Packed;
}

// For Cloudflare Workers: the compiled module.
declare module '*.wasm?module' {
  export const compiled: WebAssembly.Module;
}
