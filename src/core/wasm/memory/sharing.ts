// Memory on which several threads work at once, where the runtime has such memory. Rows and what is made of them for the
// search then exist once, whoever searches them.

/** Whether memory can be given to other threads without a copy. */
export function canShareMemory(): boolean {
  const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
  return typeof SharedArrayBuffer === 'function' && crossOriginIsolated !== false;
}

let canSend: boolean | undefined;

/** Whether the memory of WebAssembly can be given to them, too: not every runtime with web workers can send it. */
export function canShareWasmMemory(): boolean {
  if (!canShareMemory()) return false;
  canSend ??= isSent(() => new WebAssembly.Memory({ initial: 0, maximum: 1, shared: true }));
  return canSend;
}

function isSent(make: () => WebAssembly.Memory): boolean {
  try {
    return structuredClone(make()) instanceof WebAssembly.Memory;
  } catch {
    return false;
  }
}

/** Where the sections of a module begin, the one of its imports, an import of a memory, and what is said of that. */
const FIRST_SECTION = 8;
const IMPORTS = 2;
const MEMORY = 2;
const LIMITED = 1;
const LIMITED_AND_SHARED = 3;

/**
 * The same code for memory that is shared: only what is said of its import differs. Undefined where the memory is not the
 * only import, or has no limit.
 */
export function forSharedMemory(code: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const shared = code.slice();
  let at = FIRST_SECTION;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = shared[at++] as number;
      value |= (byte & 127) << shift;
      if (!(byte & 128)) return value;
    }
  };
  const skip = (bytes: number): void => {
    at += bytes;
  };
  while (at < shared.length) {
    const section = shared[at++];
    const size = number();
    if (section !== IMPORTS) {
      skip(size);
      continue;
    }
    const count = number();
    skip(number()); // the name of the module
    skip(number()); // the name of the import
    if (count !== 1 || shared[at] !== MEMORY || shared[at + 1] !== LIMITED) return undefined;
    shared[at + 1] = LIMITED_AND_SHARED;
    return shared;
  }
  return undefined;
}
