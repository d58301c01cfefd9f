// What the bytes of `import { CAD } from 'curvad'` are: the package as a bundler minifies it, compressed with and without
// each part. The parts do not add up to the whole exactly, as compression finds what they have in common.
//
//   npm run bench:size [-- NAME]
import { relative, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Parts by the beginning of the path of their sources; the first that fits. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['WebAssembly as base64', /^$/],
  ['@assemblyscript/loader', /node_modules\/@assemblyscript/],
  ['ml-kmeans, with ml-matrix', /node_modules/],
  ['tables (src/tables)', /^src\/tables/],
  ['detectors (src/detectors)', /^src\/detectors/],
  ['search in the core (src/core/wasm)', /^src\/core\/wasm/],
  ['rows and scaling (src/core/input)', /^src\/core\/input/],
  ['threads (src/parallel)', /^src\/parallel/],
  ['model files (src/core/model-file)', /^src\/core\/model-file/],
  ['plain TypeScript backend (src/core/js)', /^src\/core\/js/],
  ['everything else', /./],
];

const name = process.argv[2] ?? 'CAD';
const path = JSON.stringify(resolve('dist/index.js'));
const { outputFiles } = await build({
  stdin: { contents: `import { ${name} } from ${path}; globalThis.used = ${name};`, resolveDir: '.' },
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  outdir: 'bundled',
  legalComments: 'none',
  sourcemap: true,
  write: false,
});
const textOf = (ending: string): string => outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
const code = textOf('stdin.js');
const base64 = /[A-Za-z0-9+/]{10000,}=*/.exec(code);
if (base64 === null) throw new Error('there is no WebAssembly in the bundle');

const ranges = new Map(PARTS.map(([part]) => [part, [] as Range[]]));
ranges.get('WebAssembly as base64')?.push({ from: base64.index, to: base64.index + base64[0].length });
for (const { from, to, source } of segments(JSON.parse(textOf('stdin.js.map')))) {
  if (from <= base64.index && to > base64.index) continue;
  const [part] = PARTS.slice(1).find(([, pattern]) => pattern.test(source)) as (typeof PARTS)[number];
  ranges.get(part)?.push({ from, to });
}

const KB = 1024;
const sizes = (text: string): [number, number] => [
  brotliCompressSync(text).length / KB,
  gzipSync(text, { level: 9 }).length / KB,
];
const [brotli, gzip] = sizes(code);
console.log(`| { ${name} } | KB brotli | KB gzip |\n| --- | --- | --- |`);
for (const [part, its] of ranges) {
  const [otherBrotli, otherGzip] = sizes(without(its));
  console.log(`| ${part} | ${(brotli - otherBrotli).toFixed(1)} | ${(gzip - otherGzip).toFixed(1)} |`);
}
console.log(`| the whole | ${brotli.toFixed(1)} | ${gzip.toFixed(1)} |`);

/** The code without some ranges of it. */
function without(removed: readonly Range[]): string {
  let text = '';
  let end = 0;
  for (const { from, to } of removed) {
    text += code.slice(end, from);
    end = to;
  }
  return text + code.slice(end);
}

/** The ranges of the code that a source map describes, in order, with the source of each relative to this folder. */
function* segments(map: { sources: string[]; mappings: string }): Generator<Range & { source: string }> {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const starts = [0];
  for (const line of code.split('\n')) starts.push((starts.at(-1) as number) + line.length + 1);
  const found: { from: number; source: string }[] = [];
  let source = 0;
  map.mappings.split(';').forEach((line, row) => {
    let column = 0;
    for (const segment of line.split(',').filter(Boolean)) {
      const fields: number[] = [];
      let value = 0;
      let shift = 0;
      for (const character of segment) {
        const digit = digits.indexOf(character);
        value += (digit & 31) << shift;
        shift += 5;
        if (digit >= 32) continue;
        fields.push(value & 1 ? -(value >> 1) : value >> 1);
        value = shift = 0;
      }
      column += fields[0] ?? 0;
      source += fields[1] ?? 0;
      found.push({
        from: (starts[row] as number) + column,
        source: relative('.', resolve('bundled', map.sources[source] ?? '')),
      });
    }
  });
  for (const [i, { from, source }] of found.entries()) yield { from, to: found[i + 1]?.from ?? code.length, source };
}
