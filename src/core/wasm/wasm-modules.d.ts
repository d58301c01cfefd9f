// The build turns an imported .wasm file into its bytes as base64, so that no file can go missing when
// the package is bundled.
declare module '*.wasm' {
  export const base64: string;
}

// For Cloudflare Workers: the compiled module.
declare module '*.wasm?module' {
  export const compiled: WebAssembly.Module;
}
