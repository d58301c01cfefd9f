// The builds that come with the package: as base64 in the code, so that no file can go missing when the
// package is bundled. Other entries have another file in its place.
import { base64 as relaxed } from '../../../build/relaxed.wasm';
import { base64 as scalar } from '../../../build/scalar.wasm';
import { base64 as simd } from '../../../build/simd.wasm';
import type { Binary, Build } from './build.js';

const ENCODED: Record<Build, string> = { relaxed, simd, scalar };

export function included(build: Build): Binary | undefined {
  const text = atob(ENCODED[build]);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
