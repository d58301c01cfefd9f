// Packs files that are much alike as text. assembly/unpack.ts unpacks it, and says how: this is the same the other way
// around, by the same names. What to copy is chosen (copies.js) by what the bits cost when they were last written.
import { readFileSync } from 'node:fs';
import { candidatesIn, cheapestSteps, Prices } from './copies.js';

const MOST = 2047;
const SURE_BITS = 12;
const MANY = 15;

const AFTER = 0;
const INSTEAD = AFTER + 65536;
const IS_COPY = INSTEAD + 65536;
const IS_COPY_INSTEAD = IS_COPY + 512;
const IS_REPEATED = IS_COPY_INSTEAD + 512;
const LENGTH_REPEATED = IS_REPEATED + 128;
const LENGTH = LENGTH_REPEATED + 128;
const DISTANCE = LENGTH + 128;
const CONTEXTS = DISTANCE + 5 * 128;

/** Characters from # on, without the backslash: none needs an escape between double quotes. */
const DIGITS = Array.from({ length: 92 }, (_, i) => String.fromCharCode(35 + i)).filter((c) => c !== '\\');
const BASE = DIGITS.length;
/** What the first digit that is not out counts. */
const UNIT = BASE ** 4;

/** Further ones gain some bytes only. */
const PASSES = 8;

/** @param {readonly Uint8Array[]} files */
export function pack(files) {
  const bytes = Uint8Array.from(Buffer.concat([Uint8Array.of(0), ...files]));
  const candidates = candidatesIn(bytes);
  let prices = new Prices(bytes.length);
  let smallest;
  for (let pass = 0; pass < PASSES; pass++) {
    const steps = cheapestSteps(bytes, candidates, prices);
    prices = new Prices(bytes.length);
    const code = write(bytes, steps, prices);
    if (smallest === undefined || code.length < smallest.length) smallest = code;
  }
  const unpacker = readFileSync(new URL('../build/unpack.wasm', import.meta.url), 'base64');
  return { code: smallest, unpacker, sizes: files.map(({ length }) => length) };
}

/** The code of steps from byte to byte, each a new byte (distance 0) or a copy. Notes what they cost. */
function write(bytes, steps, prices) {
  const { bit, number, finish } = writer();
  let last = 1;
  let isAfterCopy = 0;
  for (const { at, length, distance } of steps) {
    const before = bytes[at - 1];
    const expected = bytes[at - last];
    const isCopy = distance > 0 ? 1 : 0;
    const cost = bit(IS_COPY + 256 * isAfterCopy + before, IS_COPY_INSTEAD + 256 * isAfterCopy + expected, isCopy);
    prices.isCopy.note(2 * isAfterCopy + isCopy, cost);
    if (isCopy) {
      const isRepeated = !isAfterCopy && distance === last ? 1 : 0;
      if (!isAfterCopy) prices.isRepeated.note(isRepeated, bit(IS_REPEATED, IS_REPEATED, isRepeated));
      if (isRepeated) prices.lengthRepeated.note(length, number(LENGTH_REPEATED, LENGTH_REPEATED, length));
      else {
        prices.length.note(length - 1, number(LENGTH, LENGTH, length - 1));
        prices.distance.note(distance, number(DISTANCE, DISTANCE + 128 * Math.min(length - 1, 4), distance));
      }
      last = distance;
    } else {
      const after = AFTER + 256 * before;
      const instead = INSTEAD + 256 * expected;
      prices.newByte[at] = 0;
      for (let left = 7; left >= 0; left--) {
        const byte = (256 + bytes[at]) >> left;
        prices.newByte[at] += bit(after + (byte >> 1), instead + (byte >> 1), byte & 1);
      }
    }
    isAfterCopy = isCopy;
  }
  return finish();
}

/** Writes bits, each expected as in the two contexts that it stands in. Returns what each cost, itself in bits. */
function writer() {
  const leanings = new Int16Array(CONTEXTS);
  const counts = new Uint8Array(CONTEXTS);
  /** The code is a number from `low` on, less than `range` above it; digits before those in `low` are out. */
  const out = [];
  let low = 0;
  let range = UNIT;

  function learn(context, isOne) {
    const target = isOne ? MOST : -MOST;
    leanings[context] += Math.trunc((2 * (target - leanings[context])) / (2 * counts[context] + 3));
    counts[context] = Math.min(counts[context] + 1, MANY);
  }

  function putDigit() {
    out.push(Math.floor(low / UNIT));
    low = (low % UNIT) * BASE;
  }

  function bit(a, b, isOne) {
    for (; range < 2 ** 24; range *= BASE) putDigit();
    const share = (range >> (SURE_BITS + 1)) * (2 ** SURE_BITS + leanings[a] + leanings[b]);
    const cost = Math.log2(range / (isOne ? share : range - share));
    if (isOne) range = share;
    else {
      range -= share;
      low += share;
      if (low >= UNIT * BASE) carry();
    }
    learn(a, isOne);
    if (a !== b) learn(b, isOne);
    return cost;
  }

  function carry() {
    low -= UNIT * BASE;
    let at = out.length - 1;
    for (; out[at] === BASE - 1; at--) out[at] = 0;
    out[at]++;
  }

  function number(a, b, value) {
    let cost = 0;
    for (let left = 31 - Math.clz32(value); ; left--) {
      const digits = value >> left;
      const place = 2 * (digits < 16 ? digits : 47 - Math.clz32(digits));
      cost += bit(a + place, b + place, left > 0 ? 1 : 0);
      if (left === 0) return cost;
      cost += bit(a + place + 1, b + place + 1, (value >> (left - 1)) & 1);
    }
  }

  /** The first digit is 0: the range began that small. */
  function finish() {
    for (let digits = 0; digits < 5; digits++) putDigit();
    return out
      .slice(1)
      .map((digit) => DIGITS[digit])
      .join('');
  }

  return { bit, number, finish };
}
