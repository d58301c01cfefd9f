// A line that cannot be read, before it is known of which file.
export class BadLine extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
