// The builds that come with the package: as text in the code, so that no file can go missing when the
// package is bundled. Other entries have another file in place of this one.
import { packed } from '../../../build/relaxed.wasm?beside=simd,scalar';
import type { Binary, Build } from './build.js';
import { unpack } from './unpack.js';

/** In the order they were packed in. */
const PACKED: readonly Build[] = ['relaxed', 'simd', 'scalar'];

let unpacked: readonly Binary[] | undefined;

export function included(build: Build): Binary | undefined {
  unpacked ??= unpack(packed);
  return unpacked[PACKED.indexOf(build)];
}
