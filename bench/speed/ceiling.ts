// The register ceiling: how many multiply-adds a second this machine does in WebAssembly when nothing
// has to be loaded. Ten independent chains, as one alone would wait for its own latency.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

function source(multiplyAdd: string): string {
  return `export function ceiling(p: usize, n: i32): f32 {
  const x = v128.load(p), y = v128.load(p + 16);
  let ${NAMES.map((name) => `${name} = x`).join(', ')};
  for (let t = 0; t < n; t++) {
    ${NAMES.map((name) => `${name} = ${multiplyAdd.replaceAll('$', name)};`).join(' ')}
  }
  return f32x4.extract_lane(${NAMES.reduce((sum, name) => `f32x4.add(${sum}, ${name})`)}, 0);
}`;
}

type Ceiling = (address: number, steps: number) => number;

function compile(build: 'simd' | 'relaxed'): Ceiling {
  const fused = 'f32x4.relaxed_madd(x, y, $)';
  const unfused = 'f32x4.add($, f32x4.mul(x, v128.xor(y, $)))'; // so that the product is not hoisted
  const folder = mkdtempSync('build/ceiling-');
  const input = join(folder, 'ceiling.ts');
  const output = join(folder, 'ceiling.wasm');
  writeFileSync(input, source(build === 'relaxed' ? fused : unfused));
  const features = build === 'relaxed' ? 'simd,relaxed-simd' : 'simd';
  const options = [
    '--config',
    'none',
    '-O3',
    '--enable',
    features,
    '--runtime',
    'stub',
    '--initialMemory',
    '1',
    '--use',
    'abort=',
    '--outFile',
    output,
  ];
  execFileSync(process.execPath, ['node_modules/assemblyscript/bin/asc.js', input, ...options], { stdio: 'pipe' });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(output)));
  rmSync(folder, { recursive: true });
  return exports['ceiling'] as Ceiling;
}

/** Returns a function that measures 10⁹ multiply-adds a second, once. */
export function ceilingMeter(build: 'simd' | 'relaxed'): () => number {
  const ceiling = compile(build);
  for (let i = 0; i < 300; i++) ceiling(16, 10_000);
  return () => {
    const start = performance.now();
    for (let i = 0; i < 30; i++) ceiling(16, 100_000);
    return (30 * 100_000 * 4 * NAMES.length) / (performance.now() - start) / 1e6;
  };
}
