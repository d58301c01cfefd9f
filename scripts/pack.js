// Packs WebAssembly files that are much alike as text, for src/core/wasm/unpack.ts to unpack. The text is made
// for gzip, which every server and bundler has: one character for almost every byte, so that what repeats does so
// in half the space of hexadecimal text (base64 would hide it); and function after function in all builds, so that
// they are near enough to each other to be found alike.

/** Characters from # on, without the backslash: none needs an escape between double quotes. */
const CHARACTERS = Array.from({ length: 92 }, (_, i) => String.fromCharCode(35 + i)).filter((c) => c !== '\\');
/** All but the last two stand for a byte each; those two begin a pair. */
const SINGLE = CHARACTERS.length - 2;

/** The section of a WebAssembly file that holds its functions. */
const CODE = 10;

/**
 * @param {readonly (readonly Uint8Array[])[]} files the pieces of each, as many in each, none of them empty
 * @returns the bytes that have a character of their own, and the first piece of each file, the second of each …;
 * a piece that is that of the first file is left empty
 */
export function pack(files) {
  const frequent = mostFrequent(files.flat());
  const order = [...frequent, ...Array.from({ length: 256 }, (_, byte) => byte).filter((b) => !frequent.includes(b))];
  const texts = Array.from({ length: 256 }, (_, byte) => textOf(order.indexOf(byte)));
  const pieces = files[0].flatMap((_, i) => {
    const [first, ...others] = files.map((file) => Array.from(file[i], (byte) => texts[byte]).join(''));
    return [first, ...others.map((text) => (text === first ? '' : text))];
  });
  return { frequent, pieces };
}

function mostFrequent(pieces) {
  const counts = Array.from({ length: 256 }, (_, byte) => ({ byte, count: 0 }));
  for (const piece of pieces) for (const byte of piece) counts[byte].count++;
  counts.sort((a, b) => b.count - a.count);
  return counts
    .slice(0, SINGLE)
    .map(({ byte }) => byte)
    .sort((a, b) => a - b);
}

function textOf(number) {
  if (number < SINGLE) return CHARACTERS[number];
  const rest = number - SINGLE;
  return CHARACTERS[SINGLE + Math.floor(rest / CHARACTERS.length)] + CHARACTERS[rest % CHARACTERS.length];
}

/** What is before the functions of a WebAssembly file, each function, and what follows with the last. */
function functionsOf(bytes) {
  let at = 8;
  const readNumber = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (!(byte >= 128)) return value; // also at the end of the file
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const size = readNumber();
    if (section !== CODE) {
      at += size;
      continue;
    }
    const starts = [0];
    for (let left = readNumber(); left > 0; left--) {
      starts.push(at);
      const length = readNumber();
      at += length;
    }
    return starts.map((start, i) => bytes.subarray(start, starts[i + 1]));
  }
  return [bytes];
}

/** Files in pieces, function by function: as many in each as the one with the fewest has. */
export function inPieces(files) {
  const all = files.map(functionsOf);
  const count = Math.min(...all.map(({ length }) => length));
  return all.map((pieces) => [...pieces.slice(0, count - 1), Buffer.concat(pieces.slice(count - 1))]);
}
