// Lines of text from chunks of bytes, numbered, blank ones left out. For NDJSON.
import { BadLine } from './records.js';

const NEWLINE = 0x0a;
const LONGEST = 2 ** 28;

export class LineReader {
  #bytes: Buffer = Buffer.alloc(0);
  #from = 0;
  /** Chunks without an end of line, put together once one comes: a long line is copied once. */
  #waiting: Buffer[] = [];
  #waitingLength = 0;
  #nextLine = 1;
  /** The number of the line last read, from 1. */
  line = 0;

  push(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#waitingLength += chunk.length;
    if (this.#waitingLength > LONGEST) throw new BadLine(this.#nextLine, 'it is longer than 256 MB');
    if (chunk.includes(NEWLINE)) this.#gather();
  }

  /** There is nothing more: the last line may lack its end. */
  finish(): void {
    this.#waiting.push(Buffer.from('\n'));
    this.#gather();
  }

  /** The next line that is not blank, or undefined where there is none yet. */
  next(): string | undefined {
    for (;;) {
      const end = this.#bytes.indexOf(NEWLINE, this.#from);
      if (end < 0) {
        if (this.#from < this.#bytes.length) {
          this.#waiting = [this.#bytes.subarray(this.#from)];
          this.#waitingLength = this.#bytes.length - this.#from;
        }
        this.#bytes = Buffer.alloc(0);
        this.#from = 0;
        return undefined;
      }
      const text = this.#bytes.toString('utf8', this.#from, end);
      this.#from = end + 1;
      this.line = this.#nextLine++;
      if (text.trim() !== '') return text;
    }
  }

  #gather(): void {
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.#from), ...this.#waiting]);
    this.#from = 0;
    this.#waiting = [];
    this.#waitingLength = 0;
  }
}
