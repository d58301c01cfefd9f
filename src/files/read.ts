// Reads a table from a file of any kind. What kind it is, its first bytes tell, then its name. The readers of
// binary formats are loaded when they are needed.
import { extname } from 'node:path';
import { CurvadError } from '../core/errors.js';
import { count } from '../core/messages.js';
import type { Keeping } from '../tables/builder.js';
import type { Table } from '../tables/table.js';
import { type Dialect, readCsv } from './csv.js';
import { readNdjson } from './ndjson.js';
import { Source } from './source.js';

export const INPUT_FORMATS = ['csv', 'tsv', 'ndjson', 'parquet', 'arrow', 'npy'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, InputFormat>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.parquet': 'parquet',
  '.arrow': 'arrow',
  '.arrows': 'arrow',
  '.feather': 'arrow',
  '.npy': 'npy',
};

export interface InputOptions extends Dialect {
  readonly format?: InputFormat | undefined;
}

/** A source with its format. */
export interface OpenInput {
  readonly source: Source;
  readonly format: InputFormat;
  readonly dialect: Dialect;
}

export async function openInput(path: string, options: InputOptions): Promise<OpenInput> {
  const source = await Source.open(path);
  if (source.head.length === 0)
    throw new CurvadError('FILE_EMPTY', `${source.name} is empty: there are no rows to read`);
  const format = options.format ?? formatOf(source.head, path);
  const separator = options.separator ?? (format === 'tsv' ? '\t' : undefined);
  return { source, format, dialect: { ...options, separator } };
}

function formatOf(head: Buffer, path: string): InputFormat {
  const start = head.toString('latin1', 0, 8);
  if (start.startsWith('PAR1')) return 'parquet';
  if (start.startsWith('ARROW1') || head.subarray(0, 4).equals(Buffer.from([255, 255, 255, 255]))) return 'arrow';
  if (start.startsWith('\x93NUMPY')) return 'npy';
  const extension = extname(path.replace(/\.gz$/i, '')).toLowerCase();
  const known = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
  if (known !== undefined) return known;
  return /^(\xef\xbb\xbf)?\s*[{[]/.test(head.toString('latin1', 0, 100)) ? 'ndjson' : 'csv';
}

/** What whoever reads wants to know meanwhile. */
export interface Watching {
  /** The share of the file that was read, where it is known, and the bytes. */
  onProgress(share: number | undefined, bytes: number): void;
  /** What was decided about the file and may surprise. */
  onNote(note: string): void;
}

/** Reads all of a file. */
export async function readTable(input: OpenInput, keeping: Keeping, watching: Watching): Promise<Table> {
  const { source, format, dialect } = input;
  const onRows = () =>
    watching.onProgress(source.size === undefined ? undefined : source.read / source.size, source.read);
  const onShare = (share: number) => watching.onProgress(share, 0);
  const table = await readAs(format, source, dialect, keeping, onRows, onShare);
  if (table.rows === 0)
    throw new CurvadError('FILE_EMPTY', `${source.name} has a header and no rows: there is nothing to read`);
  if (!table.isNamed && (format === 'csv' || format === 'tsv') && dialect.header === undefined) {
    const columns = count(table.columns.length, 'column');
    watching.onNote(
      `no header: the first line holds numbers, so the ${columns} are numbered (--header if it names them)`,
    );
  }
  return table;
}

async function readAs(
  format: InputFormat,
  source: Source,
  dialect: Dialect,
  keeping: Keeping,
  onRows: () => void,
  onShare: (share: number) => void,
): Promise<Table> {
  switch (format) {
    case 'csv':
    case 'tsv':
      return readCsv(source, dialect, keeping, onRows);
    case 'ndjson':
      return readNdjson(source, keeping, onRows);
    case 'parquet':
      return (await import('./parquet.js')).readParquet(source, keeping, onShare);
    case 'arrow':
      return (await import('./arrow.js')).readArrow(source, keeping, onShare);
    case 'npy':
      return (await import('./npy.js')).readNpy(source);
  }
}
