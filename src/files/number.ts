// Numbers straight from bytes. With at most 15 digits and a power of ten up to 22, digits × or ÷ 10ᵉ is one
// correctly rounded operation on exact values, so that the result is the one Number() gives, without the
// text in between; everything longer goes through Number().

const POWERS = Float64Array.from({ length: 23 }, (_, e) => Number(`1e${e}`));
/** Below this, one more digit keeps the digits an exact whole number. */
const ROOM = 2 ** 53 / 10 - 1;

const [PLUS, MINUS, POINT, ZERO, NINE, LOWER_E, SPACE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x65, 0x20];

/** The value of bytes[start, end), or NaN where it is not written as a decimal number. No spaces around it. */
export function parseNumber(bytes: Buffer, start: number, end: number, point: number): number {
  let at = start;
  const first = bytes[at] as number;
  if (first === MINUS || first === PLUS) at++;
  let digits = 0;
  let count = 0;
  let fraction = 0;
  let isExact = true;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) break;
    if (digits < ROOM) digits = digits * 10 + digit;
    else isExact = false;
    count++;
  }
  if (at < end && bytes[at] === point) {
    for (at++; at < end; at++) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) break;
      if (digits < ROOM) digits = digits * 10 + digit;
      else isExact = false;
      fraction++;
    }
  }
  if (count + fraction === 0) return Number.NaN;
  let exponent = 0;
  if (at < end) {
    exponent = parseExponent(bytes, at, end);
    if (Number.isNaN(exponent)) return Number.NaN;
  }
  const power = exponent - fraction;
  if (!isExact || power < -22 || power > 22) return slowly(bytes, start, end, point);
  const value = power < 0 ? digits / (POWERS[-power] as number) : digits * (POWERS[power] as number);
  return first === MINUS ? -value : value;
}

/** The power of ten in e[+-]digits up to the end, or NaN. */
function parseExponent(bytes: Buffer, start: number, end: number): number {
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

function slowly(bytes: Buffer, start: number, end: number, point: number): number {
  const text = bytes.toString('latin1', start, end);
  return Number(point === POINT ? text : text.replace(String.fromCharCode(point), '.'));
}

/** A number in text, as parseNumber reads it; NaN where it is none. */
export function numberIn(text: string, point: number): number {
  const bytes = Buffer.from(text, 'latin1');
  return bytes.length === text.length ? parseNumber(bytes, 0, bytes.length, point) : Number.NaN;
}
