import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { boundedParquet } from './scripts/bounded-parquet-plugin.js';
import { threadSources } from './scripts/thread-plugin.js';
import { wasmAsBase64 } from './scripts/wasm-plugin.js';

export default defineConfig({
  plugins: [wasmAsBase64(), threadSources(), boundedParquet()],
  // The benchmarks use the library by its name; under test that is the source.
  resolve: {
    alias: [
      { find: /^curvad$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
      { find: /^curvad\/(\w+)$/, replacement: fileURLToPath(new URL('src/$1/index.ts', import.meta.url)) },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // One for each core: by default vitest leaves one idle.
    maxWorkers: '100%',
    // Otherwise packages are loaded as they are, without what boundedParquet mends.
    server: { deps: { inline: ['hyparquet'] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
