// Compiles assembly/ to the three builds that asconfig.json describes. The compiler prints some mistakes
// and still exits with 0, so each file is looked for.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';

for (const target of ['scalar', 'simd', 'relaxed']) {
  const file = `build/${target}.wasm`;
  rmSync(file, { force: true });
  const output = execFileSync(process.execPath, ['node_modules/assemblyscript/bin/asc.js', '--target', target], {
    encoding: 'utf8',
  });
  if (!existsSync(file)) throw new Error(`asc wrote no ${file}: ${output}`);
  console.log(`${file}: ${statSync(file).size} bytes`);
}
