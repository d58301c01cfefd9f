// Tests of the built page in real browsers.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['playground/test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    // Machines that run tests are busy, and browsers on them now and then miss a key or a frame.
    retry: 1,
    expect: { poll: { timeout: 20_000 } },
  },
});
