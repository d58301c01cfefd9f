// Replaces included.ts on Cloudflare Workers, which cannot compile bytes: imports a module that was compiled at deployment.
import { compiled } from '../../../build/simd.wasm?module';
import type { Binary, Build } from './build.js';

export function included(_build: Build): Binary | undefined {
  return compiled;
}
