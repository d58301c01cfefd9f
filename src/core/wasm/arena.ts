// The layout of the WebAssembly memory, kept here in JavaScript: a sorted list of gaps, first fit.
// Tenants (point sets) may be moved out when room is short, least recently used first, so that
// thousands of forgotten models cost no more than a few: a tenant that is moved out keeps its rows in an
// ordinary array and moves back in when it is used again.
import { CurvadError } from '../errors.js';

const PAGE = 65536;
const LIMIT = 65536 * PAGE;
/** Below this address lies the frame. */
const FIRST = 1024;
const ALIGNMENT = 64;
/** Beyond this size, tenants are moved out before the memory grows. */
export const COMFORTABLE = 32 * 2 ** 20;

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
 * Someone whose segment can be taken back: `moveOut` must copy what it needs. It must not refer to its
 * owner, whose being forgotten ends the tenancy.
 */
export interface Tenant {
  moveOut(): void;
}

/** A tenant that leaves nothing behind: what it has in memory can be put there again. */
export class Passing implements Tenant {
  segment: Segment | undefined;

  moveOut(): void {
    this.segment = undefined;
  }
}

interface Tenancy extends Segment {
  readonly tenant: Tenant;
}

export class Arena {
  readonly #memory: WebAssembly.Memory;
  #gaps: Gap[];
  /** In order of use, least recent first. */
  readonly #tenancies = new Set<Tenancy>();
  readonly #forgotten = new FinalizationRegistry<Tenancy>((tenancy) => this.#end(tenancy));
  #reals = new Float64Array(0);
  #words = new Uint32Array(0);

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
    this.#gaps = [{ start: FIRST, size: memory.buffer.byteLength - FIRST }];
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
    const segment = this.#take(size) ?? this.#makeRoom(size);
    if (segment !== undefined) return segment;
    throw new CurvadError(
      'OUT_OF_MEMORY',
      `${Math.ceil(bytes / 2 ** 20)} MiB do not fit the WebAssembly memory: ${remedy}`,
    );
  }

  free(segment: Segment): void {
    const { start, size } = segment;
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
   * Allocates for a tenant, who may be moved out later. When its owner is garbage, so is the tenancy. (A
   * WeakRef to the owner would not do: it keeps what it refers to until the end of the running job, and a
   * loop that fits a thousand models is one job.)
   */
  rent(bytes: number, tenant: Tenant, owner: object, remedy?: string): Segment {
    const segment = this.allocate(bytes, remedy);
    const tenancy: Tenancy = { ...segment, tenant };
    this.#tenancies.add(tenancy);
    this.#forgotten.register(owner, tenancy, tenancy);
    return tenancy;
  }

  /** Marks a tenant's segment as just used. */
  touch(segment: Segment): void {
    const tenancy = segment as Tenancy;
    if (this.#tenancies.delete(tenancy)) this.#tenancies.add(tenancy);
  }

  /** Ends a tenancy. */
  vacate(segment: Segment): void {
    this.#forgotten.unregister(segment);
    this.#end(segment as Tenancy);
  }

  #end(tenancy: Tenancy): void {
    if (this.#tenancies.delete(tenancy)) this.free(tenancy);
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

  /** Grows while the memory is small; otherwise moves tenants out first, and grows if that is not enough. */
  #makeRoom(size: number): Segment | undefined {
    if (this.size + size > COMFORTABLE) {
      for (const tenancy of [...this.#tenancies]) {
        tenancy.tenant.moveOut();
        this.vacate(tenancy);
        const segment = this.#take(size);
        if (segment !== undefined) return segment;
      }
    }
    return this.#grow(size) ? this.#take(size) : undefined;
  }

  /** Grows by at least an eighth if it can, so that growing step by step stays cheap. */
  #grow(size: number): boolean {
    const before = this.size;
    const last = this.#gaps[this.#gaps.length - 1];
    const tail = last !== undefined && last.start + last.size === before ? last.size : 0;
    const needed = size - tail;
    if (before + needed > LIMIT) return false;
    for (const bytes of [Math.min(Math.max(needed, before / 8), LIMIT - before), needed]) {
      const pages = Math.ceil(bytes / PAGE);
      try {
        this.#memory.grow(pages);
      } catch {
        continue;
      }
      this.free({ start: before, size: pages * PAGE });
      return true;
    }
    return false;
  }
}
