// Reads the table of an input, with progress and notes on the terminal.
import type { ReadOptions } from '../files/options.js';
import { type OpenInput, readInput } from '../files/read.js';
import type { Table } from '../tables/table.js';
import type { Terminal } from './terminal.js';

export async function readTableOf(
  { source, format, options }: OpenInput,
  keeping: Pick<ReadOptions, 'text' | 'mostTexts'>,
  terminal: Terminal,
): Promise<Table> {
  const progress = terminal.progress('Reading', source.size, 'B');
  try {
    return await readInput({
      source,
      format,
      options: {
        ...options,
        ...keeping,
        onProgress: (share, bytes) => progress.update(share, bytes),
        onNote: (note) => terminal.note(note),
      },
    });
  } finally {
    progress.end();
  }
}
