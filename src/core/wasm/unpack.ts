// Unpacks what scripts/pack.js packed: WebAssembly files that are much alike, as text with one character for
// almost every byte, function by function.

export interface Packed {
  /** The bytes that have a character of their own. */
  readonly frequent: readonly number[];
  /** The first piece of each file, the second of each …: empty where it is that of the first file. */
  readonly pieces: readonly string[];
}

/** Characters are numbered from # on, without the backslash. */
const CHARACTERS = 91;
const BACKSLASH = 92;
/** Those from this one on begin a pair. */
const SINGLE = CHARACTERS - 2;

/** One of so many files, by its place. */
export function unpack({ frequent, pieces }: Packed, files: number, place: number): Uint8Array<ArrayBuffer> {
  const order = [...new Set([...frequent, ...new Uint8Array(256).keys()])];
  const own = pieces.flatMap((piece, i) => (i % files === 0 ? [pieces[i + place] || piece] : []));
  const bytes = new Uint8Array(own.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of own) {
    for (let i = 0; i < piece.length; i++) {
      let number = numberOf(piece, i);
      if (number >= SINGLE) number = SINGLE + CHARACTERS * (number - SINGLE) + numberOf(piece, ++i);
      bytes[at++] = order[number] as number;
    }
  }
  return bytes.slice(0, at);
}

function numberOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < BACKSLASH ? code - 35 : code - 36;
}
