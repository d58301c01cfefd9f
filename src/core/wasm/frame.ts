// The record that calls of the search work on: each point set keeps the fields of its own, and writes them all before
// a call.
import type { KernelName } from '../kernel.js';
import { type Frame as FrameLayout, Kernel } from './contract.js';
import type { Fields } from './record.js';

export type Frame = Fields<typeof FrameLayout>;

/** Where the frame lies: the first kilobyte is never allocated. */
export const FRAME = 64;

/** The number of a kernel in assembly/. */
export function kernelNumber(name: KernelName): number {
  return Kernel[name.toUpperCase() as Uppercase<KernelName>];
}
