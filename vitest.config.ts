import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { wasmAsBase64 } from './scripts/wasm-plugin.js';

export default defineConfig({
  plugins: [wasmAsBase64()],
  // The benchmarks use the library by its name; under test that is the source.
  resolve: { alias: { curvad: fileURLToPath(new URL('src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
