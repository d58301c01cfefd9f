// The contract between JavaScript and the core, against the AssemblyScript compiler and the compiled module.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractOf, readSources } from '../../../scripts/contract.js';
import { AnchoredList, Growth, SearchCall, SvmCall, Walk } from '../../../src/core/wasm/contract.js';

const contract = { SearchCall, Growth, AnchoredList, SvmCall, Walk };

const RECORDS = {
  'search-call': 'SearchCall',
  'svm-call': 'SvmCall',
  walk: 'Walk',
  'anchored-list': 'AnchoredList',
  forest: 'Growth',
} as const;

describe('the contract with the core', () => {
  const folder = mkdtempSync('build/contract-');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is what assembly/ says now', () => {
    expect(readFileSync('src/core/wasm/contract.ts', 'utf8')).toBe(contractOf(readSources('assembly')));
  });

  it('names every export of the module, and no other', () => {
    const module = new WebAssembly.Module(readFileSync('build/simd.wasm'));
    const compiled = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function');
    const written = contractOf(readSources('assembly')).match(/(?<=readonly )\w+/g);
    expect(written?.sort()).toEqual(compiled.map(({ name }) => name).sort());
  });

  describe('offsets', () => {
    let offsets: Record<string, () => number>;

    beforeAll(() => {
      const lines = Object.entries(RECORDS).flatMap(([file, name]) => [
        `import { ${name} } from '../../assembly/${file}';`,
        `export function ${name}_size(): u32 { return offsetof<${name}>(); }`,
        ...Object.keys({ ...contract[name].reals, ...contract[name].words }).map(
          (field) => `export function ${name}_${field}(): u32 { return offsetof<${name}>("${field}"); }`,
        ),
      ]);
      writeFileSync(join(folder, 'offsets.ts'), lines.join('\n'));
      const [source, wasm] = [join(folder, 'offsets.ts'), join(folder, 'offsets.wasm')];
      const compile = ['node_modules/assemblyscript/bin/asc.js', source, '--outFile', wasm, '--enable', 'simd'];
      execFileSync(process.execPath, [...compile, '--runtime', 'stub', '--use', 'abort=']);
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 }); // as asconfig.json says
      const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasm)), { env: { memory } });
      offsets = instance.exports as Record<string, () => number>;
    });

    it.each(Object.values(RECORDS))('are those the compiler gives the fields of %s', (name) => {
      const { size, reals, words } = contract[name];
      for (const [field, offset] of Object.entries({ size, ...reals, ...words })) {
        expect([field, offset]).toEqual([field, offsets[`${name}_${field}`]?.()]);
      }
    });
  });

  it('has a field that was added to a record, so that code which does not write it no longer compiles', () => {
    const sources = readSources('assembly');
    const before = contractOf(sources);
    const file = 'anchored-list.ts';
    const text = sources[file] as string;
    const after = contractOf({ ...sources, [file]: text.replace('  sum: usize;', '  sum: usize;\n  added: u32;') });
    expect(after).not.toBe(before);
    writeFileSync(join(folder, 'contract.ts'), after);
    const use = `import type { AnchoredList } from './contract.js';
type Fields = Record<keyof (typeof AnchoredList)['reals'] | keyof (typeof AnchoredList)['words'], number>;
export const fields: Fields = { ${Object.keys({ ...contract.AnchoredList.reals, ...contract.AnchoredList.words })
      .map((field) => `${field}: 0`)
      .join(', ')} };`;
    writeFileSync(join(folder, 'use.ts'), use);
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'NodeNext', '--types', ''];
    const tsc = ['node_modules/typescript/bin/tsc', ...options, join(folder, 'use.ts')];
    const check = () => spawnSync(process.execPath, tsc, { encoding: 'utf8' });
    expect(check().stdout).toMatch(/'added' is missing/);
    writeFileSync(join(folder, 'contract.ts'), before);
    expect(check().stdout).toBe('');
    expect(check().status).toBe(0);
  });

  it('refuses a field that it cannot lay out', () => {
    expect(() => contractOf({ 'a.ts': '@unmanaged\nexport class A { x: v128; }' })).toThrow(/A\.x/);
    expect(() => contractOf({ 'a.ts': '@unmanaged\nexport class A { x: u32; y: f64; }' })).toThrow(
      /f64 fields come first/,
    );
  });
});
