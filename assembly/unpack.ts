// Unpacks what scripts/pack.js packed. Bytes were there before or are new: which of both, how many, how far back, and
// what is new is told bit by bit. An arithmetic coder, which learns how likely a bit is where it stands, spends little
// on those to be expected. This is a module of its own, and the first to run: the others come out of it.
//
//   memory: │ contexts │ code: digits as characters │ 0 │ bytes │

/** Bytes of a context, which knows how a bit has been where it stood: leaning << 4 | count, at first 0. */
const CONTEXT: u32 = 2;
/** How much it leans to 0 or 1: so far at most. With all of two contexts, a bit is sure. */
const MOST: i32 = 2047;
const SURE_BITS: u32 = 12;
/** How many bits it was learned from, or more. */
const MANY: i32 = 15;

/** In a new byte, with its bits so far: after a given byte, and instead of the one that the last copy would go on to. */
const AFTER: u32 = 0;
const INSTEAD: u32 = AFTER + 65536;
/** Is there a copy? Where a byte comes after a given one, and instead of one; which was new, or copied itself. */
const IS_COPY: u32 = INSTEAD + 65536;
const IS_COPY_INSTEAD: u32 = IS_COPY + 512;
/** Is it from as far back as the last one? */
const IS_REPEATED: u32 = IS_COPY_INSTEAD + 512;
/** Numbers: the length of such a copy, that of another, and how far back that is: of all, and of those of a length. */
const LENGTH_REPEATED: u32 = IS_REPEATED + 128;
const LENGTH: u32 = LENGTH_REPEATED + 128;
const DISTANCE: u32 = LENGTH + 128;

/** The characters from # on are digits, the backslash excepted. */
const BASE: u32 = 91;
/** Where the next character of the code is. */
let next: usize = 0;
/** The code so far as a number within a range, of which a 1 would have the lower share. */
let range: u32 = 1;
let value: u32 = 0;

/** Leans further to a side: by less, the more was learned before. */
function learn(context: u32, target: i32): void {
  const known = <i32>load<i16>(context * CONTEXT);
  const leaning = known >> 4;
  const count = known & MANY;
  const learned = leaning + (2 * (target - leaning)) / (2 * count + 3);
  store<i16>(context * CONTEXT, <i16>((learned << 4) | min(count + 1, MANY)));
}

/** The next bit, expected as in the two contexts that it stands in. */
function readBit(a: u32, b: u32): u32 {
  while (range < 1 << 24) {
    const character = <u32>load<u8>(next++);
    range *= BASE;
    value = value * BASE + character - 35 - u32(character > 92);
  }
  const leaning = (<i32>load<i16>(a * CONTEXT) >> 4) + (<i32>load<i16>(b * CONTEXT) >> 4);
  const share = (range >> (SURE_BITS + 1)) * ((1 << SURE_BITS) + leaning);
  const isOne = value < share;
  if (isOne) range = share;
  else {
    range -= share;
    value -= share;
  }
  const target = isOne ? MOST : -MOST;
  learn(a, target);
  if (a != b) learn(b, target);
  return u32(isOne);
}

/** A number from 1 on, binary digit by digit, before each whether there is one more. */
function readNumber(a: u32, b: u32): u32 {
  let number: u32 = 1;
  while (true) {
    const place = 2 * (number < 16 ? number : 47 - clz(number));
    if (!readBit(a + place, b + place)) break;
    number = 2 * number + readBit(a + place + 1, b + place + 1);
  }
  return number;
}

/** Unpacks a code as the bytes from one address up to another. There is a 0 before them. */
export function unpack(code: usize, from: usize, to: usize): void {
  next = code;
  let distance: u32 = 1;
  let isAfterCopy: u32 = 0;
  while (from < to) {
    const before = <u32>load<u8>(from - 1);
    const expected = <u32>load<u8>(from - distance);
    if (readBit(IS_COPY + 256 * isAfterCopy + before, IS_COPY_INSTEAD + 256 * isAfterCopy + expected)) {
      let length: u32;
      if (!isAfterCopy && readBit(IS_REPEATED, IS_REPEATED)) length = readNumber(LENGTH_REPEATED, LENGTH_REPEATED);
      else {
        length = readNumber(LENGTH, LENGTH) + 1;
        distance = readNumber(DISTANCE, DISTANCE + 128 * min(length - 1, 4));
      }
      for (; length > 0; length--, from++) store<u8>(from, load<u8>(from - distance));
      isAfterCopy = 1;
    } else {
      const after = AFTER + 256 * before;
      const instead = INSTEAD + 256 * expected;
      let byte: u32 = 1;
      while (byte < 256) byte = 2 * byte + readBit(after + byte, instead + byte);
      store<u8>(from++, <u8>byte);
      isAfterCopy = 0;
    }
  }
}
