// Lines of text from chunks of UTF-8, numbered, blank ones left out. For NDJSON.
import { BadLine } from './bad-line.js';
import { NotUtf8 } from './text.js';

const LONGEST = 2 ** 28;

export class LineReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #text = '';
  #from = 0;
  /** Text without an end of line, put together once one comes: a long line is copied once. */
  #waiting: string[] = [];
  #waitingLength = 0;
  #nextLine = 1;
  /** The number of the line last read, from 1. */
  line = 0;

  push(chunk: Uint8Array): void {
    this.#take(this.#decode(chunk));
  }

  /** There is nothing more: the last line may lack its end. */
  finish(): void {
    this.#take(`${this.#decode()}\n`);
  }

  /** The next line that is not blank, or undefined where there is none yet. */
  next(): string | undefined {
    for (;;) {
      const end = this.#text.indexOf('\n', this.#from);
      if (end < 0) {
        this.#waiting = [this.#text.slice(this.#from), ...this.#waiting];
        this.#waitingLength += this.#text.length - this.#from;
        this.#text = '';
        this.#from = 0;
        return undefined;
      }
      const text = this.#text.slice(this.#from, end);
      this.#from = end + 1;
      this.line = this.#nextLine++;
      if (text.trim() !== '') return text;
    }
  }

  #decode(chunk?: Uint8Array): string {
    try {
      return this.#decoder.decode(chunk as Uint8Array<ArrayBuffer> | undefined, { stream: chunk !== undefined });
    } catch {
      throw new NotUtf8('it is not UTF-8 text');
    }
  }

  #take(text: string): void {
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    if (this.#waitingLength > LONGEST) throw new BadLine(this.#nextLine, 'it is longer than 256 MB');
    if (!text.includes('\n')) return;
    this.#text = this.#text.slice(this.#from) + this.#waiting.join('');
    this.#from = 0;
    this.#waiting = [];
    this.#waitingLength = 0;
  }
}
