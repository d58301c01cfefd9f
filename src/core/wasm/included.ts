// The build that the package includes, as base64 in the code, so that bundling cannot lose a file. Other entries replace
// this file.
import { base64 } from '../../../build/simd.wasm?base64';
import type { Binary, Build } from './build.js';

let decoded: Binary | undefined;

export function included(_build: Build): Binary | undefined {
  decoded ??= Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return decoded;
}
