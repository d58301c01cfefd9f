// Compiles assembly/ as asconfig.json describes. The compiler prints some mistakes and still exits with 0, so the
// script checks that the file was written.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { contractOf, readSources } from './contract.js';

const file = 'build/simd.wasm';
rmSync(file, { force: true });
const compile = ['node_modules/assemblyscript/bin/asc.js', 'assembly/index.ts', '--target', 'simd'];
const output = execFileSync(process.execPath, compile, { encoding: 'utf8' });
if (!existsSync(file)) throw new Error(`asc wrote no ${file}: ${output}`);
console.log(`${file}: ${statSync(file).size} bytes`);

writeFileSync('src/core/wasm/contract.ts', contractOf(readSources('assembly')));
