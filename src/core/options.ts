// Checks option values and throws specific errors. Undefined options take their defaults.
import { closest } from './closest.js';
import { CurvadError, describe, type ErrorCode } from './errors.js';

/**
 * Options must be an object with known names only, so that a misspelt option is not ignored. Returns a copy without a
 * prototype, so that properties added to Object.prototype do not count.
 */
export function checkOptionNames(options: unknown, known: readonly string[], what: string): Record<string, unknown> {
  const given: Record<string, unknown> = Object.create(null);
  if (options === undefined) return given;
  if (typeof options !== 'object' || options === null || Symbol.iterator in options) {
    throw new CurvadError('OPTIONS_TYPE', `options of ${what} must be an object, got ${describe(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      const others = known.length === 0 ? 'none' : known.join(', ');
      const meant = closest(name, known);
      const hint = meant === undefined ? '' : `. Did you mean ${meant}?`;
      throw new CurvadError('UNKNOWN_OPTION', `${what} has no option ${describe(name)}; it has ${others}${hint}`);
    }
  }
  return Object.assign(given, options);
}

export function oneOf<T extends string>(
  value: unknown,
  name: string,
  allowed: readonly T[],
  initial: T,
  code: ErrorCode,
): T {
  if (value === undefined) return initial;
  if (allowed.includes(value as T)) return value as T;
  throw new CurvadError(code, `${name} must be one of ${allowed.join(', ')}, got ${describe(value)}`);
}

export function wholeNumber(value: unknown, name: string, least: number, initial: number, code: ErrorCode): number {
  if (value === undefined) return initial;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value < 2 ** 31) return value;
  throw new CurvadError(code, `${name} must be a whole number of at least ${least}, got ${describe(value)}`);
}

export function flag(value: unknown, name: string, initial: boolean, code: ErrorCode): boolean {
  if (value === undefined) return initial;
  if (typeof value === 'boolean') return value;
  throw new CurvadError(code, `${name} must be true or false, got ${describe(value)}`);
}

/** A finite number for which `isRight` holds, or undefined if not given. */
export function number(
  value: unknown,
  name: string,
  rule: string,
  isRight: (value: number) => boolean,
  code: ErrorCode,
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isFinite(value) && isRight(value)) return value;
  throw new CurvadError(code, `${name} must be ${rule}, got ${describe(value)}`);
}

/** The random seed. Default 0. */
export function seedOf(value: unknown): number {
  const most = 2 ** 32 - 1;
  const isSeed = (seed: number): boolean => Number.isInteger(seed) && seed >= 0 && seed <= most;
  return number(value, 'seed', `a whole number from 0 to ${most}`, isSeed, 'SEED_INVALID') ?? 0;
}
