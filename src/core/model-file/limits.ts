// Limits for untrusted model files: file size, memory, rows and columns.
import { CurvadError, describe } from '../errors.js';
import { checkOptionNames } from '../options.js';
import type { BackendChoice } from '../select.js';

export interface LoadOptions {
  /** The backend. Default 'auto'. */
  backend?: BackendChoice;
  /** Most bytes of the file, and of the memory of a window in it. Default 2³². */
  maxBytes?: number;
  /** Most training rows, or rows of a window. Default 2²⁸. */
  maxRows?: number;
  /** Most columns. Default 100,000. */
  maxColumns?: number;
}

export type ModelLimits = Required<Omit<LoadOptions, 'backend'>>;

/** Default limits: anything larger is more likely a mistake or an attack than a model. */
export const MODEL_LIMITS: ModelLimits = { maxBytes: 2 ** 32, maxRows: 2 ** 28, maxColumns: 100_000 };
const OPTION_NAMES = ['backend', 'maxBytes', 'maxRows', 'maxColumns'] as const;

/** The options of a `load`, checked. */
export function readLoadOptions(
  options: unknown,
  what: string,
): { readonly backend: BackendChoice | undefined; readonly limits: ModelLimits } {
  const given = checkOptionNames(options, OPTION_NAMES, what);
  const limit = (name: keyof ModelLimits): number => {
    const value = given[name];
    if (value === undefined) return MODEL_LIMITS[name];
    if (value === Infinity || (Number.isSafeInteger(value) && (value as number) > 0)) return value as number;
    throw new CurvadError('COUNT_INVALID', `${name} must be a whole number above 0, got ${describe(value)}`);
  };
  const limits = { maxBytes: limit('maxBytes'), maxRows: limit('maxRows'), maxColumns: limit('maxColumns') };
  return { backend: given['backend'] as BackendChoice | undefined, limits };
}

/** Refuses a file by its length, before reading it. */
export function checkLength(bytes: number, { maxBytes }: ModelLimits): void {
  if (bytes > maxBytes) throw tooLarge(`it has ${bytes} bytes`, 'maxBytes', maxBytes);
}

interface Sizes {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sections: Readonly<Record<string, { readonly length: number }>>;
}

/** Refuses a model by the sizes in its header. */
export function checkModelSize({ fields, sections }: Sizes, { maxRows, maxColumns }: ModelLimits): void {
  const scores = Object.hasOwn(sections, 'scores') ? (sections['scores']?.length ?? 0) : 0;
  for (const rows of [scores, countIn(fields, 'rows'), countIn(fields, 'window'), countIn(fields, 'memory')])
    if (rows > maxRows) throw tooLarge(`it has ${rows} rows`, 'maxRows', maxRows);
  const columns = countIn(fields, 'columns');
  if (columns > maxColumns) throw tooLarge(`it has ${columns} columns`, 'maxColumns', maxColumns);
}

/** Refuses a window by the memory it would need when full, as a small file may ask for much. */
export function checkRoom(values: number, { maxBytes }: ModelLimits): void {
  const bytes = values * Float64Array.BYTES_PER_ELEMENT;
  if (bytes > maxBytes) throw tooLarge(`its window takes ${bytes} bytes`, 'maxBytes', maxBytes);
}

function countIn(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'number' ? value : 0;
}

function tooLarge(what: string, option: string, limit: number): CurvadError {
  return new CurvadError('MODEL_TOO_LARGE', `the model file is too large: ${what}, ${option} allows ${limit}`);
}
