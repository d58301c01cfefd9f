// The three builds of assembly/, fastest first: those that came with the package, or those that were
// given at run time. Each is compiled only when it is chosen.
import type { Binary, Build } from './build.js';
import { included } from './included.js';

export const BUILDS: readonly Build[] = ['relaxed', 'simd', 'scalar'];

const given = new Map<Build, Binary>();
/** Those that came along, once they were asked for. */
const decoded = new Map<Build, Binary>();

export function giveBinary(build: Build, binary: Binary): void {
  given.set(build, binary);
}

/** A build, or undefined where there is none: in other threads and in `curvad/js` before one is given. */
export function binary(build: Build): Binary | undefined {
  const known = given.get(build) ?? decoded.get(build);
  if (known !== undefined) return known;
  const found = included(build);
  if (found !== undefined) decoded.set(build, found);
  return found;
}
