// Compiles assembly/ as asconfig.json describes: to three builds, and the module that unpacks them. The compiler
// prints some mistakes and still exits with 0, so each file is looked for.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { contractOf, readSources } from './contract.js';

const ENTRIES = { scalar: 'index.ts', simd: 'index.ts', relaxed: 'index.ts', unpack: 'unpack.ts' };

for (const [target, entry] of Object.entries(ENTRIES)) {
  const file = `build/${target}.wasm`;
  rmSync(file, { force: true });
  const compile = ['node_modules/assemblyscript/bin/asc.js', `assembly/${entry}`, '--target', target];
  const output = execFileSync(process.execPath, compile, { encoding: 'utf8' });
  if (!existsSync(file)) throw new Error(`asc wrote no ${file}: ${output}`);
  console.log(`${file}: ${statSync(file).size} bytes`);
}

writeFileSync('src/core/wasm/contract.ts', contractOf(readSources('assembly')));
