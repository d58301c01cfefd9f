// What the text of a thread has in place of reader.ts and recipe.ts: rows arrive there as numbers, and whoever sent
// them keeps the recipe.
import { RowReader } from '../core/input/matrix.js';
import type { Steps } from '../core/steps.js';

export class TableReader extends RowReader {
  recipe: undefined;
  readonly notes: readonly string[] = [];
  readonly kept: undefined;

  get total(): number {
    return this.rows;
  }

  learn(input: unknown): this {
    return this.attach(input);
  }

  learnInSteps(input: unknown): Steps<this> {
    return this.attachInSteps(input);
  }

  spread(): void {}
}

export const Recipe = { fromJSON: (): undefined => undefined };
