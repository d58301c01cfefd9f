// The layout of the WebAssembly memory: live segments never overlap, gaps are used again, and tenants
// give way in the order of their last use. On a real memory, with nothing of the detectors.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { CurvadError } from '../../../../src/core/errors.js';
import { Arena, type Evictable, type Segment } from '../../../../src/core/wasm/memory/arena.js';
import { Random } from '../../../support/data.js';

const MB = 2 ** 20;
/** Below this size the memory grows before anyone has to move out. */
const COMFORTABLE = 32 * MB;

const newArena = (): Arena => new Arena(new WebAssembly.Memory({ initial: 1, maximum: 65536 }));

function expectApart(segment: Segment, live: Iterable<Segment>): void {
  for (const other of live) {
    const isApart = segment.start >= other.start + other.size || other.start >= segment.start + segment.size;
    if (!isApart) expect.fail(`${JSON.stringify(segment)} overlaps ${JSON.stringify(other)}`);
  }
}

class Guest implements Evictable {
  readonly evict = vi.fn();
}

/** Guests of 4 MB each, as many as there is comfortable room for. */
function fullHouse(arena: Arena): Array<{ guest: Guest; segment: Segment }> {
  return Array.from({ length: 7 }, () => {
    const guest = new Guest();
    return { guest, segment: arena.allocateEvictable(4 * MB, guest, guest) };
  });
}

const timesMoved = (house: Array<{ guest: Guest }>) => house.map(({ guest }) => guest.evict.mock.calls.length);

describe('segments', () => {
  it.each([-64, -1e200, Number.NaN, 2 ** 40])('of %s bytes are refused', (bytes) => {
    const arena = newArena();
    const segment = arena.allocate(64);
    expect(() => arena.allocate(bytes)).toThrow(CurvadError);
    expectApart(arena.allocate(64), [segment]);
    expect(arena.isEmpty).toBe(false);
  });

  it('never overlap, lie within the memory and are used again in 20,000 random steps', () => {
    const arena = newArena();
    const random = new Random(4);
    const live: Segment[] = [];
    let bytes = 0;
    let mostBytes = 0;
    for (let step = 0; step < 20_000; step++) {
      if (live.length > 0 && (live.length > 150 || random.uniform() < 0.5)) {
        const [segment] = live.splice(random.integer(live.length), 1) as [Segment];
        arena.free(segment);
        bytes -= segment.size;
      } else {
        const wanted = 1 + Math.floor(10 ** (5 * random.uniform()));
        const segment = arena.allocate(wanted);
        expectApart(segment, live);
        if (segment.start < 1024 || segment.start + segment.size > arena.size || segment.start % 64 !== 0) {
          expect.fail(`${JSON.stringify(segment)} is out of place in ${arena.size} bytes`);
        }
        if (segment.size < wanted) expect.fail(`asked for ${wanted} bytes, got ${segment.size}`);
        live.push(segment);
        bytes += segment.size;
        mostBytes = Math.max(mostBytes, bytes);
      }
    }
    expect(arena.size).toBeLessThan(2 * mostBytes + MB);
    const before = arena.size;
    for (const segment of live) arena.free(segment);
    arena.allocate(before - 1024); // all gaps are one again
    expect(arena.size).toBe(before);
  });

  it('fill the gap that was just freed', () => {
    const arena = newArena();
    const [, middle] = [arena.allocate(1000), arena.allocate(1000), arena.allocate(1000)] as const;
    arena.free(middle);
    expect(arena.allocate(1000)).toEqual(middle);
  });

  it('do not make the memory grow when the same size comes and goes', () => {
    const arena = newArena();
    arena.free(arena.allocate(3 * MB));
    const { size } = arena;
    for (let i = 0; i < 1000; i++) arena.free(arena.allocate(3 * MB - 64 * i));
    expect(arena.size).toBe(size);
  });

  it.each([5e9, 2 ** 32, Number.MAX_SAFE_INTEGER])('of an impossible size are refused: %d bytes', (bytes) => {
    const arena = newArena();
    const kept = arena.allocate(1000);
    const act = () => arena.allocate(bytes);
    expect(act).toThrow(CurvadError);
    expect(act).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
    expect(arena.size, 'nothing grows for it').toBe(65536);
    expectApart(arena.allocate(1000), [kept]);
  });

  it('are refused where the runtime does not let the memory grow', () => {
    const arena = new Arena(new WebAssembly.Memory({ initial: 1, maximum: 4 }));
    const live = [arena.allocate(60_000)];
    expect(() => arena.allocate(10 * 65536)).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
    for (let i = 0; i < 3; i++) {
      const segment = arena.allocate(50_000);
      expectApart(segment, live);
      live.push(segment);
    }
  });
});

describe('views', () => {
  it('are made once and renewed after growth, with what was written', () => {
    const arena = newArena();
    const { reals, words } = arena;
    expect([arena.reals === reals, arena.words === words]).toEqual([true, true]);
    const { start } = arena.allocate(64);
    reals[start / 8] = Math.PI;
    arena.allocate(MB);
    expect(reals.length, 'the old view is detached').toBe(0);
    expect([arena.reals.byteLength, arena.words.byteLength]).toEqual([arena.size, arena.size]);
    expect(arena.reals[start / 8]).toBe(Math.PI);
    arena.words[start / 4] = 7;
    expect(new Uint32Array(arena.buffer, start, 1)[0]).toBe(7);
  });
});

