// The parts of dist/ that are not bundled: the WebAssembly file for those who host them themselves, and
// for CommonJS its own mark and types.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';

mkdirSync('dist/wasm', { recursive: true });
cpSync('build/simd.wasm', 'dist/wasm/simd.wasm');
cpSync('dist/types', 'dist/cjs/types', { recursive: true });
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
