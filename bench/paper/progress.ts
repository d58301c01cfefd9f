// How far a job is: a bar that redraws itself on a terminal, a line per step anywhere else. On the error
// stream, so that the result can be piped.
const WIDTH = 24;

/** Where it is written: a stream of Node, say. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export class Progress {
  #total = 0;
  #done = 0;
  readonly #stream: Screen;

  constructor(stream: Screen = process.stderr) {
    this.#stream = stream;
  }

  /** How many steps there will be. */
  plan(steps: number): void {
    this.#total = steps;
    this.#done = 0;
  }

  /** A step begins. */
  step(label: string): void {
    this.#done++;
    const count = `${this.#done}/${this.#total}`;
    if (!this.#stream.isTTY) {
      this.#stream.write(`${count} ${label}\n`);
      return;
    }
    const filled = Math.round((WIDTH * (this.#done - 1)) / this.#total);
    this.#stream.write(`\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${count} ${label}`);
  }

  /** Takes the bar away. */
  finish(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\x1b[K');
  }
}
