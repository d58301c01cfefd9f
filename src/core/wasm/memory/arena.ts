// The layout of the WebAssembly memory, kept here in JavaScript: a sorted list of gaps, first fit.
// Point sets are evictable: when memory is short, the least recently used one is copied to an ordinary array,
// and moved back in when it is used again. So thousands of models cost no more WebAssembly memory than a few.
// What other threads work on stays where it is. A thread that works on memory of another lays out only what it adds to it;
// that belongs to the other again when the work is done.
import type { Leftovers } from '../../backend.js';
import { CurvadError } from '../../errors.js';

const PAGE = 65536;
const LIMIT = 65536 * PAGE;
/** Below this address lies the searchCall. */
const FIRST = 1024;
const ALIGNMENT = 64;
/** Above this size, evictable segments are evicted before the memory grows. */
export const ARENA_SOFT_LIMIT_BYTES = 32 * 2 ** 20;
/** Bytes of the room for a guest, at least. */
const LEAST_GUEST = 2 ** 18;
/** How many times as large as what needs room a segment may be to be evicted for it. */
const MOVED_FOR = 4;

interface Gap {
  start: number;
  size: number;
}

/** Memory in use. */
export interface Segment {
  readonly start: number;
  readonly size: number;
}

/**
 * Data in a segment that can be taken back: `evict` must copy what it needs. It must not refer to the owner of the
 * segment, because the segment is freed when the owner is garbage-collected.
 */
export interface Evictable {
  evict(): void;
}

/** A segment whose data can be written again: nothing is copied when it is evicted. */
export class EvictableSegment implements Evictable {
  segment: Segment | undefined;

  evict(): void {
    this.segment = undefined;
  }
}

interface Allocation extends Segment {
  readonly data: Evictable;
  /** How often it is kept where it is, and whether it is to be freed when it no longer is. */
  pins: number;
  isOver: boolean;
}

export class Arena {
  readonly #memory: WebAssembly.Memory;
  readonly #isGuest: boolean;
  #gaps: Gap[];
  /** What a guest added to the memory, and what it takes now and took at most. */
  readonly #added: Segment[] = [];
  #taken = 0;
  #mostTaken = 0;
  /** In order of use, least recent first. */
  readonly #evictable = new Set<Allocation>();
  readonly #forgotten = new FinalizationRegistry<Allocation>((allocation) => this.#end(allocation));
  #reals = new Float64Array(0);
  #words = new Uint32Array(0);
  /** Bytes that both look at. */
  #viewed = 0;
  /** Bytes of the room for the next guest. */
  #guestSize = LEAST_GUEST;

  /** @param room What a guest has in memory of another thread: all else there belongs to others. */
  constructor(memory: WebAssembly.Memory, room?: Segment) {
    this.#memory = memory;
    this.#isGuest = room !== undefined;
    this.#gaps = [room ?? { start: FIRST, size: memory.buffer.byteLength - FIRST }].map((gap) => ({ ...gap }));
  }

