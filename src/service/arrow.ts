// Requests and answers as Arrow IPC streams. The reader is loaded with the first request.
import type { ReadOptions } from '../files/options.js';
import type { Table } from '../tables/table.js';
import { PackedAnswer } from './route.js';
import type { Scored } from './served-model.js';

export const ARROW = 'application/vnd.apache.arrow.stream';

/** The table in a body. Compressed batches are refused: gzip of the whole body has the same effect at lower cost. */
export async function tableOfBody(bytes: Uint8Array, { rows }: { rows: number }): Promise<Table> {
  const { tableOfArrow } = await import('../files/arrow-table.js');
  const options: ReadOptions = { maxRows: rows };
  return tableOfArrow(bytes, 'the body', options, () => {});
}

/** The columns score and label. */
export async function arrowOf({ scores, threshold }: Scored): Promise<PackedAnswer> {
  const { columnFromArray, float64, int32, tableFromColumns, tableToIPC } = await import('@uwdata/flechette');
  const labels = Int32Array.from(scores, (score) => (score > threshold ? 1 : 0));
  const table = tableFromColumns({
    score: columnFromArray(scores, float64()),
    label: columnFromArray(labels, int32()),
  });
  return new PackedAnswer(tableToIPC(table, { format: 'stream' }) as Uint8Array<ArrayBuffer>, ARROW);
}
