// Files damaged as transfers, editors, other programs and attackers damage them.
import type { Random } from '../../test/support/data.js';
import { pick } from './values.js';

/** A change of bytes, with places as shares of the length, so that it fits every file. */
export type Damage =
  | { readonly what: 'byte'; readonly at: number; readonly value: number }
  | { readonly what: 'number'; readonly at: number; readonly size: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly what: 'insert'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly what: 'remove' | 'repeat'; readonly at: number; readonly length: number }
  | { readonly what: 'move'; readonly at: number; readonly length: number; readonly to: number }
  | { readonly what: 'cut'; readonly at: number };

const SIZES = [1, 2, 4, 8] as const;
const WHOLE = [0, 1, -1, 2, 127, 128, 255, 256, 32_767, 65_535, 65_536, 2 ** 24, 2 ** 31 - 1, -(2 ** 31), 2 ** 40];

export function drawDamage(random: Random, words: readonly Uint8Array[]): Damage {
  const at = random.uniform();
  const length = 1 + Math.floor(40 * random.uniform() ** 2);
  switch (random.integer(9)) {
    case 0:
    case 1:
      return { what: 'byte', at, value: random.integer(256) };
    case 2:
      return { what: 'number', at, size: pick(random, SIZES), value: pick(random, WHOLE) };
    case 3:
      return { what: 'remove', at, length };
    case 4:
      return { what: 'repeat', at, length };
    case 5:
      return { what: 'move', at, length, to: random.uniform() };
    case 6:
      return { what: 'cut', at };
    default:
      return { what: 'insert', at, bytes: pick(random, words) };
  }
}

export function damaged(file: Uint8Array, damages: readonly Damage[]): Uint8Array<ArrayBuffer> {
  return damages.reduce<Uint8Array<ArrayBuffer>>(apply, new Uint8Array(file));
}

function apply(file: Uint8Array<ArrayBuffer>, damage: Damage): Uint8Array<ArrayBuffer> {
  const at = Math.floor(damage.at * file.length);
  const [before, after] = [file.subarray(0, at), file.subarray(at)];
  switch (damage.what) {
    case 'byte': {
      const copy = file.slice();
      if (copy.length > 0) copy[at] = damage.value;
      return copy;
    }
    case 'number': {
      const copy = file.slice();
      const bytes = new Uint8Array(new BigInt64Array([BigInt(damage.value)]).buffer, 0, damage.size);
      copy.set(bytes.subarray(0, copy.length - at), at);
      return copy;
    }
    case 'insert':
      return joined(before, damage.bytes, after);
    case 'remove':
      return joined(before, after.subarray(damage.length));
    case 'repeat':
      return joined(before, after.subarray(0, damage.length), after);
    case 'move': {
      const rest = joined(before, after.subarray(damage.length));
      const to = Math.floor(damage.to * rest.length);
      return joined(rest.subarray(0, to), after.subarray(0, damage.length), rest.subarray(to));
    }
    case 'cut':
      return before.slice();
  }
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
