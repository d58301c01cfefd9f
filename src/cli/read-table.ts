// Reads the table of an input, with progress and remarks on the terminal.
import { type OpenInput, readTable } from '../files/read.js';
import type { Keeping } from '../tables/builder.js';
import type { Table } from '../tables/table.js';
import type { Terminal } from './terminal.js';

export async function readTableOf(input: OpenInput, keeping: Keeping, terminal: Terminal): Promise<Table> {
  const progress = terminal.progress('Reading', input.source.size, 'B');
  try {
    return await readTable(input, keeping, {
      onProgress: (share, bytes) => progress.update(share, bytes),
      onNote: (note) => terminal.note(note),
    });
  } finally {
    progress.end();
  }
}
