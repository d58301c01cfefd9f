// Plans and tables as JSON that keeps every number, −0 and NaN too, and bytes; and values that programs stumble over.
import type { Random } from '../../test/support/data.js';

function packed(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  if (typeof original === 'number' && (!Number.isFinite(original) || Object.is(original, -0)))
    return { $number: Object.is(original, -0) ? '-0' : String(original) };
  if (typeof original === 'bigint') return { $bigint: String(original) };
  if (original === undefined) return { $undefined: true };
  if (original instanceof Uint8Array) return { $bytes: Buffer.from(original).toString('base64') };
  return value;
}

function unpacked(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $number, $bytes, $bigint } = value as { $number?: string; $bytes?: string; $bigint?: string };
  if ($number !== undefined) return Number($number);
  if ($bigint !== undefined) return BigInt($bigint);
  if ($bytes !== undefined) return new Uint8Array(Buffer.from($bytes, 'base64'));
  return '$undefined' in value ? undefined : value;
}

export const toText = (value: unknown): string => JSON.stringify(value, packed, 1);
export const fromText = (text: string): unknown => JSON.parse(text, unpacked);

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[random.integer(values.length)] as Value;
}

export const chance = (random: Random, share: number): boolean => random.uniform() < share;

/** Numbers at the edges of what formats and arithmetic hold. */
export const EDGE_NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  3,
  7,
  255,
  256,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 40,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 31),
  1e-300,
  5e-324,
  1e-20,
  1e16,
  1e30,
  -1e31,
  3.4e38,
  1e100,
  1e150,
  1e154,
  1e200,
  -1e200,
  1.7976931348623157e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

/** Values of every type that an option or a field may hold by mistake. */
export const EDGE_VALUES: readonly unknown[] = [
  ...EDGE_NUMBERS,
  null,
  true,
  false,
  '',
  '1',
  'NaN',
  'constructor',
  '__proto__',
  'toString',
  [],
  [1],
  [null],
  [[]],
  {},
  { length: 3 },
  { valueOf: 1 },
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
  Array(50).fill(0),
];

/** All ways from an object to a value inside it. */
export function pathsOf(value: unknown, depth = 6): string[][] {
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.entries(value)
    .slice(0, 40)
    .flatMap(([key, inner]) => [[key], ...pathsOf(inner, depth - 1).map((path) => [key, ...path])]);
}

type Holder = Record<string, unknown>;

/** Sets or removes what a path leads to; does nothing where it leads nowhere. */
export function edit(object: unknown, path: readonly string[], value: unknown, isRemoval = false): void {
  const last = path.at(-1) as string;
  let holder = object;
  for (const key of path.slice(0, -1)) holder = (holder as Holder | null | undefined)?.[key];
  if (typeof holder !== 'object' || holder === null) return;
  if (isRemoval && Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (isRemoval) delete (holder as Holder)[last];
  else Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true });
}

/** Lists without some of their elements, large parts first. */
export function* shorter<Item>(items: readonly Item[], least = 0): Generator<Item[]> {
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < items.length; from += size) {
      const rest = [...items.slice(0, from), ...items.slice(from + size)];
      if (rest.length >= least) yield rest;
    }
  }
}
