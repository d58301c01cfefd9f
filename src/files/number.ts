// Numbers straight from bytes, to the last bit those that Number() gives. With at most 15 digits and a power of ten
// up to 22, digits × or ÷ 10ᵉ is one correctly rounded operation on exact values. Up to 19 digits, as programs write
// doubles in full, the quotient is computed with twice the precision, and used where that settles the rounding.
// Likewise times a power of ten that is the sum of two doubles (powers.ts). Everything else goes through Number().

import { highOfPower, lowOfPower, MOST_POWER } from './powers.js';

export const POWERS = Float64Array.from({ length: 23 }, (_, e) => Number(`1e${e}`));
const EXACT_DIGITS = 15;
const MOST_DIGITS = 19;
/** Splits a double into two halves of 26 bits (Dekker). */
const SPLITTER = 2 ** 27 + 1;
/** More than the error of the correction, relative to it. */
const DOUBT = 2 ** -40;

const [PLUS, MINUS, POINT, ZERO, NINE, LOWER_E, SPACE, TAB] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x65, 0x20, 0x09];

/** The number in bytes[start, end), with spaces around it or not; NaN where it is not a decimal number. */
export function numberBetween(bytes: Uint8Array, start: number, end: number, point: number): number {
  let [from, to] = [start, end];
  while (from < to && (bytes[from] === SPACE || bytes[from] === TAB)) from++;
  while (to > from && (bytes[to - 1] === SPACE || bytes[to - 1] === TAB)) to--;
  return parseNumber(bytes, from, to, point);
}

/** The value of bytes[start, end), or NaN where it is not written as a decimal number. No spaces around it. */
export function parseNumber(bytes: Uint8Array, start: number, end: number, point: number): number {
  let at = start;
  const first = bytes[at] as number;
  if (first === MINUS || first === PLUS) at++;
  let digits = 0; // the first 15 significant ones
  let more = 0; // those after them
  let count = 0;
  let length = 0;
  let fraction = 0;
  let isFraction = false;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    const digit = byte - ZERO;
    if (digit < 0 || digit > 9) {
      if (byte !== point || isFraction) break;
      isFraction = true;
      continue;
    }
    length++;
    if (isFraction) fraction++;
    if (digit === 0 && count === 0) continue; // leading zeros
    if (count < EXACT_DIGITS) digits = digits * 10 + digit;
    else if (count < MOST_DIGITS) more = more * 10 + digit;
    count++;
  }
  if (length === 0) return Number.NaN;
  let exponent = 0;
  if (at < end) {
    exponent = parseExponent(bytes, at, end);
    if (Number.isNaN(exponent)) return Number.NaN;
  }
  const value = scaled(digits, more, count, exponent - fraction);
  if (Number.isNaN(value)) return slowly(bytes, start, end, point);
  return first === MINUS ? -value : value;
}

/** digits and more × 10ᵖᵒʷᵉʳ, correctly rounded; NaN where that is not certain. */
function scaled(digits: number, more: number, count: number, power: number): number {
  if (count === 0) return 0;
  if (count <= EXACT_DIGITS && power >= -22 && power <= 22)
    return power < 0 ? digits / (POWERS[-power] as number) : digits * (POWERS[power] as number);
  if (count > MOST_DIGITS) return Number.NaN;
  if (power < -22 || power > 0) return scaledFar(digits, more, count, power);
  // digits · 10ᵐ + more, exactly, as high + low.
  const scale = POWERS[count - EXACT_DIGITS] as number;
  const product = digits * scale;
  const rest = productError(digits, scale, product) + more;
  const high = product + rest;
  const low = product - high + rest;
  const divisor = POWERS[-power] as number;
  const quotient = high / divisor;
  const back = quotient * divisor;
  const correction = (high - back - productError(quotient, divisor, back) + low) / divisor;
  const value = quotient + correction * (1 + DOUBT);
  return value === quotient + correction * (1 - DOUBT) ? value : Number.NaN;
}

/** The same for powers of ten that are not exact themselves. */
function scaledFar(digits: number, more: number, count: number, power: number): number {
  if (power < -MOST_POWER || power > MOST_POWER) return Number.NaN;
  let high = digits;
  let low = 0;
  if (count > EXACT_DIGITS) {
    const scale = POWERS[count - EXACT_DIGITS] as number;
    const whole = digits * scale;
    const rest = productError(digits, scale, whole) + more;
    high = whole + rest;
    low = whole - high + rest;
  }
  const ten = highOfPower(power);
  const product = high * ten;
  const correction = productError(high, ten, product) + (high * lowOfPower(power) + low * ten);
  const value = product + correction * (1 + DOUBT);
  return value === product + correction * (1 - DOUBT) ? value : Number.NaN;
}

/** a · b − product, exactly. */
function productError(a: number, b: number, product: number): number {
  const wideA = SPLITTER * a;
  const wideB = SPLITTER * b;
  const highA = wideA - (wideA - a);
  const highB = wideB - (wideB - b);
  const [lowA, lowB] = [a - highA, b - highB];
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB;
}

/** The power of ten in e[+-]digits up to the end, or NaN. */
function parseExponent(bytes: Uint8Array, start: number, end: number): number {
  if (((bytes[start] as number) | SPACE) !== LOWER_E) return Number.NaN;
  let at = start + 1;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  if (at >= end) return Number.NaN;
  let exponent = 0;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < ZERO || byte > NINE) return Number.NaN;
    if (exponent < 10000) exponent = exponent * 10 + byte - ZERO;
  }
  return sign === MINUS ? -exponent : exponent;
}

function slowly(bytes: Uint8Array, start: number, end: number, point: number): number {
  const digits = bytes.subarray(start, end);
  // Faster, but a function takes no million arguments.
  const text = digits.length < 1000 ? String.fromCharCode(...digits) : decoder.decode(digits);
  return Number(point === POINT ? text : text.replace(String.fromCharCode(point), '.'));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const scratch = new Uint8Array(128);

/** A number in text, as parseNumber reads it; NaN where it is none. */
export function numberIn(text: string, point: number): number {
  if (text.length * 3 > scratch.length) {
    const bytes = encoder.encode(text);
    return parseNumber(bytes, 0, bytes.length, point);
  }
  return parseNumber(scratch, 0, encoder.encodeInto(text, scratch).written, point);
}
