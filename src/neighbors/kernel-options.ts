// Options that define a kernel, with the defaults of kernel CAD.
import { KERNEL_NAMES, type Kernel, type KernelName } from '../core/kernel.js';
import { checkOptionNames, number, oneOf, wholeNumber } from '../core/options.js';

export interface KernelOptions {
  /** Default 'linear'. */
  kernel?: KernelName;
  /** γ of rbf, laplacian, polynomial and sigmoid. Default 1 / columns. */
  gamma?: number;
  /** Degree of the polynomial kernel. Default 3. */
  degree?: number;
  /** c₀ of polynomial and sigmoid. Default 1. */
  coef0?: number;
}

export const KERNEL_OPTION_NAMES: ReadonlyArray<keyof KernelOptions> = ['kernel', 'gamma', 'degree', 'coef0'];

/** Reads the options of a kernel, given the number of columns. */
export function readKernel(options: unknown, columns: number): Kernel {
  const given = checkOptionNames(options, KERNEL_OPTION_NAMES, 'kernel');
  return {
    name: oneOf(given['kernel'], 'kernel', KERNEL_NAMES, 'linear', 'KERNEL_UNKNOWN'),
    gamma: number(given['gamma'], 'gamma', 'a positive number', (value) => value > 0, 'GAMMA_INVALID') ?? 1 / columns,
    degree: wholeNumber(given['degree'], 'degree', 1, 3, 'DEGREE_INVALID'),
    coef0: number(given['coef0'], 'coef0', 'a finite number', () => true, 'COEF0_INVALID') ?? 1,
  };
}
