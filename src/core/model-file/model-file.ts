// The model file: one ArrayBuffer that any runtime can read.
//
//   0   "CURVAD\r\n"         8 bytes; detects files mangled by text conversion
//   8   version              u32
//   12  header length        u32, a multiple of 8
//   16  header               JSON: { detector, fields, sections: { name: [type, offset, length] } }
//   …   sections             f32, f64 or u32, each at a multiple of 8
//   −4  checksum             XXH32 of everything before it
//
// Files are untrusted: nothing in them is used before it is checked. Numbers are little-endian.

import type { PointSet } from '../backend.js';
import { CurvadError, describe } from '../errors.js';
import { checksum } from './checksum.js';
import { checkLength, checkModelSize, MODEL_LIMITS, type ModelLimits } from './limits.js';

const MAGIC = [0x43, 0x55, 0x52, 0x56, 0x41, 0x44, 0x0d, 0x0a];
const VERSION = 1;
const HEADER_AT = 16;
const TYPES = { f32: Float32Array, f64: Float64Array, u32: Uint32Array } as const;

interface Values {
  f32: Float32Array;
  f64: Float64Array;
  u32: Uint32Array;
}

export type SectionType = keyof Values;

/** The array type of each section type. */
export type Section<Type extends SectionType = SectionType> = Values[Type];

/** The content of a model file: plain fields and arrays of numbers. */
export interface Model {
  readonly detector: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sections: Readonly<Record<string, Section>>;
  /** In threads: points that are lent, in place of the section of their rows. No file has them. */
  readonly points?: PointSet | undefined;
}

export function writeModel({ detector, fields, sections }: Model): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(sections);
  // Offsets are relative to the end of the header, so that its length does not depend on them.
  let at = 0;
  const table: Record<string, [string, number, number]> = {};
  for (const [name, section] of entries) {
    table[name] = [typeOf(section), at, section.length];
    at = align(at + section.byteLength);
  }
  const text = new TextEncoder().encode(JSON.stringify({ detector, fields, sections: table }));
  const headerLength = align(text.length);
  const bytes = new Uint8Array(HEADER_AT + headerLength + at + 4);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, headerLength, true);
  bytes.fill(0x20, HEADER_AT, HEADER_AT + headerLength);
  bytes.set(text, HEADER_AT);
  for (const [name, section] of entries) {
    const offset = (table[name] as [string, number, number])[1];
    bytes.set(
      new Uint8Array(section.buffer, section.byteOffset, section.byteLength),
      HEADER_AT + headerLength + offset,
    );
  }
  view.setUint32(bytes.length - 4, checksum(bytes.subarray(0, -4)), true);
  return bytes;
}

