// The build turns imported .wasm files into text (scripts/wasm-plugin.js).
declare module '*.wasm?base64' {
  export const base64: string;
}

// For Cloudflare Workers: the compiled module.
declare module '*.wasm?module' {
  export const compiled: WebAssembly.Module;
}
