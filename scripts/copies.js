// What pack.js should copy: the cheapest way through the bytes, each step of it a new byte or a copy of bytes that
// were there before.

/** Earlier places with the same two bytes that are looked at: the last so many. */
const MOST_PLACES = 1000;
/** Copies are taken in part up to this length, and else whole, up to the other. */
const MOST_PARTS = 64;
const MOST_BYTES = 4096;

/** The mean cost of numbers of about a size, and a guess where there was none. */
class Price {
  #sums = new Float64Array(64);
  #counts = new Float64Array(64);
  #guess;

  constructor(guess) {
    this.#guess = guess;
  }

  static #sizeOf(number) {
    return number < 16 ? number : 47 - Math.clz32(number);
  }

  note(number, cost) {
    const size = Price.#sizeOf(number);
    this.#sums[size] += cost;
    this.#counts[size]++;
  }

  of(number) {
    const size = Price.#sizeOf(number);
    return this.#counts[size] > 0 ? this.#sums[size] / this.#counts[size] : this.#guess(number);
  }
}

/** What steps cost, in bits. */
export class Prices {
  isCopy = new Price(() => 1); // 2 after a copy, and 1 if there is one
  isRepeated = new Price(() => 1);
  length = new Price((number) => 2 + 2 * Math.log2(number));
  lengthRepeated = new Price((number) => 2 + 2 * Math.log2(number));
  distance = new Price((number) => 4 + 1.5 * Math.log2(number));

  constructor(size) {
    this.newByte = new Float64Array(size).fill(6);
  }
}

/** For every place the copies that could begin there: for each length the one from nearest. */
export function candidatesIn(bytes) {
  const latest = new Int32Array(65536);
  const earlier = new Int32Array(bytes.length);
  return Array.from(bytes, (byte, at) => {
    const candidates = [];
    if (at === 0 || at + 1 === bytes.length) return candidates;
    const pair = 256 * byte + bytes[at + 1];
    earlier[at] = latest[pair];
    latest[pair] = at;
    let longest = 1;
    for (let from = earlier[at], places = 0; from > 0 && places < MOST_PLACES; from = earlier[from], places++) {
      if (longest === MOST_BYTES) break;
      if (bytes[from + longest] !== bytes[at + longest]) continue;
      const length = sameFrom(bytes, from, at);
      if (length <= longest) continue;
      longest = length;
      candidates.push({ length, distance: at - from });
    }
    return candidates;
  });
}

/** How many bytes are the same from two places on. */
function sameFrom(bytes, from, at) {
  const most = Math.min(bytes.length - at, MOST_BYTES);
  let length = 0;
  while (length < most && bytes[from + length] === bytes[at + length]) length++;
  return length;
}

/** The steps from the byte in place 1 to the end that cost least together, by given prices. */
export function cheapestSteps(bytes, candidates, prices) {
  const end = bytes.length;
  /** How each place is best arrived at: at what cost, from where, by a copy from how far back (0: by a new byte). */
  const costs = new Float64Array(end + 1).fill(Infinity);
  const origins = new Int32Array(end + 1);
  const distances = new Int32Array(end + 1);
  /** From how far back the last copy was then. */
  const lasts = new Int32Array(end + 1);
  costs[1] = 0;
  lasts[1] = 1;

  function step(at, length, distance, cost) {
    const to = at + length;
    if (cost >= costs[to]) return;
    costs[to] = cost;
    origins[to] = at;
    distances[to] = distance;
    lasts[to] = distance || lasts[at];
  }

  for (let at = 1; at < end; at++) {
    const afterCopy = distances[at] > 0 ? 2 : 0;
    step(at, 1, 0, costs[at] + prices.isCopy.of(afterCopy) + prices.newByte[at]);
    const copy = costs[at] + prices.isCopy.of(afterCopy + 1);
    const last = lasts[at];
    if (!afterCopy && last < at) {
      const longest = sameFrom(bytes, at - last, at);
      for (const length of parts(1, longest))
        step(at, length, last, copy + prices.isRepeated.of(1) + prices.lengthRepeated.of(length));
    }
    let shortest = 2;
    for (const { length: longest, distance } of candidates[at]) {
      const from = copy + (afterCopy ? 0 : prices.isRepeated.of(0)) + prices.distance.of(distance);
      if (afterCopy || distance !== last)
        for (const length of parts(shortest, longest)) step(at, length, distance, from + prices.length.of(length - 1));
      shortest = longest + 1;
    }
  }

  const steps = [];
  for (let at = end; at > 1; at = origins[at])
    steps.push({ at: origins[at], length: at - origins[at], distance: distances[at] });
  return steps.reverse();
}

/** The lengths of a copy that are tried: up to a bound each, else all of it. */
function* parts(shortest, longest) {
  for (let length = shortest; length < Math.min(longest, MOST_PARTS); length++) yield length;
  if (longest >= shortest) yield longest;
}
