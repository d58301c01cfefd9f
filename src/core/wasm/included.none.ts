// Replaces included.ts in builds without WebAssembly: `curvad/js` and other threads.
import type { Binary, Build } from './build.js';

export function included(_build: Build): Binary | undefined {
  return undefined;
}
