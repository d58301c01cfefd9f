// Untrusted JSON: refuses what JSON.parse should not accept. For duplicate keys it would take the last value, and deep
// nesting would be costly to process.
import { HttpError } from './http-error.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DEEPEST = 32;

export function parseJson(text: string): unknown {
  checkDepthAndKeys(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpError(400, 'JSON_INVALID', `the body is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** Scans the text once; invalid JSON is left to JSON.parse. */
function checkDepthAndKeys(text: string): void {
  // For each open bracket its keys so far, or undefined for a list.
  const open: Array<Set<string> | undefined> = [];
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
        open.push(new Set());
        break;
      case 0x5b: // [
        open.push(undefined);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        const keys = open[open.length - 1];
        if (keys !== undefined && isKey(text, end)) addKey(keys, text.slice(at, end));
        at = end - 1;
        break;
      }
    }
    if (open.length > DEEPEST)
      throw new HttpError(400, 'JSON_TOO_DEEP', `the body is nested more than ${DEEPEST} deep`);
  }
}

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}

function isKey(text: string, at: number): boolean {
  while (' \t\n\r'.includes(text[at] ?? '.')) at++;
  return text[at] === ':';
}

function addKey(keys: Set<string>, quoted: string): void {
  let key = quoted;
  if (quoted.includes('\\')) {
    try {
      key = JSON.stringify(JSON.parse(quoted));
    } catch {
      return; // JSON.parse will say what is wrong
    }
  }
  if (keys.has(key)) throw new HttpError(400, 'JSON_DUPLICATE_KEY', `the body has the key ${key.slice(0, 60)} twice`);
  keys.add(key);
}
