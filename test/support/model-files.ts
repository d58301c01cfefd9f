// Model files taken apart, damaged and put together again with a right checksum, as a stranger might send
// them; and what must come of it: an error of the file, or finite scores.
import { checksum } from '../../src/core/model-file/checksum.js';
import { type AnyDetector, CurvadError, load } from '../../src/index.js';
import type { Random, Rows } from './data.js';

const HEADER_AT = 16;

export type Header = {
  detector: unknown;
  fields: Record<string, unknown>;
  sections: Record<string, unknown>;
};

/** The bytes, with the checksum they should have. */
export function seal(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer).setUint32(bytes.length - 4, checksum(bytes.subarray(0, -4)), true);
  return bytes;
}

const bodyOf = (bytes: Uint8Array): number => HEADER_AT + new DataView(bytes.buffer).getUint32(12, true);

/** A file with another header text, well sealed. */
export function withHeader(file: Uint8Array, text: string): Uint8Array {
  const body = file.subarray(bodyOf(file), -4);
  const encoded = new TextEncoder().encode(text);
  const length = Math.ceil(encoded.length / 8) * 8;
  const bytes = new Uint8Array(HEADER_AT + length + body.length + 4);
  bytes.set(file.subarray(0, HEADER_AT));
  bytes.fill(0x20, HEADER_AT, HEADER_AT + length);
  bytes.set(encoded, HEADER_AT);
  bytes.set(body, HEADER_AT + length);
  new DataView(bytes.buffer).setUint32(12, length, true);
  return seal(bytes);
}

export const headerOf = (file: Uint8Array): Header =>
  JSON.parse(new TextDecoder().decode(file.subarray(HEADER_AT, bodyOf(file)))) as Header;

/** A file whose header was edited, well sealed. */
export function edited(file: Uint8Array, edit: (header: Header) => void): Uint8Array {
  const header = headerOf(file);
  edit(header);
  return withHeader(file, JSON.stringify(header));
}

/** A file with a number of one section replaced, well sealed. */
export function withNumber(file: Uint8Array, name: string, index: number, value: number): Uint8Array {
  const [type, offset] = headerOf(file).sections[name] as [string, number];
  const bytes = file.slice();
  const view = new DataView(bytes.buffer);
  const at = bodyOf(file) + offset;
  if (type === 'f32') view.setFloat32(at + index * 4, value, true);
  else if (type === 'u32') view.setUint32(at + index * 4, value, true);
  else view.setFloat64(at + index * 8, value, true);
  return seal(bytes);
}

/** Changes 1 to 8 bytes before `end`: any of them, or digits of the header, which is where the meaning is. */
export function damaged(file: Uint8Array, end: number, random: Random): Uint8Array {
  const bytes = file.slice();
  const isOfDigits = random.uniform() < 0.4;
  for (let changes = 1 + random.integer(8); changes > 0; changes--) {
    const at =
      random.uniform() < 0.5 || isOfDigits ? HEADER_AT + random.integer(bodyOf(file) - HEADER_AT) : random.integer(end);
    const before = bytes[at] as number;
    const isDigit = before >= 0x30 && before <= 0x39;
    if (!isOfDigits) bytes[at] = before ^ (1 + random.integer(255));
    else if (isDigit) bytes[at] = 0x30 + ((before - 0x30 + 1 + random.integer(9)) % 10);
  }
  return bytes;
}

/** 'refused: CODE' or 'finite', after scoring new rows; anything else is thrown. */
export function outcome(bytes: Uint8Array, rows: Rows, backend: 'js' | 'wasm' = 'wasm'): string {
  let model: AnyDetector;
  try {
    model = load(bytes, { backend });
  } catch (error) {
    if (error instanceof CurvadError && error.code.startsWith('MODEL_')) return `refused: ${error.code}`;
    throw error;
  }
  using loaded = model;
  const numbers = [...loaded.scores, ...newScores(loaded, rows)];
  if (!numbers.every(Number.isFinite)) throw new Error(`scores ${numbers.join()}`);
  if (Number.isNaN(loaded.threshold)) throw new Error('the threshold is NaN');
  return 'finite';
}

/** Scores of new rows; a file may have other columns, or its range so far away that every new row is outside it. */
function newScores(model: AnyDetector, rows: Rows): Iterable<number> {
  try {
    return model.score(rows);
  } catch (error) {
    if (error instanceof CurvadError && ['VALUE_TOO_LARGE', 'WRONG_WIDTH'].includes(error.code)) return [];
    throw error;
  }
}
