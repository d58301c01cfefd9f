// The option `approximate`: the allowed relative error of distances.
import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames, number } from '../core/options.js';

/** A search that may miss neighbours, within a bound. */
export interface Approximation {
  /** ε: every reported distance, from the first neighbour to the k-th, is at most 1 + ε times the true one. */
  readonly epsilon: number;
}

/** Default ε. */
const EPSILON = 0.25;

/** Reads the option: undefined for an exact search. */
export function readApproximation(value: unknown): Approximation | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return { epsilon: EPSILON };
  if (typeof value !== 'object' || value === null)
    throw new CurvadError('APPROXIMATE_INVALID', `approximate must be true or { epsilon }, got ${describe(value)}`);
  const { epsilon } = checkOptionNames(value, ['epsilon'], 'approximate');
  const isRight = (share: number): boolean => share > 0;
  return { epsilon: number(epsilon, 'epsilon', 'a number above 0', isRight, 'APPROXIMATE_INVALID') ?? EPSILON };
}
