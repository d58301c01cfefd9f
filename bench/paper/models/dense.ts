// The compiled arithmetic of assembly/dense.ts, over a memory of its own for each network. It is compiled
// when this file is imported: no build step, and nothing of it reaches the package.
import { readFile } from 'node:fs/promises';
import { main } from 'assemblyscript/asc';

type Call = (...values: number[]) => void;

export interface Dense {
  multiply: Call;
  transpose: Call;
  addIntercepts: Call;
  rectifyBack: Call;
  subtract: Call;
  squares: (count: number, x: number) => number;
  columnSums: Call;
  regularize: Call;
  adam: Call;
}

const module = await compile('dense.ts');

/** Room for some numbers, handed out piece by piece, and the functions that work on it. */
export class DenseMemory {
  readonly calls: Dense;
  readonly #memory: WebAssembly.Memory;
  #used = 0;

  constructor(numbers: number) {
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil((numbers * 8) / 65536) });
    const instance = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.calls = instance.exports as unknown as Dense;
  }

  /** The address of so many zeros. */
  take(numbers: number): number {
    const address = this.#used;
    this.#used += numbers * 8;
    if (this.#used > this.#memory.buffer.byteLength) throw new Error('the memory of the network is too small');
    return address;
  }

  view(address: number, numbers: number): Float64Array {
    return new Float64Array(this.#memory.buffer, address, numbers);
  }
}

async function compile(name: string): Promise<WebAssembly.Module> {
  const source = await readFile(new URL(`./assembly/${name}`, import.meta.url), 'utf8');
  const files = new Map<string, Uint8Array>();
  const { error, stderr } = await main(
    [name, '--outFile', 'out.wasm', '--optimizeLevel', '3', '--runtime', 'stub', '--importMemory', '--enable', 'simd'],
    {
      readFile: (path) => (path === name ? source : null),
      writeFile: (path, contents) => {
        if (typeof contents !== 'string') files.set(path, contents);
      },
      listFiles: () => [],
    },
  );
  const binary = files.get('out.wasm');
  if (error || binary === undefined) throw new Error(`${name} does not compile: ${stderr.toString()}`);
  return new WebAssembly.Module(binary.slice());
}
