// Text in files: its encoding, found out from the first bytes, and its way to UTF-8, in which everything is parsed.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import type { Source } from './source.js';

/** Text is not written as the encoding says. */
export class NotUtf8 extends Error {}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Shorter texts are put together letter by letter, which is faster. */
const SHORT = 24;

/** UTF-8 bytes as text. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT) {
    let text = '';
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte > 127) return decodeStrictly(bytes.subarray(start, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }
  return decodeStrictly(bytes.subarray(start, end));
}

function decodeStrictly(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new NotUtf8('it is not UTF-8 text');
  }
}

/** Text as UTF-8, chunk by chunk, without a byte order mark. */
export interface Utf8 {
  readonly head: Uint8Array;
  /** What the file is written in. */
  readonly encoding: string;
  /** Whether the user said so, or a mark at the beginning. */
  readonly isCertain: boolean;
  chunks(): AsyncGenerator<Uint8Array>;
}

export function openText(source: Source, said?: string): Utf8 {
  const asked = said ?? source.encoding;
  const found = asked === undefined ? encodingOf(source.head, source.name) : askedEncoding(source.head, asked);
  const { encoding, mark, isCertain } = found;
  if (encoding === 'utf-8') {
    return {
      head: source.head.subarray(mark),
      encoding,
      isCertain,
      async *chunks() {
        let skip = mark;
        for await (const chunk of source.chunks()) {
          yield chunk.subarray(skip);
          skip = 0;
        }
      },
    };
  }
  const [decoder, encoder] = [new TextDecoder(encoding), new TextEncoder()];
  const head = new TextDecoder(encoding).decode(source.head, { stream: true });
  return {
    head: encoder.encode(head),
    encoding,
    isCertain,
    async *chunks() {
      for await (const chunk of source.chunks()) {
        const text = decoder.decode(chunk as Uint8Array<ArrayBuffer>, { stream: true });
        if (text !== '') yield encoder.encode(text);
      }
      const last = decoder.decode();
      if (last !== '') yield encoder.encode(last);
    },
  };
}

interface Encoding {
  /** As TextDecoder calls it. */
  readonly encoding: string;
  /** Bytes of the mark at the beginning. */
  readonly mark: number;
  readonly isCertain: boolean;
}

function startsWith(head: Uint8Array, ...bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte);
}

function encodingOf(head: Uint8Array, name: string): Encoding {
  if (startsWith(head, 0xef, 0xbb, 0xbf)) return { encoding: 'utf-8', mark: 3, isCertain: true };
  if (startsWith(head, 0xff, 0xfe, 0, 0) || startsWith(head, 0, 0, 0xfe, 0xff))
    throw new CurvadError('FILE_FORMAT', `${name} is UTF-32 text: save it as UTF-8`);
  if (startsWith(head, 0xff, 0xfe)) return { encoding: 'utf-16le', mark: 2, isCertain: true };
  if (startsWith(head, 0xfe, 0xff)) return { encoding: 'utf-16be', mark: 2, isCertain: true };
  const start = head.subarray(0, 2 ** 12);
  if (start.includes(0)) {
    const wide = wideEncoding(start);
    if (wide === undefined) {
      throw new CurvadError(
        'FILE_FORMAT',
        `${name} is a binary file, not a table: CSV, JSON, NDJSON, Parquet, Arrow and .npy can be read`,
      );
    }
    return { encoding: wide, mark: 0, isCertain: false };
  }
  if (decodes(head, 'utf-8')) return { encoding: 'utf-8', mark: 0, isCertain: false };
  refuseUnlikeWestern(head, name);
  return { encoding: 'windows-1252', mark: 0, isCertain: false };
}

/** Letters of Windows-1252 stand alone among those of ASCII; those of other alphabets come in rows. */
const FEWEST_LETTERS = 6;
/** Bytes that mean nothing in Windows-1252. */
const NO_LETTERS = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

function refuseUnlikeWestern(head: Uint8Array, name: string): void {
  let [letters, inRows] = [0, 0];
  let isWestern = true;
  for (let at = 0; at < head.length; at++) {
    const byte = head[at] as number;
    if (byte < 0x80) continue;
    letters++;
    if (NO_LETTERS.has(byte)) isWestern = false;
    if ((head[at - 1] ?? 0) >= 0x80 || (head[at + 1] ?? 0) >= 0x80) inRows++;
  }
  if (isWestern && !(letters >= FEWEST_LETTERS && 2 * inRows > letters)) return;
  const candidates = ['shift_jis', 'gb18030', 'euc-kr', 'big5', 'windows-1251'].filter((name) => decodes(head, name));
  throw new CurvadError(
    'FILE_ENCODING',
    `${name} is neither UTF-8 nor windows-1252 text: name its encoding (--encoding, option encoding), such as ${candidates.join(', ')}`,
  );
}

/** A letter may be cut off at the end. */
function decodes(head: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(head as Uint8Array<ArrayBuffer>, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** UTF-16 without a mark: every other byte of plain letters is zero. */
function wideEncoding(head: Uint8Array): string | undefined {
  const zerosAt = (parity: 0 | 1) => head.reduce((sum, byte, i) => sum + Number(byte === 0 && i % 2 === parity), 0);
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (even === 0 && odd > head.length / 4) return 'utf-16le';
  return odd === 0 && even > head.length / 4 ? 'utf-16be' : undefined;
}

function askedEncoding(head: Uint8Array, asked: string): Encoding {
  let encoding: string;
  try {
    ({ encoding } = new TextDecoder(asked));
  } catch {
    throw new CurvadError(
      'ENCODING_UNKNOWN',
      `the encoding must be one such as utf-8, utf-16le, windows-1252 or shift_jis, got ${quote(asked)}`,
    );
  }
  const mark = encoding === 'utf-8' && startsWith(head, 0xef, 0xbb, 0xbf) ? 3 : 0;
  return { encoding, mark, isCertain: true };
}
