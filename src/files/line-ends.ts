// Blanks and ends of lines in bytes. Lines end at \n, \r\n or \r.
export const NEWLINE = 0x0a;
export const RETURN = 0x0d;
export const SPACE = 0x20;
export const TAB = 0x09;

export function isEndOfLine(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN;
}

export function afterEndOfLine(bytes: Uint8Array, at: number, to: number): number {
  if (at >= to) return to;
  return bytes[at] === RETURN && at + 1 < to && bytes[at + 1] === NEWLINE ? at + 2 : at + 1;
}

/** Whether there are only spaces and tabs. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== SPACE && bytes[at] !== TAB) return false;
  return true;
}
