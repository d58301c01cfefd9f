// The build that comes with the package: as base64 in the code, so that no file can go missing when the package is
// bundled. Other entries have another file in place of this one.
import { base64 } from '../../../build/simd.wasm?base64';
import type { Binary, Build } from './build.js';

let decoded: Binary | undefined;

export function included(_build: Build): Binary | undefined {
  decoded ??= Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return decoded;
}
