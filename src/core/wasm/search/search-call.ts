// The record that calls of the search work on: each point set keeps the fields of its own, and writes them all before
// a call.
import type { KernelName } from '../../kernel.js';
import { Kernel, type SearchCall as SearchCallLayout } from '../contract.js';
import type { Fields } from '../memory/record.js';

export type SearchCall = Fields<typeof SearchCallLayout>;

/** Address of the record of search calls: the first kilobyte of memory is never allocated. */
export const SEARCH_CALL = 64;

/** The number of a kernel in assembly/. */
export function kernelNumber(name: KernelName): number {
  return Kernel[name.toUpperCase() as Uppercase<KernelName>];
}
