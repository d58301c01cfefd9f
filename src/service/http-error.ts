// An error as an HTTP answer: a status, a code for programs, a message for people, never a stack trace.
import { CurvadError } from '../core/errors.js';

export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Codes of errors that are not caused by the request, or only by its size. */
const STATUS: Readonly<Record<string, number>> = {
  OUT_OF_MEMORY: 503,
  DISPOSED: 503,
  NOT_FITTED: 503,
  FILE_TOO_LARGE: 413,
};

/** Converts an error to an HTTP error; undefined for unexpected ones. */
export function asHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (!(error instanceof CurvadError)) return undefined;
  const { code, message, row, column } = error;
  const place = { ...(row !== undefined && { row }), ...(column !== undefined && { column }) };
  return new HttpError(STATUS[code] ?? 400, code, message, place);
}
