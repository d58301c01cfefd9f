// The record that calls of the search work on: each point set keeps the fields of its own, and writes them all before
// a call.
import type { KernelName } from '../../kernel.js';
import { Kernel, SearchCall as SearchCallLayout } from '../contract.js';
import { type Fields, noFields } from '../memory/record.js';

export type SearchCall = Fields<typeof SearchCallLayout>;

/** Nothing yet. A copy of it takes a hundredth of the time of an object that is put together of such parts. */
export const EMPTY_CALL: SearchCall = { ...noFields(SearchCallLayout) };

/** Address of the record in memory of one's own: its first kilobyte is never allocated. */
export const SEARCH_CALL = 64;

/** The number of a kernel in assembly/. */
export function kernelNumber(name: KernelName): number {
  return Kernel[name.toUpperCase() as Uppercase<KernelName>];
}
