// For rollup and vitest: `import { base64 } from './x.wasm'` gives the file's bytes as base64.
import { readFile } from 'node:fs/promises';

export function wasmAsBase64() {
  return {
    name: 'wasm-as-base64',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('.wasm')) return null;
      const code = `export const base64 = '${(await readFile(id)).toString('base64')}';`;
      return { code, map: { mappings: '' } }; // not once more in the source map
    },
  };
}
