// Points that another thread works on where they are: it gets a room for what it writes, and they stay in their place.
import type { Leftovers, LentBytes } from '../backend.js';
import type { Core } from './core.js';
import type { Arena, Segment } from './memory/arena.js';

/** A place that is lent, until that is ended. */
interface Lent {
  readonly bytes: LentBytes;
  end(leftovers?: Leftovers): void;
}

/** Lends a segment; undefined where memory cannot be shared, or where there is no room left for a guest. */
export function lendSegment({ shared, arena }: Core, segment: Segment): Lent | undefined {
  if (shared === undefined) return undefined;
  arena.pin(segment); // before room is made
  const room = roomIn(arena);
  if (room === undefined) {
    arena.unpin(segment);
    return undefined;
  }
  const place = { start: segment.start, size: segment.size };
  return {
    bytes: { ...shared, place, room },
    end(leftovers = { added: [], taken: 0 }) {
      arena.guestLeft(room, leftovers);
      arena.unpin(segment);
    },
  };
}

function roomIn(arena: Arena): Segment | undefined {
  try {
    return arena.roomForGuest();
  } catch {
    return undefined;
  }
}
