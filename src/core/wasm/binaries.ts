// The three builds of assembly/, fastest first. Each is compiled only when it is chosen.
import { base64 as relaxed } from '../../../build/relaxed.wasm';
import { base64 as scalar } from '../../../build/scalar.wasm';
import { base64 as simd } from '../../../build/simd.wasm';

export type Build = 'relaxed' | 'simd' | 'scalar';

export const BUILDS: readonly Build[] = ['relaxed', 'simd', 'scalar'];

const ENCODED: Record<Build, string> = { relaxed, simd, scalar };

export function binary(build: Build): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(ENCODED[build]), (character) => character.charCodeAt(0));
}
