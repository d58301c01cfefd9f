// The parts of dist/ that are not bundled: the WebAssembly files for those who host them themselves, and
// for CommonJS its own mark and types; the licences of what the command contains.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

mkdirSync('dist/wasm', { recursive: true });
for (const build of ['simd', 'relaxed']) cpSync(`build/${build}.wasm`, `dist/wasm/${build}.wasm`);
cpSync('dist/types', 'dist/cjs/types', { recursive: true });
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');

const CONTAINED = [
  'hyparquet',
  'hyparquet-writer',
  'hyparquet-compressors',
  'hysnappy',
  'fzstd',
  '@uwdata/flechette',
  'ml-matrix',
];
const licences = CONTAINED.map((name) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}\n`;
});
writeFileSync('dist/cli-licences.txt', licences.join(`\n${'-'.repeat(80)}\n\n`));
