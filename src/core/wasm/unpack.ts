// Unpacks what scripts/pack.js packed: WebAssembly files that are much alike, as text with one character for
// almost every byte, function by function.

export interface Packed {
  /** The bytes that have a character of their own. */
  readonly frequent: readonly number[];
  /** The first piece of each file, the second of each …: empty where it is that of the first file. */
  readonly pieces: readonly string[];
}

/** Characters, from # on; the backslash is left out. */
const FIRST = 35;
const CHARACTERS = 92;
const BACKSLASH = 92 - FIRST;
/** Those from this one on, } and ~, begin a pair. */
const PAIR = CHARACTERS - 2;

/** One of so many files, by its place. */
export function unpack({ frequent, pieces }: Packed, files: number, place: number): Uint8Array<ArrayBuffer> {
  const order = inOrder(frequent);
  const own = pieces.flatMap((piece, i) => (i % files === 0 ? [pieces[i + place] || piece] : []));
  const bytes = new Uint8Array(own.reduce((sum, { length }) => sum + length, 0));
  const end = own.reduce((at, piece) => unpackPiece(piece, order, bytes, at), 0);
  return bytes.slice(0, end);
}

/** The byte that each character stands for, then that of each pair. */
function inOrder(frequent: readonly number[]): Uint8Array {
  const order: number[] = [];
  for (const byte of new Set([...frequent, ...new Uint8Array(256).keys()])) {
    const { length } = order;
    if ((length < PAIR ? length : (length - PAIR) % CHARACTERS) === BACKSLASH) order.push(0);
    order.push(byte);
  }
  return Uint8Array.from(order);
}

/** Returns where it ends. A function of its own, which is soon compiled: this is when a program starts. */
function unpackPiece(piece: string, order: Uint8Array, bytes: Uint8Array, start: number): number {
  let at = start;
  for (let i = 0; i < piece.length; i++) {
    let number = piece.charCodeAt(i) - FIRST;
    if (number >= PAIR) number = PAIR + CHARACTERS * (number - PAIR) + piece.charCodeAt(++i) - FIRST;
    bytes[at++] = order[number] as number;
  }
  return at;
}
