// The packed package, as npm would publish it: packed once for all tests of a build, as that takes seconds.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './programs.js';

const CACHE = resolve('node_modules/.cache/curvad-packed');

/** The archive of the package as it is built now. */
export function packedArchive(): string {
  const archive = join(CACHE, `${fingerprint()}.tgz`);
  if (existsSync(archive)) return archive;
  mkdirSync(CACHE, { recursive: true });
  for (const old of readdirSync(CACHE)) if (old.endsWith('.tgz')) rmSync(join(CACHE, old), { force: true });
  // Other workers may do the same at the same time: the file appears when it is complete.
  const folder = mkdtempSync(join(CACHE, 'new-'));
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], resolve('.'));
  const [name = ''] = readdirSync(folder);
  renameSync(join(folder, name), archive);
  rmSync(folder, { recursive: true });
  return archive;
}

/** Puts the package where `npm install` would. */
export function unpackInto(folder: string): void {
  const target = join(folder, 'node_modules/curvad');
  mkdirSync(target, { recursive: true });
  run('tar', ['-xzf', packedArchive(), '-C', target, '--strip-components=1'], folder);
}

/** Changes when a file of the package does. */
function fingerprint(): string {
  const files = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'].concat(
    readdirSync('dist', { recursive: true, encoding: 'utf8' })
      .sort()
      .map((file) => join('dist', file)),
  );
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 20);
}
