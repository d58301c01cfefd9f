// The compiled arithmetic of assembly/dense.ts, over a memory of its own for each network. It is compiled
// when this file is first imported and kept in build/ under the hash of its source; nothing of it reaches
// the package.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

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

const module = new WebAssembly.Module(await compiled('dense.ts'));

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

/** The binary of a file of assembly/. */
async function compiled(name: string): Promise<BufferSource> {
  const source = readFileSync(new URL(`./assembly/${name}`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const folder = new URL('../../../build/bench/', import.meta.url);
  const file = new URL(`${name}.${hash}.wasm`, folder);
  if (existsSync(file)) return new Uint8Array(readFileSync(file));
  const binary = await compile(name, source);
  // whole or not at all, also when several processes compile at once
  const draft = new URL(`${name}.${process.pid}.draft`, folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(draft, binary);
  renameSync(draft, file);
  return binary;
}

async function compile(name: string, source: string): Promise<Uint8Array<ArrayBuffer>> {
  const { main } = await import('assemblyscript/asc'); // large: only when there is something to compile
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const { error, stderr } = await main(
    [name, '--outFile', 'out.wasm', '--optimizeLevel', '3', '--runtime', 'stub', '--importMemory', '--enable', 'simd'],
    {
      readFile: (path) => (path === name ? source : null),
      writeFile: (_, contents) => {
        if (typeof contents !== 'string') binary = contents.slice();
      },
      listFiles: () => [],
    },
  );
  if (error || binary === undefined) throw new Error(`${name} does not compile: ${stderr.toString()}`);
  return binary;
}
