// The files named on a command line: paths, and patterns such as 'logs/*.csv' for shells that do not expand them.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DataError, quote, UsageError } from './errors.js';

const MAGIC = /[*?[{]/;

/** Paths in the order given; the files of a pattern sorted by name. */
export function filesIn(positionals: readonly string[]): string[] {
  const paths = positionals.flatMap((text) => (isThere(text) || !MAGIC.test(text) ? [text] : matchesOf(text)));
  const repeated = paths.find((path, i) => paths.indexOf(path) !== i);
  if (repeated !== undefined) throw new UsageError(`${quote(repeated)} is given twice`);
  return paths;
}

function isThere(path: string): boolean {
  return path === '-' || statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function matchesOf(pattern: string): string[] {
  const parts = pattern.replaceAll('\\', '/').split('/');
  const isAbsolute = parts[0] === '';
  const found = below(isAbsolute ? '/' : '.', isAbsolute ? parts.slice(1) : parts, isAbsolute ? '/' : '');
  if (found.length === 0) throw new DataError(`${quote(pattern)}: no file matches`);
  return found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The files below a folder that match the parts of a pattern; `shown` is the folder as the user writes it. */
function below(folder: string, [part, ...rest]: readonly string[], shown: string): string[] {
  if (part === undefined) return [];
  const isLast = rest.length === 0;
  if (!MAGIC.test(part)) {
    const path = join(folder, part);
    const found = statSync(path, { throwIfNoEntry: false });
    if (isLast) return found?.isFile() ? [shown + part] : [];
    return found?.isDirectory() ? below(path, rest, `${shown}${part}/`) : [];
  }
  const deeper = part === '**';
  const fits = deeper ? /^[^.]/ : expressionOf(part);
  const here = deeper ? below(folder, rest, shown) : [];
  return here.concat(
    entriesOf(folder).flatMap((entry) => {
      const isHidden = entry.startsWith('.') && !part.startsWith('.');
      if (isHidden || !fits.test(entry)) return [];
      const path = join(folder, entry);
      const found = statSync(path, { throwIfNoEntry: false });
      if (isLast && !deeper) return found?.isFile() ? [shown + entry] : [];
      return found?.isDirectory() ? below(path, deeper ? [part, ...rest] : rest, `${shown}${entry}/`) : [];
    }),
  );
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // skips folders without read permission
  }
}

/** *, ?, [abc] and {one,other} in a name. */
function expressionOf(part: string): RegExp {
  let depth = 0;
  const source = part.replace(/\[!?[^\]]{1,255}\]|[\s\S]/g, (token) => {
    if (token.length > 1) return token.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    if (token === '{') depth++;
    if (token === '{') return '(?:';
    if (token === '}' && depth-- > 0) return ')';
    if (token === ',' && depth > 0) return '|';
    return token.replace(/[\\^$.|+()[\]{}]/, '\\$&');
  });
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    throw new UsageError(`${quote(part)} is not a valid pattern`);
  }
}
