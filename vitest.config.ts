import { defineConfig } from 'vitest/config';
import { wasmAsBase64 } from './scripts/wasm-plugin.js';

export default defineConfig({
  plugins: [wasmAsBase64()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