  /** What a guest leaves: its owner frees what was added to the memory. */
  get leftovers(): Leftovers {
    return { added: this.#added, taken: this.#mostTaken };
  }

  /** A room for a guest, about as large as what the last one took: memory need not grow for every guest. */
  roomForGuest(): Segment {
    return this.allocate(this.#guestSize);
  }

  /** Takes over what a guest leaves. */
  guestLeft(room: Segment, { added, taken }: Leftovers): void {
    for (const segment of [room, ...added]) this.free(segment);
    this.#guestSize = Math.max(LEAST_GUEST, taken);
  }

  /** The whole memory. Views on it are only good until the next allocation. */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  /** Bytes the memory has now; it never shrinks. */
  get size(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Whether nobody has anything in it. */
  get isEmpty(): boolean {
    return this.#gaps[0]?.size === this.size - FIRST;
  }

  /** The memory as f64. */
  get reals(): Float64Array {
    if (this.#reals.length === 0) this.#reals = new Float64Array(this.#memory.buffer);
    return this.#reals;
  }

  /** The memory as u32. */
  get words(): Uint32Array {
    if (this.#words.length === 0) this.#words = new Uint32Array(this.#memory.buffer);
    return this.#words;
  }

  /** @param remedy What the user can do where there is no room: it depends on what the room is for. */
  allocate(bytes: number, remedy = 'use fewer rows or columns'): Segment {
    const size = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    // A size that is none would make gaps that are none, and models would overwrite each other.
    const segment = size >= 0 && size <= LIMIT ? (this.#take(size) ?? this.#makeRoom(size)) : undefined;
    if (segment !== undefined) {
      if (segment.start + size > this.#viewed) this.#forgetViews();
      this.#taken += size;
      this.#mostTaken = Math.max(this.#mostTaken, this.#taken);
      return segment;
    }
    throw new CurvadError(
      'OUT_OF_MEMORY',
      `${Math.ceil(bytes / 2 ** 20)} MiB do not fit the WebAssembly memory: ${remedy}`,
    );
  }

  free(segment: Segment): void {
    this.#taken -= segment.size;
    this.#addGap(segment);
  }

  #addGap({ start, size }: Segment): void {
    const at = this.#gaps.findIndex((gap) => gap.start > start);
    this.#gaps.splice(at < 0 ? this.#gaps.length : at, 0, { start, size });
    const merged: Gap[] = [];
    for (const gap of this.#gaps) {
      const last = merged[merged.length - 1];
      if (last !== undefined && last.start + last.size === gap.start) last.size += gap.size;
      else merged.push({ ...gap });
    }
    this.#gaps = merged;
  }

  /**
   * Allocates a segment that may be evicted later, and is freed when its owner is garbage-collected. (A WeakRef to
   * the owner would not do: it keeps its target alive until the running job ends, and a loop that fits a thousand
   * models is one job.)
   */
  allocateEvictable(bytes: number, data: Evictable, owner: object, remedy?: string): Segment {
    const segment = this.allocate(bytes, remedy);
    const allocation: Allocation = { ...segment, data, pins: 0, isOver: false };
    this.#evictable.add(allocation);
    this.#forgotten.register(owner, allocation, allocation);
    return allocation;
  }

  /** Marks an evictable segment as just used. */
  touch(segment: Segment): void {
    const allocation = segment as Allocation;
    if (this.#evictable.delete(allocation)) this.#evictable.add(allocation);
  }

  /** Frees an evictable segment. */
  freeEvictable(segment: Segment): void {
    this.#forgotten.unregister(segment);
    this.#end(segment as Allocation);
  }

  /** Keeps an evictable segment where it is, also when it is freed, until it is unpinned as often. */
  pin(segment: Segment): void {
    (segment as Allocation).pins++;
  }

  unpin(segment: Segment): void {
    const allocation = segment as Allocation;
    if (--allocation.pins === 0 && allocation.isOver) this.#end(allocation);
  }

  #end(allocation: Allocation): void {
    allocation.isOver = true;
    if (allocation.pins === 0 && this.#evictable.delete(allocation)) this.free(allocation);
  }

  /** Views of memory that is shared stay as short as they were when it grows. */
  #forgetViews(): void {
    this.#reals = new Float64Array(0);
    this.#words = new Uint32Array(0);
    this.#viewed = this.size;
  }

  #take(size: number): Segment | undefined {
    const at = this.#gaps.findIndex((gap) => gap.size >= size);
    const gap = this.#gaps[at];
    if (gap === undefined) return undefined;
    const segment = { start: gap.start, size };
    if (gap.size === size) this.#gaps.splice(at, 1);
    else this.#gaps[at] = { start: gap.start + size, size: gap.size - size };
    return segment;
  }

  /** Grows while the memory is small; otherwise evicts first, and grows if that is not enough. */
  #makeRoom(size: number): Segment | undefined {
    const isSmall = this.size + size <= ARENA_SOFT_LIMIT_BYTES;
    // What is much larger stays where it is as long as there is more memory: moving it costs more.
    const segment = isSmall ? undefined : this.#evict(size, MOVED_FOR * size);
    if (segment !== undefined) return segment;
    return this.#grow(size) ? this.#take(size) : this.#evict(size, Infinity);
  }

  /** Evicts segments of up to so many bytes until there is room. */
  #evict(size: number, most: number): Segment | undefined {
    for (const allocation of [...this.#evictable]) {
      if (allocation.size > most || allocation.pins > 0) continue;
      allocation.data.evict();
      this.freeEvictable(allocation);
      const segment = this.#take(size);
      if (segment !== undefined) return segment;
    }
    return undefined;
  }

  /** Grows by at least an eighth if it can, so that growing step by step stays cheap; a guest by no more than it needs. */
  #grow(size: number): boolean {
    const before = this.size;
    const last = this.#gaps[this.#gaps.length - 1];
    const tail = last !== undefined && last.start + last.size === before ? last.size : 0;
    const needed = size - tail;
    if (before + needed > LIMIT) return false;
    const ample = this.#isGuest ? needed : Math.min(Math.max(needed, before / 8), LIMIT - before);
    for (const bytes of [ample, needed]) {
      const pages = Math.ceil(bytes / PAGE);
      const start = this.#growBy(pages);
      if (start === undefined) continue;
      const added = { start, size: pages * PAGE };
      this.#addGap(added);
      if (this.#isGuest) this.#added.push(added);
      // Another thread may have grown it at the same time, so that this is not behind what was free before.
      return start === before || this.#grow(size);
    }
    return false;
  }

  /** Where so many new pages begin; undefined where there are none. */
  #growBy(pages: number): number | undefined {
    try {
      return this.#memory.grow(pages) * PAGE;
    } catch {
      return undefined;
    }
  }
}