describe('tenants', () => {
  it('stay while the memory is small', () => {
    const arena = newArena();
    const house = fullHouse(arena);
    expect(timesMoved(house)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(arena.size).toBeLessThanOrEqual(COMFORTABLE + 4 * MB);
  });

  it('are moved out one by one, least recently used first, each once', () => {
    const arena = newArena();
    const house = fullHouse(arena);
    const newcomers: Guest[] = [];
    const order: number[] = [];
    for (const [i, { guest }] of house.entries()) guest.evict.mockImplementation(() => order.push(i));
    while (order.length < house.length && newcomers.length < 20) {
      const guest = new Guest();
      newcomers.push(guest);
      arena.allocateEvictable(4 * MB, guest, guest);
    }
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(timesMoved(house)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(arena.size).toBeLessThanOrEqual(COMFORTABLE + 4 * MB);
  });

  it('are moved out before their memory is given away', () => {
    const arena = newArena();
    const guest = new Guest();
    const segment = arena.allocateEvictable(20 * MB, guest, guest);
    arena.words[segment.start / 4] = 42;
    let seen: number | undefined;
    guest.evict.mockImplementation(() => {
      seen = arena.words[segment.start / 4];
    });
    const next = arena.allocate(20 * MB);
    arena.words[next.start / 4] = 1;
    expect(seen).toBe(42);
  });

  it('are not moved out for what is much smaller, as long as the memory can grow', () => {
    const arena = newArena();
    const large = new Guest();
    arena.allocateEvictable(100 * MB, large, large);
    arena.allocate(2 * MB);
    expect(large.evict).not.toHaveBeenCalled();
    const bounded = new Arena(new WebAssembly.Memory({ initial: 1, maximum: (101 * MB) / 65536 }));
    const only = new Guest();
    bounded.allocateEvictable(100 * MB, only, only);
    bounded.allocate(2 * MB);
    expect(only.evict).toHaveBeenCalledTimes(1);
  });

  it('that were just used are moved out last', () => {
    const arena = newArena();
    const house = fullHouse(arena);
    arena.touch((house[0] as { segment: Segment }).segment);
    arena.touch((house[2] as { segment: Segment }).segment);
    const room = arena.allocate(12 * MB);
    const moved = timesMoved(house);
    expect([moved[0], moved[2]]).toEqual([0, 0]);
    expect(moved[1]).toBe(1);
    const stayed = house.filter((_, i) => moved[i] === 0).map(({ segment }) => segment);
    expectApart(room, stayed);
  });

  it('leave room when they freeEvictable, and are not moved out any more', () => {
    const arena = newArena();
    const house = fullHouse(arena);
    const { size } = arena;
    for (const { segment } of house) arena.freeEvictable(segment);
    arena.allocate(28 * MB);
    expect(arena.size).toBe(size);
    expect(timesMoved(house)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('that were moved out cannot give away the memory of the next', () => {
    const arena = newArena();
    const first = new Guest();
    const old = arena.allocateEvictable(20 * MB, first, first);
    const next = arena.allocateEvictable(20 * MB, new Guest(), {});
    expect(first.evict).toHaveBeenCalledOnce();
    arena.freeEvictable(old);
    arena.touch(old);
    expectApart(arena.allocate(MB), [next]);
  });

  it('all move out when one needs everything, and the memory grows by what is missing', () => {
    const arena = newArena();
    const house = fullHouse(arena);
    arena.allocate(64 * MB);
    expect(timesMoved(house)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(arena.size).toBeLessThanOrEqual(66 * MB);
  });

  it('never overlap under random use', () => {
    const arena = newArena();
    const random = new Random(5);
    const live = new Map<Guest, Segment>();
    for (let step = 0; step < 3000; step++) {
      const [guest, segment] = [...live][random.integer(live.size)] ?? [];
      const choice = random.uniform();
      if (guest !== undefined && segment !== undefined && choice < 0.2) {
        arena.freeEvictable(segment);
        live.delete(guest);
      } else if (segment !== undefined && choice < 0.4) {
        arena.touch(segment);
      } else {
        const newcomer = new Guest();
        newcomer.evict.mockImplementation(() => live.delete(newcomer));
        const rented = arena.allocateEvictable(1 + random.integer(2 * MB), newcomer, newcomer);
        expectApart(rented, live.values());
        live.set(newcomer, rented);
      }
    }
    expect(arena.size).toBeLessThan(COMFORTABLE + 8 * MB);
  });

  it('whose owners are forgotten leave room after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const arena = newArena();
    rentAndForget(arena);
    const { size } = arena;
    const deadline = Date.now() + 10_000;
    let segment = arena.allocate(64);
    while (segment.start > 1024 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      collect();
      arena.free(segment);
      segment = arena.allocate(64);
    }
    expect(segment.start).toBe(1024);
    expect(arena.size).toBe(size);
  });
});

function rentAndForget(arena: Arena): void {
  arena.allocateEvictable(MB, { evict: () => undefined }, {});
}
