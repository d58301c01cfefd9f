// Version 0.1.0, built in a temporary folder from the history of this repository, so that it can run in turns with the
// current version. The folder is kept and reused, as building takes a minute.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Version 0.1.0, or the commit in the variable BEFORE. */
const COMMIT = process.env['BEFORE'] ?? '7a2c403';

/** Its module. What it shares with that of today has the same names and options. */
export async function versionBefore(): Promise<typeof import('curvad')> {
  return import(pathToFileURL(join(folderBefore(), 'dist/index.js')).href);
}

/** Where it is built. */
export function folderBefore(): string {
  const folder = join(tmpdir(), `curvad-${COMMIT}`);
  if (!existsSync(folder)) renameSync(build(), folder);
  return folder;
}

/** Builds it in a folder of its own. */
function build(): string {
  const folder = mkdtempSync(join(tmpdir(), 'curvad-before-'));
  const archive = execFileSync('git', ['archive', COMMIT], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}
