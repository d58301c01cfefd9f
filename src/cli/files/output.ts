// Where results go. A file appears only when it is complete: it is written beside its place under another
// name and then renamed; what is not complete at the end of the program, however that comes, is removed.
import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stdout } from 'node:process';
import { DataError, quote } from '../errors.js';

type Piece = string | Uint8Array;

const unfinished = new Set<string>();

/** Removes files that were begun and not completed. */
export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
  unfinished.clear();
}

/** Checks before the work begins that a file can be written where it should go. */
export function checkWritable(path: string | undefined): void {
  if (path === undefined || path === '-') return;
  const place = placeOf(path);
  if (!place.isPlain) return;
  // An empty file for a moment: whether that works depends on more than permissions.
  const probe = temporaryName(place.path);
  withPath(path, () => closeSync(openSync(probe, 'wx')));
  rmSync(probe, { force: true });
}

/** Writes a file, or standard output for "-". */
export async function writeOutput(path: string, pieces: AsyncIterable<Piece> | Iterable<Piece>): Promise<void> {
  const output = openOutput(path);
  try {
    for await (const piece of pieces) await output.write(piece);
    output.close();
  } catch (error) {
    output.discard();
    throw error;
  }
}

export interface Output {
  write(piece: Piece): Promise<void> | void;
  /** All is written: from now on it is there. */
  close(): void;
  /** Forgets what was written. */
  discard(): void;
}

export function openOutput(path: string): Output {
  if (path === '-') return toStandardOutput();
  const place = placeOf(path);
  // A device or a pipe is written as it is: it cannot be replaced.
  const name = place.isPlain ? temporaryName(place.path) : place.path;
  const file = withPath(path, () => openSync(name, 'w'));
  if (place.isPlain) unfinished.add(name);
  let isOpen = true;
  const discard = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
    if (place.isPlain) rmSync(name, { force: true });
    unfinished.delete(name);
  };
  return {
    write: (piece) => withPath(path, () => writeAll(file, piece)),
    close() {
      withPath(path, () => {
        closeSync(file);
        isOpen = false;
        if (place.isPlain) renameSync(name, place.path);
        unfinished.delete(name);
      });
    },
    discard,
  };
}

function toStandardOutput(): Output {
  return {
    write: (piece) =>
      new Promise((resolve, reject) => stdout.write(piece, (error) => (error ? reject(error) : resolve()))),
    close() {},
    discard() {},
  };
}

function writeAll(file: number, piece: Piece): void {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Where a path leads, through links, and whether it is a plain file or will be one. */
function placeOf(path: string): { path: string; isPlain: boolean } {
  const found = withPath(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return { path, isPlain: true };
  if (found.isDirectory()) throw new DataError(`${quote(path)} is a folder: give the name of a file`);
  return { path: realpathSync(path), isPlain: found.isFile() };
}

function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 100)}.${process.pid}.tmp`);
}

/** Errors tell the path the user gave, not ours. */
function withPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) Object.assign(error, { path });
    throw error;
  }
}
