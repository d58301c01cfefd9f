// One instance of the WebAssembly module and its memory, for one build. Most point sets of a build share it, because
// in browsers every WebAssembly.Memory reserves gigabytes of address space. WebAssembly memory cannot shrink, so
// models above 16 MB get their own instance, freed with the model.
// Where the runtime can, memory is shared with other threads: each of them works on it with an instance of its own.
import { instantiateSync } from '@assemblyscript/loader';
import type { Room, SharedMemory } from '../backend.js';
import { binary } from './binaries.js';
import type { Binary, Build } from './build.js';
import { type Exports, SearchCall } from './contract.js';
import { ARENA_SOFT_LIMIT_BYTES, Arena } from './memory/arena.js';
import { MemoryRecord } from './memory/record.js';
import { canShareWasmMemory, forSharedMemory } from './memory/sharing.js';
import { SEARCH_CALL } from './search/search-call.js';

export interface Core {
  readonly build: Build;
  readonly loops: Exports;
  readonly arena: Arena;
  readonly module: WebAssembly.Module;
  /** The record that search calls read, and where it is. */
  readonly searchCall: MemoryRecord<typeof SearchCall>;
  readonly call: number;
  /** Given if other threads can work on the memory. */
  readonly shared: SharedMemory | undefined;
}

/**
 * Enough for small jobs; pages use no memory until they are written. Once a memory has grown, V8 checks with every access
 * to any typed array of the program whether its buffer is detached.
 */
const FIRST_PAGES = 32;
/** Data of more bytes get their own memory. */
const OWN_MEMORY_MIN_BYTES = ARENA_SOFT_LIMIT_BYTES / 2;

const cores = new Map<Build, Core>();
/** A large core that is no longer used. The next job may reuse it before it is garbage-collected. */
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

/** The core for data of `bytes` bytes: the shared one, or a new one. */
export function coreFor(shared: Core, bytes: number): Core {
  if (bytes <= OWN_MEMORY_MIN_BYTES) return shared;
  const core = spare?.deref();
  if (core?.build === shared.build && core.arena.isEmpty) return core;
  try {
    return withMemory(shared.build, shared.module, shared.shared !== undefined);
  } catch {
    return shared; // there is no address space for another memory
  }
}

/**
 * Keeps a core for reuse, as memory that was already touched is faster. The WeakRef keeps the core only until the current
 * task ends, so this helps fits in a row.
 */
export function giveBack(core: Core): void {
  if (spare?.deref() !== core) spare = new WeakRef(core);
}

/** An instance for memory of another thread, which has a room there. */
export function guestCore(build: Build, { memory, module, room }: SharedMemory & { readonly room: Room }): Core {
  const arena = new Arena(memory, room);
  const { start } = arena.allocate(SearchCall.size);
  return coreIn(build, arena, start, { memory, code: module, isShared: true });
}

function start(build: Build, code: Binary): Core {
  const shared = code instanceof Uint8Array && canShareWasmMemory() ? forSharedMemory(code) : undefined;
  try {
    if (shared !== undefined) return withMemory(build, shared, true);
  } catch {
    // The runtime has shared memory, but not here.
  }
  return withMemory(build, code, false);
}

function withMemory(build: Build, code: Binary, isShared: boolean): Core {
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: 65536, shared: isShared });
  return coreIn(build, new Arena(memory), SEARCH_CALL, { memory, code, isShared });
}

function coreIn(
  build: Build,
  arena: Arena,
  call: number,
  { memory, code, isShared }: { memory: WebAssembly.Memory; code: Binary; isShared: boolean },
): Core {
  const { module, instance } = instantiateSync(code, { env: { memory } });
  const loops = instance.exports as unknown as Exports;
  const searchCall = new MemoryRecord(arena, SearchCall, call);
  return { build, loops, arena, module, searchCall, call, shared: isShared ? { memory, module } : undefined };
}
