// The builds of assembly/: what comes with the package, or what is given at run time (useWasm). A build is decoded and
// compiled only when it is chosen.
import type { Binary, Build } from './build.js';
import { included } from './included.js';

export const BUILDS: readonly Build[] = ['simd'];

const given = new Map<Build, Binary>();

export function giveBinary(build: Build, binary: Binary): void {
  given.set(build, binary);
}

/**
 * A build, or undefined where there is none: in other threads and in `curvad/js` before one is given. Throws where
 * the runtime refuses to compile.
 */
export function binary(build: Build): Binary | undefined {
  return given.get(build) ?? included(build);
}
