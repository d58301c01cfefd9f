// Which backend runs, and what the WebAssembly is made of: no state of its own and no imports
// but the memory, which is what lets all models share one instance.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Random } from '../support/data.js';

const ROWS = new Random(6).rows(30, 3);

const BINARY = Uint8Array.from(readFileSync(new URL('../../build/simd.wasm', import.meta.url)));

/** The package as a runtime with another WebAssembly would load it. */
async function packageWith(webAssembly: unknown) {
  vi.stubGlobal('WebAssembly', webAssembly);
  vi.resetModules();
  return import('../../src/index.js');
}

/** A runtime without SIMD. */
const WITHOUT_SIMD = new Proxy(WebAssembly, {
  get: (target, name) => (name === 'validate' ? () => false : Reflect.get(target, name)),
});

/** A runtime whose content security policy refuses to compile, but not to validate. */
const STRICT = new Proxy(WebAssembly, {
  get(target, name) {
    if (name !== 'Module') return Reflect.get(target, name);
    return class {
      constructor() {
        throw new WebAssembly.CompileError("Refused to compile: 'unsafe-eval' is not an allowed source of script");
      }
    };
  },
});

/** A runtime where any use of WebAssembly is a failure. */
const FORBIDDEN = new Proxy(
  {},
  {
    get: (_, name) => {
      throw new Error(`WebAssembly.${String(name)} was used`);
    },
  },
);

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('auto and wasm', () => {
  it('take WebAssembly in this very runtime', async () => {
    const { CAD, defaultBackend, NearestNeighbors } = await packageWith(WebAssembly);
    expect(WebAssembly.validate(BINARY)).toBe(true);
    expect(defaultBackend()).toBe('wasm-simd');
    expect(new CAD({ neighbors: 3 }).backend).toBe('wasm-simd');
    expect(new CAD({ neighbors: 3, backend: 'wasm' }).fit(ROWS).backend).toBe('wasm-simd');
    expect(new NearestNeighbors(ROWS).backend).toBe('wasm-simd');
  });

  it.each([
    ['has no WebAssembly', undefined],
    ['refuses to compile', STRICT],
    ['has WebAssembly without SIMD', WITHOUT_SIMD],
  ])('end in plain TypeScript and in BACKEND_UNAVAILABLE where the runtime %s', async (_, webAssembly) => {
    const { CAD, CurvadError, defaultBackend } = await packageWith(webAssembly);
    expect(defaultBackend()).toBe('js');
    const fallback = new CAD({ neighbors: 3 }).fit(ROWS);
    expect(fallback.backend).toBe('js');
    expect(fallback.scores).toEqual(new CAD({ neighbors: 3, backend: 'js' }).fit(ROWS).scores);
    for (const backend of ['wasm', 'wasm-simd'] as const) {
      const act = () => new CAD({ neighbors: 3, backend }).fit(ROWS);
      expect(act, backend).toThrow(CurvadError);
      expect(act, backend).toThrow(expect.objectContaining({ code: 'BACKEND_UNAVAILABLE' }));
    }
  });

  it.each(['wasm', 'wasm-simd'] as const)('name the policy that refuses to compile: %s', async (backend) => {
    const { CAD } = await packageWith(STRICT);
    expect(() => new CAD({ neighbors: 3, backend }).fit(ROWS)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("'wasm-unsafe-eval'") }),
    );
  });
});

describe('js', () => {
  it('never touches WebAssembly', async () => {
    const { CAD, NearestNeighbors } = await packageWith(FORBIDDEN);
    const detector = new CAD({ neighbors: 3, backend: 'js' }).fit(ROWS);
    const loaded = CAD.load(detector.toBytes(), { backend: 'js' });
    expect(loaded.score(ROWS)).toEqual(detector.score(ROWS));
    expect(loaded.gradient(ROWS)).toEqual(detector.gradient(ROWS));
    expect(new NearestNeighbors(ROWS, { backend: 'js' }).ofEachRow(2).k).toBe(2);
  });
});

describe('the package', () => {
  it('compiles nothing and takes no memory before it is used', async () => {
    await expect(packageWith(FORBIDDEN)).resolves.toHaveProperty('CAD');
  });
});

const SECTION = { global: 6, start: 8, code: 10, data: 11, dataCount: 12 } as const;

/** The ids of the sections of a module. */
function sectionIds(bytes: Uint8Array): number[] {
  const ids: number[] = [];
  for (let at = 8; at < bytes.length; ) {
    ids.push(bytes[at++] as number);
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = bytes[at++] as number; // LEB128
      length += (byte & 0x7f) * 2 ** shift;
      more = byte >= 0x80;
    }
    at += length;
  }
  return ids;
}

describe('the WebAssembly', () => {
  const bytes = BINARY;
  const module = new WebAssembly.Module(bytes);

  it('imports nothing but the memory', () => {
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
  });

  it('exports functions and the memory, and nothing that changes', () => {
    const kinds = WebAssembly.Module.exports(module).map(({ name, kind }) => (name === 'memory' ? 'memory' : kind));
    expect(new Set(kinds)).toEqual(new Set(['function', 'memory']));
  });

  it('has no data, no globals and no start function: it keeps no state', () => {
    const ids = sectionIds(bytes);
    expect(ids).toContain(SECTION.code);
    for (const id of [SECTION.global, SECTION.start, SECTION.data, SECTION.dataCount]) expect(ids).not.toContain(id);
  });

  it('leaves the memory as it was when it is instantiated', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
    new Uint8Array(memory.buffer).fill(0xa5);
    new WebAssembly.Instance(module, { env: { memory } });
    expect(new Uint8Array(memory.buffer).every((byte) => byte === 0xa5)).toBe(true);
  });

  it('is at most 72 KB', () => {
    expect(bytes.length).toBeLessThanOrEqual(72 * 1024);
  });
});
