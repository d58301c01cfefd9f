// In place of included.ts on Cloudflare Workers, which compile no bytes: a module that was compiled when
// the worker was deployed. One build is enough there, as the runtime is known.
import { compiled } from '../../../build/simd.wasm?module';
import type { Binary, Build } from './build.js';

export function included(build: Build): Binary | undefined {
  return build === 'simd' ? compiled : undefined;
}
