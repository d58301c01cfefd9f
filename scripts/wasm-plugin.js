// For rollup and vitest: `import { parts } from './x.wasm'` gives the file's bytes as text that a bundle can
// hold and that packs well: hexadecimal, as base64 hides repetitions from gzip. `./x.wasm?beside=y` gives them
// as ranges of y.wasm, which is much alike, with what is different in between.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Shorter ranges are not worth their place. */
const SHORTEST = 12;

export function wasmAsText() {
  return {
    name: 'wasm-as-text',
    enforce: 'pre',
    async load(id) {
      const [path, query] = id.split('?');
      if (!path.endsWith('.wasm') || query === 'module') return null;
      const bytes = await readFile(path);
      const beside = new URLSearchParams(query).get('beside');
      const others = beside === null ? Buffer.alloc(0) : await readFile(join(dirname(path), `${beside}.wasm`));
      const code = `export const parts = ${JSON.stringify(difference(bytes, others))};`;
      return { code, map: { mappings: '' } }; // not once more in the source map
    },
  };
}

/** Bytes as [start, length] of ranges of others, and hexadecimal text for what they do not have. */
function difference(bytes, others) {
  const places = new Map();
  for (let i = 0; i + SHORTEST <= others.length; i++) {
    const key = others.toString('latin1', i, i + SHORTEST);
    if (!places.has(key)) places.set(key, []);
    places.get(key).push(i);
  }
  const parts = [];
  let literal = 0;
  for (let i = 0; i < bytes.length; ) {
    const [start, length] = longestMatch(bytes, i, others, places);
    if (length < SHORTEST) {
      i++;
      continue;
    }
    if (i > literal) parts.push(bytes.toString('hex', literal, i));
    parts.push([start, length]);
    i += length;
    literal = i;
  }
  if (bytes.length > literal) parts.push(bytes.toString('hex', literal));
  return parts;
}

function longestMatch(bytes, at, others, places) {
  let best = [0, 0];
  for (const start of places.get(bytes.toString('latin1', at, at + SHORTEST)) ?? []) {
    let length = SHORTEST;
    while (at + length < bytes.length && bytes[at + length] === others[start + length]) length++;
    if (length > best[1]) best = [start, length];
  }
  return best;
}
