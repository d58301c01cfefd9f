// Lines with fewer or more fields than the header has: cut where nothing is lost, filled or passed over where that was
// asked for, and otherwise left for the caller to refuse.
import { count as counted } from '../core/messages.js';
import type { RaggedPolicy } from './options.js';

/** A record of a line, as its reader has it; there is room for all fields. */
interface Fields {
  count: number;
  end: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly quotes: Uint8Array;
  readonly numbers: Float64Array;
}

export class LineLengths {
  /** Fields of each line; 0 while that is not known. */
  readonly width: number;
  readonly #ragged: RaggedPolicy;
  #skipped = 0;
  #filled = 0;
  /** Fields that the last line lacked. */
  lacking = 0;

  constructor(width: number, ragged: RaggedPolicy = 'error') {
    this.width = width;
    this.#ragged = ragged;
  }

  /** Whether a record is to be used, which it changes where it is to be cut or filled. */
  fits(record: Fields): boolean {
    const { width } = this;
    this.lacking = 0;
    if (record.count === width) return true;
    if (record.count > width && isNothingAfter(width, record)) {
      record.count = width;
      record.end = (record.ends[width - 1] as number) + Number(record.quotes[width - 1] !== 0);
      return true;
    }
    if (this.#ragged === 'skip') {
      this.#skipped++;
      return false;
    }
    if (this.#ragged === 'fill' && record.count < width) this.#fill(record);
    return true;
  }

  notes(): string[] {
    const notes: string[] = [];
    if (this.#skipped > 0)
      notes.push(`${counted(this.#skipped, 'line')} with another number of fields ${verb(this.#skipped)} skipped`);
    if (this.#filled > 0)
      notes.push(`${counted(this.#filled, 'short line')} ${verb(this.#filled)} filled with missing values`);
    return notes;
  }

  #fill(record: Fields): void {
    const { width } = this;
    this.#filled++;
    this.lacking = width - record.count;
    record.starts.fill(record.end, record.count, width);
    record.ends.fill(record.end, record.count, width);
    record.quotes.fill(0, record.count, width);
    record.numbers.fill(Number.NaN, record.count, width);
    record.count = width;
  }
}

const verb = (lines: number): string => (lines === 1 ? 'was' : 'were');

function isNothingAfter(width: number, { count, starts, ends, quotes }: Fields): boolean {
  for (let field = width; field < count; field++)
    if (ends[field] !== starts[field] || quotes[field] !== 0) return false;
  return true;
}
