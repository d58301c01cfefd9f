// For rollup and vitest: patches hyparquet to check sizes that a file claims. A run of 2³¹ equal values takes a few bytes,
// and hyparquet would write all of them into an array of thirty; a page may claim more values than its column has, or omit
// lengths, which makes hyparquet read the same byte for ever. The patched reader refuses such files. The build fails if the
// source of hyparquet has changed, so that an update is reviewed.

const PATCHES = {
  'encoding.js': [
    [
      'const header = readVarInt(reader)\n',
      'if (!(reader.offset >= 0)) throw new Error("a page does not state its length")\n    const header = readVarInt(reader)\n',
    ],
    [
      'const count = header >>> 1\n      readRle(',
      'const count = header >>> 1\n      if (count > output.length - seen) throw new Error("a run is longer than its page")\n      readRle(',
    ],
    [
      'let count = header >> 1 << 3 // values to read',
      'let count = (header >>> 1) * 8\n  if (count - 8 >= output.length - seen) throw new Error("a run is longer than its page")',
    ],
  ],
  'column.js': [
    [
      'const header = parquetHeader(reader)\n',
      `const header = parquetHeader(reader)
    const page = header.data_page_header ?? header.data_page_header_v2
    if (page && !(page.num_values > 0 && page.num_values <= columnDecoder.num_values && !(page.num_nulls < 0)))
      throw new Error('a page claims more values than its column has')
    const lengths = header.data_page_header_v2
    if (lengths && !(lengths.definition_levels_byte_length >= 0 && lengths.repetition_levels_byte_length >= 0))
      throw new Error('a page does not state the length of its levels')
`,
    ],
  ],
};

export function boundedParquet() {
  return {
    name: 'bounded-parquet',
    enforce: 'pre',
    transform(code, id) {
      const [, file] = /node_modules\/hyparquet\/src\/(\w+\.js)$/.exec(id) ?? [];
      if (file === undefined || !Object.hasOwn(PATCHES, file)) return null;
      let patched = code;
      for (const [text, other] of PATCHES[file]) {
        if (patched.split(text).length !== 2)
          throw new Error(`hyparquet/src/${file} has changed, review the patch: ${text}`);
        patched = patched.replace(text, () => other);
      }
      return { code: patched, map: { mappings: '' } };
    },
  };
}
