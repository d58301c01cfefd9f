// Reads parts of a model file for detectors. Files are untrusted: nothing in them is used before it is checked.
import { CurvadError, describe } from '../core/errors.js';
import type { ModelLimits } from '../core/model-file/limits.js';
import {
  corrupt,
  type Model,
  readModel,
  type Section,
  type SectionType,
  typeOf,
} from '../core/model-file/model-file.js';
import { ruleOptionsOf, THRESHOLD_OPTION_NAMES } from './threshold-rule.js';

const isThresholdOption = (name: string): boolean => (THRESHOLD_OPTION_NAMES as readonly string[]).includes(name);

/** Reads a model file of a given detector. */
export function readModelOf(bytes: unknown, kind: string, limits?: ModelLimits): Model {
  const model = readModel(bytes, limits);
  if (model.detector !== kind)
    throw new CurvadError('MODEL_FOREIGN', `this is a model of ${describe(model.detector)}, not of ${kind}`);
  return model;
}

/** A required section of a given type and, optionally, length, with finite numbers only. */
export function checkedSection<Type extends SectionType>(
  model: Model,
  name: string,
  type: Type,
  length?: number,
): Section<Type> {
  const section = Object.hasOwn(model.sections, name) ? model.sections[name] : undefined;
  if (section === undefined) throw corrupt(`section ${name} is missing`);
  if (typeOf(section) !== type) throw corrupt(`section ${name} must be ${type}`);
  if (length !== undefined && section.length !== length)
    throw corrupt(`section ${name} has ${section.length} values, expected ${length}`);
  if (!section.every(Number.isFinite)) throw corrupt(`section ${name} has values that are not finite`);
  return section as Section<Type>;
}

/** A required positive whole number. */
export function checkedCount(model: Model, name: string): number {
  const value = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 32) return value;
  throw corrupt(`${name} must be a positive whole number, not ${describe(value)}`);
}

/** Options that must be among the fields, as defaults are for users, not for files. */
export function requireFields(model: Model, names: readonly string[]): void {
  for (const name of names) if (!Object.hasOwn(model.fields, name)) throw corrupt(`${name} is missing`);
}

/** Makes a detector from the options in a model file, which are as untrusted as the rest of it. */
export function makeFrom<Made>(
  model: Model,
  names: readonly string[],
  make: (options: Record<string, unknown>) => Made,
): Made {
  const own = names.filter((name) => Object.hasOwn(model.fields, name) && !isThresholdOption(name));
  const options = Object.fromEntries(own.map((name) => [name, model.fields[name]]));
  const rule = ruleOptionsOf(model);
  try {
    return make({ ...options, ...rule });
  } catch (cause) {
    if (cause instanceof CurvadError && !cause.code.startsWith('BACKEND')) throw corrupt(cause.message, cause);
    throw cause;
  }
}
