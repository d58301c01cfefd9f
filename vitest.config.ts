import { defineConfig } from 'vitest/config';
import { threadSources } from './scripts/thread-plugin.js';
import { wasmAsText } from './scripts/wasm-plugin.js';

export default defineConfig({
  plugins: [wasmAsText(), threadSources()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
