// In place of included.ts where no WebAssembly comes along: in `curvad/js` and in other threads.
import type { Binary, Build } from './build.js';

export function included(_build: Build): Binary | undefined {
  return undefined;
}