/** Reads and checks a file; the sections are copies. */
export function readModel(file: unknown, limits: ModelLimits = MODEL_LIMITS): Model {
  const bytes = asBytes(file);
  checkLength(bytes.length, limits);
  checkMagic(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(8, true);
  if (version !== VERSION) {
    throw new CurvadError(
      'MODEL_VERSION',
      `this model file has version ${version}, this curvad reads version ${VERSION}`,
    );
  }
  const headerLength = view.getUint32(12, true);
  const body = HEADER_AT + headerLength;
  if (body + 4 > bytes.length) throw truncated(bytes.length, body + 4);
  const header = parseHeader(bytes.subarray(HEADER_AT, body));
  const table = Object.entries(object(header['sections'], 'sections'));
  const end = table.reduce((last, [name, entry]) => sectionEnd(name, entry, last), 0);
  const expected = body + end + 4;
  if (bytes.length < expected) throw truncated(bytes.length, expected);
  if (view.getUint32(bytes.length - 4, true) !== checksum(bytes.subarray(0, -4))) {
    throw new CurvadError('MODEL_CHECKSUM', 'the model file was changed or damaged: its checksum does not match');
  }
  if (bytes.length !== expected || headerLength % 8 !== 0)
    throw corrupt(`it has ${bytes.length} bytes, expected ${expected}`);
  const sections = Object.fromEntries(table.map(([name, entry]) => [name, readSection(bytes, body, name, entry)]));
  if (typeof header['detector'] !== 'string') throw corrupt('it names no detector');
  const model = { detector: header['detector'], fields: object(header['fields'], 'fields'), sections };
  checkModelSize(model, limits);
  return model;
}

/** The type of a section's values. */
export function typeOf(section: Section): SectionType {
  return section instanceof Float32Array ? 'f32' : section instanceof Float64Array ? 'f64' : 'u32';
}

/** The error for an inconsistent file. */
export function corrupt(what: string, cause?: unknown): CurvadError {
  return new CurvadError('MODEL_CORRUPT', `the model file is not valid: ${what}`, { cause });
}

function truncated(length: number, expected: number): CurvadError {
  return new CurvadError(
    'MODEL_TRUNCATED',
    `the model file has ${length} bytes, but needs at least ${expected}: it is truncated`,
  );
}

function asBytes(file: unknown): Uint8Array {
  // Returns a plain Uint8Array, as slice of a Node Buffer does not copy. Does not test by class, as bytes may come from
  // another realm, such as an iframe or node:vm.
  if (ArrayBuffer.isView(file) && (file as Uint8Array)[Symbol.toStringTag] === 'Uint8Array')
    return viewOf(file.buffer, file.byteOffset, file.byteLength);
  const length = lengthOfBuffer(file);
  if (length !== undefined) return viewOf(file as ArrayBuffer, 0, length);
  throw new CurvadError('MODEL_TYPE', `a model file must be a Uint8Array or an ArrayBuffer, got ${describe(file)}`);
}

const byteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get;

/** The bytes of an ArrayBuffer of any realm; undefined for anything else. */
function lengthOfBuffer(value: unknown): number | undefined {
  try {
    return byteLength?.call(value) as number;
  } catch {
    return undefined;
  }
}

function viewOf(buffer: ArrayBufferLike, offset: number, length: number): Uint8Array {
  try {
    const view = new Uint8Array(buffer, offset, length);
    // Shared memory may change between the check and the use.
    return buffer instanceof ArrayBuffer ? view : view.slice();
  } catch (cause) {
    throw new CurvadError('MODEL_TYPE', 'the model file is in a buffer that was transferred', { cause });
  }
}

function checkMagic(bytes: Uint8Array): void {
  for (let i = 0; i < MAGIC.length; i++) {
    if (i >= bytes.length) throw truncated(bytes.length, HEADER_AT + 4);
    if (bytes[i] !== MAGIC[i]) throw new CurvadError('MODEL_FOREIGN', 'this is not a curvad model file');
  }
  if (bytes.length < HEADER_AT + 4) throw truncated(bytes.length, HEADER_AT + 4);
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> {
  try {
    return object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), 'the header');
  } catch (cause) {
    if (cause instanceof CurvadError) throw cause;
    throw corrupt('its header cannot be read', cause);
  }
}

function object(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw corrupt(`${what} must be an object`);
}

function sectionEntry(name: string, entry: unknown): { type: SectionType; offset: number; length: number } {
  if (!Array.isArray(entry) || entry.length !== 3) throw corrupt(`section ${describe(name)} is not described`);
  const [type, offset, length] = entry as [unknown, unknown, unknown];
  if (typeof type !== 'string' || !Object.hasOwn(TYPES, type))
    throw corrupt(`section ${describe(name)} has type ${describe(type)}`);
  if (!isCount(offset) || !isCount(length)) throw corrupt(`section ${describe(name)} is misplaced`);
  return { type: type as SectionType, offset, length };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < 2 ** 40;
}

/** Sections must be contiguous, so that a small file cannot ask for much memory by naming bytes repeatedly. */
function sectionEnd(name: string, entry: unknown, start: number): number {
  const { type, offset, length } = sectionEntry(name, entry);
  if (offset !== start) throw corrupt(`section ${describe(name)} is misplaced`);
  return align(offset + length * TYPES[type].BYTES_PER_ELEMENT);
}

function readSection(bytes: Uint8Array, body: number, name: string, entry: unknown): Section {
  const { type, offset, length } = sectionEntry(name, entry);
  const Values = TYPES[type];
  const start = body + offset;
  return new Values(bytes.slice(start, start + length * Values.BYTES_PER_ELEMENT).buffer);
}

function align(size: number): number {
  return Math.ceil(size / 8) * 8;
}
