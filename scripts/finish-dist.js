// Adds the parts of dist/ that are not bundled: the WebAssembly file for self-hosting, and the package.json and types of
// the CommonJS build.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';

mkdirSync('dist/wasm', { recursive: true });
cpSync('build/simd.wasm', 'dist/wasm/simd.wasm');
cpSync('dist/types', 'dist/cjs/types', { recursive: true });
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
