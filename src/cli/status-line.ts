// One line on standard error that is drawn again and again, on terminals only.
import { stderr } from 'node:process';

export class StatusLine {
  #isDrawn = false;

  draw(text: string): void {
    // Some terminals report 0 columns.
    stderr.write(`\r\x1b[K${text.slice(0, (stderr.columns || 80) - 1)}`);
    this.#isDrawn = true;
  }

  /** Clears the line before other output. */
  clear(): void {
    if (this.#isDrawn) stderr.write('\r\x1b[K');
    this.#isDrawn = false;
  }
}
