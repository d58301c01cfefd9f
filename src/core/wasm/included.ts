// The builds that come with the package: as base64 in the code, so that no file can go missing when the package is
// bundled. Other entries have another file in place of this one.
import { base64 as relaxed } from '../../../build/relaxed.wasm?base64';
import { base64 as simd } from '../../../build/simd.wasm?base64';
import type { Binary, Build } from './build.js';

const BASE64: Readonly<Record<Build, string>> = { relaxed, simd };
const decoded = new Map<Build, Binary>();

export function included(build: Build): Binary | undefined {
  let bytes = decoded.get(build);
  if (bytes === undefined) {
    bytes = Uint8Array.from(atob(BASE64[build]), (character) => character.charCodeAt(0));
    decoded.set(build, bytes);
  }
  return bytes;
}
