// Turns errors into one line that says what to do, with an exit code.
import { quote } from '../core/messages.js';

export { clean, count, quote } from '../core/messages.js';

/** The exit codes of the command. */
export const EXIT = { ok: 0, usage: 1, data: 2, interrupted: 130 } as const;

/** The command line is wrong. */
export class UsageError extends Error {}

/** A file, its contents, or the output location is wrong. */
export class DataError extends Error {}

export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'you have no permission for it',
  EPERM: 'you have no permission for it',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOSPC: 'the disk is full: free some space, or write elsewhere',
  EDQUOT: 'your disk quota is used up: free some space, or write elsewhere',
  EROFS: 'the disk is read-only: write elsewhere',
  EMFILE: 'too many files are open',
  EFBIG: 'the file would be too large',
  EIO: 'the device reports an error',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its symbolic links form a loop',
};

/** Error codes of the library about options, which here come from the command line. */
const OPTION_CODES = /^(OPTIONS_TYPE|UNKNOWN_OPTION|.*_(INVALID|UNKNOWN|UNSUPPORTED|UNAVAILABLE))$/;

/** Turns anything thrown into a message and an exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return { message: error.message, exitCode: EXIT.usage };
  if (error instanceof DataError) return { message: error.message, exitCode: EXIT.data };
  if (!(error instanceof Error)) return { message: `unexpected failure: ${String(error)}`, exitCode: EXIT.data };
  const { code, path } = error as NodeJS.ErrnoException;
  if (error.name === 'CurvadError') {
    const isUsage = OPTION_CODES.test(code ?? '') && code !== 'LABEL_INVALID';
    return { message: error.message, exitCode: isUsage ? EXIT.usage : EXIT.data };
  }
  const meaning = code !== undefined && Object.hasOwn(SYSTEM, code) ? SYSTEM[code] : undefined;
  if (meaning !== undefined)
    return { message: `${path === undefined ? 'output' : quote(path)}: ${meaning}`, exitCode: EXIT.data };
  if (error instanceof RangeError && /allocation|length/i.test(error.message))
    return { message: 'not enough memory for this many values', exitCode: EXIT.data };
  const hint = process.env['CURVAD_DEBUG'] === undefined ? '; CURVAD_DEBUG=1 shows where' : `\n${error.stack}`;
  return { message: `unexpected failure: ${error.message}${hint}`, exitCode: EXIT.data };
}
