// The builds of assembly/: included in the package, or given at run time (useWasm). A build is decoded and compiled only
// when it is selected.
import type { Binary, Build } from './build.js';
import { included } from './included.js';

export const BUILDS: readonly Build[] = ['simd'];

const given = new Map<Build, Binary>();

export function giveBinary(build: Build, binary: Binary): void {
  given.set(build, binary);
}

/**
 * A build, or undefined if there is none: in other threads and in `curvad/js` before one is given. Throws if the runtime
 * refuses to compile.
 */
export function binary(build: Build): Binary | undefined {
  return given.get(build) ?? included(build);
}
