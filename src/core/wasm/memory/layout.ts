// Lays out the parts of a memory segment, each aligned to a cache line.

export interface Layout<Part extends string> {
  /** Total bytes. */
  readonly total: number;
  /** The address of each part of a segment that starts at `start`. */
  at(start: number): Record<Part, number>;
}

/** Lays out parts of given sizes, after `before` bytes of something else. */
export function layOut<Part extends string>(sizes: Readonly<Partial<Record<Part, number>>>, before = 0): Layout<Part> {
  const offsets: Array<[part: string, offset: number]> = [];
  let total = toCacheLine(before);
  for (const [part, size] of Object.entries<number>(sizes as Record<Part, number>)) {
    offsets.push([part, total]);
    total += toCacheLine(size);
  }
  const at = (start: number) =>
    Object.fromEntries(offsets.map(([part, offset]) => [part, start + offset])) as Record<Part, number>;
  return { total, at };
}

function toCacheLine(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}
