// The parts of dist/ that are not bundled: the WebAssembly files for those who host them themselves, and
// for CommonJS its own mark and types.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';

mkdirSync('dist/wasm', { recursive: true });
for (const build of ['simd', 'relaxed']) cpSync(`build/${build}.wasm`, `dist/wasm/${build}.wasm`);
cpSync('dist/types', 'dist/cjs/types', { recursive: true });
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
