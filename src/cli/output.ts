// Output files. A file appears only when it is complete: it is written to a temporary file with an unguessable name in
// the same folder, opened exclusively, and then renamed. Incomplete files are removed when the program ends.
import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { stdout } from 'node:process';
import { withoutControls } from '../files/write.js';
import { DataError, quote, UsageError } from './errors.js';

type Piece = string | Uint8Array;

const unfinished = new Set<string>();

/** Removes incomplete files. */
export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
  unfinished.clear();
}

/**
 * Checks before the work starts that outputs can be written, that they are different files, and that none of them is
 * an input, under whatever name or link.
 */
export function checkOutputs(outputs: ReadonlyArray<string | undefined>, inputs: readonly string[]): void {
  const files = outputs.filter((path) => path !== undefined && path !== '-') as string[];
  const taken = new Map(inputs.map((path) => [identityOf(path), path]));
  const written = new Set<string>();
  for (const path of files) {
    const identity = identityOf(path);
    const input = taken.get(identity);
    if (identity !== undefined && input !== undefined)
      throw new UsageError(`${quote(path)} is the input: write the output to another file`);
    const key = identity ?? resolve(path);
    if (written.has(key)) throw new UsageError(`${quote(path)} is named for two outputs: give each its own file`);
    written.add(key);
    checkWritable(path);
  }
}

/** Identifies a plain file, whatever its path; undefined if it does not exist or can be shared, such as a device. */
function identityOf(path: string): string | undefined {
  let found: BigIntStats | undefined;
  try {
    found = path === '-' ? fstatSync(0, { bigint: true }) : statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined; // opening it will report why
  }
  return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
}

/** Creates and removes an empty file, as more than permissions can prevent writing. */
function checkWritable(path: string): void {
  const place = placeOf(path);
  if (!place.isPlain) return;
  const { name, file } = createBeside(path, place);
  closeSync(file);
  rmSync(name, { force: true });
  unfinished.delete(name);
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
  /** Everything is written: puts the file in place. */
  close(): void;
  /** Discards what was written. */
  discard(): void;
}

export function openOutput(path: string): Output {
  if (path === '-') return toStandardOutput();
  const place = placeOf(path);
  return place.isPlain ? toFile(path, place) : toDevice(path, place);
}

function toFile(path: string, place: Place): Output {
  const { name, file } = createBeside(path, place);
  let isOpen = true;
  return {
    write: (piece) => withPath(path, () => writeAll(file, piece)),
    close() {
      withPath(path, () => {
        closeSync(file);
        isOpen = false;
        renameSync(name, place.path);
        unfinished.delete(name);
      });
    },
    discard() {
      if (isOpen) closeSync(file);
      isOpen = false;
      rmSync(name, { force: true });
      unfinished.delete(name);
    },
  };
}

/** Devices and pipes are written directly, as they cannot be replaced. */
function toDevice(path: string, place: Place): Output {
  const file = withPath(path, () => openSync(place.path, 'w'));
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return { write: (piece) => withPath(path, () => writeAll(file, piece)), close, discard: close };
}

function toStandardOutput(): Output {
  return {
    write: (piece) =>
      new Promise((resolve, reject) =>
        stdout.write(forTerminal(piece), (error) => (error ? reject(error) : resolve())),
      ),
    close() {},
    discard() {},
  };
}

/** Text of a file may contain control characters: a terminal shows them as �; files and pipes get them unchanged. */
function forTerminal(piece: Piece): Piece {
  if (!stdout.isTTY) return piece;
  const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is searched for.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '�');
}

/** An object for programs, as JSON without control characters. */
export function jsonText(value: unknown): string {
  return `${withoutControls(JSON.stringify(value, null, 2))}\n`;
}

function writeAll(file: number, piece: Piece): void {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

interface Place {
  /** The path with links resolved. */
  readonly path: string;
  /** Whether it is, or will be, a plain file. */
  readonly isPlain: boolean;
  /** The permissions of the existing file. */
  readonly mode: number | undefined;
}

function placeOf(path: string): Place {
  const found = withPath(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) {
    if (withPath(path, () => lstatSync(path, { throwIfNoEntry: false }))?.isSymbolicLink())
      throw new DataError(
        `${quote(path)} is a link to a file that does not exist: remove the link, or create the file`,
      );
    return { path, isPlain: true, mode: undefined };
  }
  if (found.isDirectory()) throw new DataError(`${quote(path)} is a folder, not a file`);
  return { path: realpathSync(path), isPlain: found.isFile(), mode: found.mode & 0o777 };
}

/** Creates a file in the folder of the output, with the permissions of the file it will replace. */
function createBeside(path: string, place: Place): { name: string; file: number } {
  const random = randomBytes(12).toString('hex');
  const name = join(dirname(place.path), `.${basename(place.path).slice(0, 60)}.${random}.tmp`);
  return withPath(path, () => {
    const file = openSync(name, 'wx', place.mode ?? 0o666);
    unfinished.add(name);
    if (place.mode !== undefined) fchmodSync(file, place.mode); // the umask may have removed some
    return { name, file };
  });
}

/** Errors name the path the user gave, not the temporary one. */
function withPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) Object.assign(error, { path });
    throw error;
  }
}
