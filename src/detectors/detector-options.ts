// Options of a detector as one table, which gives their names, checks, defaults and types, and the fields that a model
// file keeps:
//
//   const OPTIONS = { trees: whole(1, 100, 'TREES_INVALID'), seed, ...COMMON_OPTIONS };
import type { Precision } from '../core/backend.js';
import type { ErrorCode } from '../core/errors.js';
import { KERNEL_NAMES, METRICS } from '../core/kernel.js';
import type { Model } from '../core/model-file/model-file.js';
import { checkOptionNames, flag, number, oneOf, seedOf, wholeNumber } from '../core/options.js';
import { BACKEND_CHOICES, type BackendChoice } from '../core/select.js';
import { type Approximation, readApproximation } from '../neighbors/approximation.js';
import type { DetectorOptions } from './threshold-rule.js';

/** Checks a value and returns it, or returns the default if it is undefined. */
export type Option<Value> = (value: unknown, name: string) => Value;

/** A table of options, by name. */
export type OptionTable<Values> = { readonly [Name in keyof Values]-?: Option<Values[Name]> };

/** The values of a table's options. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

const PRECISIONS: readonly Precision[] = ['single', 'double'];

/** A whole number of at least `least`. */
export function whole(least: number, initial: number, code: ErrorCode): Option<number> {
  return (value, name) => wholeNumber(value, name, least, initial, code);
}

/** A finite number that obeys a rule; undefined if none was given. */
export function real(rule: string, isRight: (value: number) => boolean, code: ErrorCode): Option<number | undefined> {
  return (value, name) => number(value, name, rule, isRight, code);
}

/** One of several words. */
export function choice<Word extends string>(allowed: readonly Word[], initial: Word, code: ErrorCode): Option<Word> {
  return (value, name) => oneOf(value, name, allowed, initial, code);
}

export function yesNo(initial: boolean, code: ErrorCode): Option<boolean> {
  return (value, name) => flag(value, name, initial, code);
}

/** An option whose default depends on the data: undefined stays undefined. */
export function optional<Value>(option: Option<Value>): Option<Value | undefined> {
  return (value, name) => (value === undefined ? undefined : option(value, name));
}

/** An option with a default. */
export function withDefault<Value>(option: Option<Value | undefined>, initial: Value): Option<Value> {
  return (value, name) => option(value, name) ?? initial;
}

const isShare = (share: number): boolean => share > 0 && share <= 0.5;

/** Options of every detector. */
export const COMMON_OPTIONS = {
  contamination: real('a number above 0 and at most 0.5', isShare, 'CONTAMINATION_INVALID'),
  // Checked together with the rule for the threshold.
  threshold: (value: unknown) => value as DetectorOptions['threshold'],
  cap: (value: unknown) => value as DetectorOptions['cap'],
  backend: choice<BackendChoice>(BACKEND_CHOICES, 'auto', 'BACKEND_UNKNOWN'),
};
export type CommonValues = ValuesOf<typeof COMMON_OPTIONS>;

export const metric = choice(METRICS, 'euclidean', 'METRIC_UNKNOWN');
export const precision = choice(PRECISIONS, 'double', 'PRECISION_UNKNOWN');
export const approximate: Option<Approximation | undefined> = (value) => readApproximation(value);
export const standardize = yesNo(false, 'STANDARDIZE_INVALID');
export const seed: Option<number> = (value) => seedOf(value);

/** The options of kernel CAD's kernels. γ depends on the number of columns by default. */
export const KERNEL_OPTIONS = {
  kernel: choice(KERNEL_NAMES, 'linear', 'KERNEL_UNKNOWN'),
  gamma: real('a positive number', (gamma) => gamma > 0, 'GAMMA_INVALID'),
  degree: whole(1, 3, 'DEGREE_INVALID'),
  coef0: withDefault(
    real('a finite number', () => true, 'COEF0_INVALID'),
    1,
  ),
};

/** Checked options, with and without defaults. */
export interface CheckedOptions<Values> {
  readonly given: Readonly<Record<string, unknown>>;
  readonly values: Values;
}

/** Checks options. `kind` is the name of the detector in messages. */
export function checkOptions<Values>(
  options: unknown,
  table: OptionTable<Values>,
  kind: string,
): CheckedOptions<Values> {
  const names = Object.keys(table) as Array<keyof Values & string>;
  const given = checkOptionNames(options, names, kind);
  const values = Object.fromEntries(names.map((name) => [name, table[name](given[name], name)]));
  return { given, values: values as Values };
}

/**
 * Adds options to the fields of a model file. A field with the name of an option holds the value that training chose. The
 * backend is not saved, as whoever loads the file chooses it. Options of the threshold are saved with the threshold.
 */
export function withOptionFields(fields: Model['fields'], options: CommonValues): Model['fields'] {
  const { backend: _, contamination: _c, threshold: _t, cap: _p, ...others } = options;
  return { ...fields, ...others, ...fields };
}
