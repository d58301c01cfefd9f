// In place of included.ts on Cloudflare Workers, which compile no bytes: a module that was compiled when
// the worker was deployed.
import { compiled } from '../../../build/simd.wasm?module';
import type { Binary, Build } from './build.js';

export function included(_build: Build): Binary | undefined {
  return compiled;
}
