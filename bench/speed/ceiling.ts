// The register ceiling: how many multiply-adds a second this machine does in WebAssembly when nothing
// has to be loaded. Ten independent chains, as one alone would wait for its own latency.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Node 20 runs relaxed SIMD only when V8 is told to.
if (Number(process.versions.node.split('.')[0]) < 22) setFlagsFromString('--experimental-wasm-relaxed-simd');

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

function source(): string {
  return `export function ceiling(p: usize, n: i32): f32 {
  const x = v128.load(p), y = v128.load(p + 16);
  let ${NAMES.map((name) => `${name} = x`).join(', ')};
  for (let t = 0; t < n; t++) {
    ${NAMES.map((name) => `${name} = f32x4.relaxed_madd(x, y, ${name});`).join(' ')}
  }
  return f32x4.extract_lane(${NAMES.reduce((sum, name) => `f32x4.add(${sum}, ${name})`)}, 0);
}`;
}

type Ceiling = (address: number, steps: number) => number;

function compile(): Ceiling {
  const folder = mkdtempSync('build/ceiling-');
  const input = join(folder, 'ceiling.ts');
  const output = join(folder, 'ceiling.wasm');
  writeFileSync(input, source());
  const features = 'simd,relaxed-simd';
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
export function ceilingMeter(): () => number {
  const ceiling = compile();
  for (let i = 0; i < 300; i++) ceiling(16, 10_000);
  return () => {
    const start = performance.now();
    for (let i = 0; i < 30; i++) ceiling(16, 100_000);
    return (30 * 100_000 * 4 * NAMES.length) / (performance.now() - start) / 1e6;
  };
}
