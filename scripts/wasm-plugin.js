// For rollup and vitest: `import { base64 } from './x.wasm?base64'` gives the bytes of a file as text, so that bundling the
// package again cannot lose a file.
import { readFile } from 'node:fs/promises';

export function wasmAsBase64() {
  return {
    name: 'wasm-as-base64',
    enforce: 'pre',
    async load(id) {
      const [path, query] = id.split('?');
      if (!path.endsWith('.wasm') || query !== 'base64') return null;
      const code = `export const base64 = '${await readFile(path, 'base64')}';`;
      return { code, map: { mappings: '' } }; // keeps it out of the source map
    },
  };
}
