// Runs before `npm start` and `npm test`, with nothing but Node and npm: installs the dependencies and builds, each only if
// its inputs have changed since it last ran.
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const INSTALL = ['package.json', 'package-lock.json'];
const WASM = ['assembly', 'asconfig.json', 'package-lock.json', 'scripts/build-wasm.js', 'scripts/contract.js'];
const LIBRARY = [...WASM, 'src', 'scripts', 'rollup.config.js', 'tsconfig.json', 'tsconfig.types.json'];

// A fresh clone gets exactly the versions of the lock file; an existing tree is only updated, which is faster.
const install = existsSync('node_modules') ? 'npm install' : 'npm ci';
step('Installing dependencies', INSTALL, 'node_modules/.curvad-installed', `${install} --no-audit --no-fund`);
// The build also writes contract.ts outside of build/: without it, build again.
if (!existsSync('src/core/wasm/contract.ts')) rmSync('build/.done', { force: true });
step('Compiling the WebAssembly core', WASM, 'build/.done', 'npm run --silent build:wasm');
step('Bundling the library', LIBRARY, 'dist/.done', 'npm run --silent build:library');

/** Runs a command unless the stamp it left last time still matches its inputs. */
function step(what, inputs, stamp, command) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(inputs)) return;
  console.log(`curvad: ${what} …`);
  try {
    execSync(command, { stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    console.error(`${error.stdout ?? ''}${error.stderr ?? ''}`);
    console.error(`curvad: this failed: ${command}`);
    process.exit(1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, fingerprint(inputs));
}

function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths.filter(existsSync).flatMap(filesUnder)) hash.update(path).update(readFileSync(path));
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}
