// Lines in the middle of a file that repeat the names of its columns, as files have that were put together from several.

import { count as counted } from '../core/messages.js';

interface Line {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** How many fields it has. */
  readonly count: number;
}

export class RepeatedNames {
  #names: Uint8Array | undefined;
  /** How many lines there were. */
  count = 0;

  notes(): string[] {
    return this.count === 0 ? [] : [`${counted(this.count, 'line')} that repeat the header were skipped`];
  }

  /** Takes the names; a name alone may be a word of its column. */
  take({ bytes, start, end, count }: Line): void {
    if (count > 1) this.#names = bytes.slice(start, end);
  }

  /** Whether a line is one of them; then it counts. */
  has({ bytes, start, end }: Line): boolean {
    const names = this.#names;
    if (names === undefined || end - start !== names.length) return false;
    for (let i = 0; i < names.length; i++) if (bytes[start + i] !== names[i]) return false;
    this.count++;
    return true;
  }
}
