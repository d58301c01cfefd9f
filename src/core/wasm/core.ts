// One instance of the WebAssembly module and its memory, for one build. Most point sets of a build share it: in
// browsers every WebAssembly.Memory reserves gigabytes of address space. But no memory ever shrinks, so what is
// large has one of its own, which goes when it goes.
import { instantiateSync } from '@assemblyscript/loader';
import { Arena, COMFORTABLE } from './arena.js';
import { binary } from './binaries.js';
import type { Binary, Build } from './build.js';
import { type Exports, Frame } from './contract.js';
import { FRAME } from './frame.js';
import { MemoryRecord } from './record.js';

export interface Core {
  readonly build: Build;
  readonly loops: Exports;
  readonly arena: Arena;
  readonly module: WebAssembly.Module;
  /** What calls of the search work on. */
  readonly frame: MemoryRecord<typeof Frame>;
}

/**
 * Enough for small jobs, and no memory in use before it is written to. Once a memory has grown, V8 asks with every
 * access to any typed array of the program whether its buffer is still there.
 */
const FIRST_PAGES = 32;
/** Bytes that are too many for the memory all share: half of what is comfortable there. */
const LARGE = COMFORTABLE / 2;

const cores = new Map<Build, Core>();
/** A large core that has done its work: the next may have it, for as long as it is not collected. */
let spare: WeakRef<Core> | undefined;

/** Whether this runtime can run a build at all. Throws where it refuses to compile. */
export function isSupported(build: Build): boolean {
  if (typeof WebAssembly !== 'object') return false;
  const bytes = binary(build);
  return bytes instanceof WebAssembly.Module || (bytes !== undefined && WebAssembly.validate(bytes));
}

/** The instance of a build, compiled on first use. Throws where the runtime refuses to compile. */
export function coreOf(build: Build): Core {
  let core = cores.get(build);
  if (core === undefined) {
    core = start(build, binary(build) as Binary);
    cores.set(build, core);
  }
  return core;
}

/** A core for something of so many bytes: the one all share, or one of its own. */
export function coreFor(shared: Core, bytes: number): Core {
  if (bytes <= LARGE) return shared;
  const core = spare?.deref();
  if (core?.build === shared.build && core.arena.isEmpty) return core;
  try {
    return start(shared.build, shared.module);
  } catch {
    return shared; // there is no address space for another memory
  }
}

/**
 * Gives back a core of one's own: memory that was used before is used faster. For what is done before the next of its
 * kind: a WeakRef keeps its core until the running job ends.
 */
export function giveBack(core: Core): void {
  if (spare?.deref() !== core) spare = new WeakRef(core);
}

function start(build: Build, code: Binary): Core {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: 65536 });
  const { module, instance } = instantiateSync(code, { env: { memory } });
  const arena = new Arena(memory);
  const loops = instance.exports as unknown as Exports;
  return { build, loops, arena, module, frame: new MemoryRecord(arena, Frame, FRAME) };
}
