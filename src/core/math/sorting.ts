// Sorting of values and of their indices, in steps.
import { inBlocks, type Steps } from '../steps.js';

/** Values sorted or merged at a time: about a millisecond. */
const RUN = 2 ** 13;
/** Most values in a bin. */
const CROWD = 32;
/** Of a double. */
const BYTES = 8;

/** Sorts in place, ascending: short runs are sorted at once, and the runs are merged. */
export function* sortValues<Values extends Float64Array | Uint32Array>(values: Values): Steps<Values> {
  for (let start = 0; start < values.length; start += RUN) {
    if (start > 0) yield;
    values.subarray(start, start + RUN).sort();
  }
  yield* mergeRuns(values);
  return values;
}

/** The indices 0 … n − 1 of values in ascending order, ties by index. */
export function* ascendingOrder(values: Float64Array): Steps<Uint32Array> {
  return (values.length <= RUN ? orderByBins(values) : undefined) ?? (yield* orderByBytes(values));
}

/**
 * The order of evenly distributed values, by as many bins as values. Undefined if too many share a bin.
 */
function orderByBins(values: Float64Array): Uint32Array | undefined {
  const count = values.length;
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    least = Math.min(least, values[i] as number);
    most = Math.max(most, values[i] as number);
  }
  const bins = count / (most - least);
  if (!(bins < Infinity && bins > 0)) return undefined;
  const next = new Uint32Array(count + 2);
  for (let i = 0; i < count; i++) {
    const bin = Math.floor(((values[i] as number) - least) * bins) + 1;
    next[bin] = (next[bin] as number) + 1;
  }
  for (let bin = 1; bin < next.length; bin++) {
    if ((next[bin] as number) > CROWD) return undefined;
    next[bin] = (next[bin] as number) + (next[bin - 1] as number);
  }
  const places = new Uint32Array(count);
  for (let place = 0; place < count; place++) {
    const bin = Math.floor(((values[place] as number) - least) * bins);
    const at = next[bin] as number;
    places[at] = place;
    next[bin] = at + 1;
  }
  insertPlaces(places, values);
  return places;
}

/** Sorts indices that are nearly in order. */
function insertPlaces(places: Uint32Array, values: Float64Array): void {
  for (let at = 1; at < places.length; at++) {
    const place = places[at] as number;
    const value = values[place] as number;
    let to = at;
    for (; to > 0 && (values[places[to - 1] as number] as number) > value; to--) places[to] = places[to - 1] as number;
    places[to] = place;
  }
}

/** A radix sort, byte by byte from the lowest: without comparisons there are no mispredicted branches. */
function* orderByBytes(values: Float64Array): Steps<Uint32Array> {
  const count = values.length;
  const keys = yield* sortableWords(values);
  const counts = new Uint32Array(BYTES * 256);
  yield* inBlocks(count, BYTES, (from, to) => countBytes(keys, counts, from, to));
  let places = new Uint32Array(count);
  for (let place = 0; place < count; place++) places[place] = place;
  let sorted = new Uint32Array(count);
  for (let byte = 0; byte < BYTES; byte++) {
    const next = counts.subarray(byte * 256, (byte + 1) * 256);
    if (next.includes(count)) continue; // all values share this byte
    for (let bin = 0, before = 0; bin < 256; bin++) {
      const own = next[bin] as number;
      next[bin] = before;
      before += own;
    }
    const move: Move = { places, sorted, keys, byte, next };
    yield* inBlocks(count, BYTES, (from, to) => moveByByte(move, from, to));
    [places, sorted] = [sorted, places];
  }
  return places;
}

/** The bits of each value as two words, the lower first, ordered as unsigned integers like the values. */
function* sortableWords(values: Float64Array): Steps<Uint32Array> {
  const doubles = new Float64Array(values.length);
  const words = new Uint32Array(doubles.buffer);
  yield* inBlocks(values.length, BYTES, (from, to) => {
    for (let i = from; i < to; i++) {
      doubles[i] = (values[i] as number) + 0; // −0 is 0
      const high = words[2 * i + 1] as number;
      const isNegative = high >>> 31 === 1;
      // The larger a negative number's bits, the smaller it is.
      if (isNegative) words[2 * i] = ~(words[2 * i] as number);
      words[2 * i + 1] = isNegative ? ~high : high ^ 0x80000000;
    }
  });
  return words;
}

/** Counts of each byte's values: 256 a byte. */
function countBytes(keys: Uint32Array, counts: Uint32Array, from: number, to: number): void {
  for (let word = 2 * from; word < 2 * to; word++) {
    const first = (word & 1) * 1024;
    for (let rest = keys[word] as number, bins = first; bins < first + 1024; bins += 256, rest >>>= 8) {
      const bin = bins + (rest & 255);
      counts[bin] = (counts[bin] as number) + 1;
    }
  }
}

/** Indices while they are moved by one byte. */
interface Move {
  readonly places: Uint32Array;
  readonly sorted: Uint32Array;
  readonly keys: Uint32Array;
  readonly byte: number;
  /** Where the next index of each byte goes. */
  readonly next: Uint32Array;
}

/** Moves the indices at from … to − 1 to the next free position for their byte. */
function moveByByte({ places, sorted, keys, byte, next }: Move, from: number, to: number): void {
  const word = byte >> 2;
  const shift = (byte & 3) * 8;
  for (let at = from; at < to; at++) {
    const place = places[at] as number;
    const bin = ((keys[2 * place + word] as number) >>> shift) & 255;
    const end = next[bin] as number;
    sorted[end] = place;
    next[bin] = end + 1;
  }
}

/** Merges sorted runs, in place. */
function* mergeRuns(values: Float64Array | Uint32Array): Steps<void> {
  const count = values.length;
  if (count <= RUN) return;
  let from = values;
  let into: Float64Array | Uint32Array = values.slice();
  for (let length = RUN; length < count; length *= 2) {
    for (let start = 0; start < count; start += 2 * length) {
      yield* merge(from, into, start, Math.min(start + length, count), Math.min(start + 2 * length, count));
    }
    [from, into] = [into, from];
  }
  if (from !== values) values.set(from);
}

/** Merges start … middle − 1 and middle … end − 1. */
function* merge(
  from: Float64Array | Uint32Array,
  into: Float64Array | Uint32Array,
  start: number,
  middle: number,
  end: number,
): Steps<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    if ((at - start) % RUN === RUN - 1) yield;
    const isLeft = right === end || (left < middle && (from[left] as number) <= (from[right] as number));
    into[at] = from[isLeft ? left++ : right++] as number;
  }
}
