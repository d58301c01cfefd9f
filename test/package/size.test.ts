// What users download: the builds and the library entry stay small.
import { readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { included } from '../../src/core/wasm/included.js';

const KB = 1024;

describe('the size of the package', () => {
  it.each(['scalar', 'simd', 'relaxed'])('keeps the %s build at 48 KB or less', (build) => {
    expect(statSync(`build/${build}.wasm`).size).toBeLessThanOrEqual(48 * KB);
  });

  it('keeps the library entry, minified and gzipped with all three builds inlined, at 80 KB or less', async () => {
    const source = readFileSync('dist/index.js', 'utf8');
    expect(source).toContain(readFileSync('build/simd.wasm').toString('hex'));
    for (const build of ['scalar', 'simd', 'relaxed'] as const)
      expect(included(build)).toEqual(new Uint8Array(readFileSync(`build/${build}.wasm`)));
    expect(source).not.toMatch(/^import .* from ['"](?!node:)/m);
    const { code } = await transform(source, { minify: true, format: 'esm' });
    const size = gzipSync(code, { level: 9 }).length;
    console.log(`library entry: ${(size / KB).toFixed(1)} KB minified and gzipped`);
    expect(size).toBeLessThanOrEqual(80 * KB);
  });
});
