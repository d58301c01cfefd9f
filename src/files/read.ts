// Reads a table from a file of any kind. What kind it is, its first bytes tell, then its name. The readers of binary
// formats are loaded when they are needed.
import { CurvadError } from '../core/errors.js';
import { count } from '../core/messages.js';
import type { Table } from '../tables/table.js';
import { readCsv } from './csv.js';
import { type FileInput, originOf } from './input.js';
import { isOneValue, readJson } from './json.js';
import { readNdjson } from './ndjson.js';
import { checkedOptions, type FileFormat, MAX_BYTES, type ReadOptions } from './options.js';
import { type Origin, Source } from './source.js';
import { openText } from './text.js';

const EXTENSIONS: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  txt: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
  arrow: 'arrow',
  arrows: 'arrow',
  feather: 'arrow',
  npy: 'npy',
};

/** Beginnings of files that are no tables here, and what would be right. */
const FOREIGN: ReadonlyArray<readonly [start: string, message: string]> = [
  [
    'FEA1',
    'is Feather version 1, which Arrow no longer writes: save it as version 2 (pyarrow: write_feather) or Parquet',
  ],
  ['PK\x03\x04', 'is a ZIP archive or an Excel workbook: unpack it, or save the sheet as CSV'],
  ['\xd0\xcf\x11\xe0', 'is an old Excel workbook: save the sheet as CSV'],
  ['SQLite format 3', 'is a SQLite database: export the table as CSV or Parquet'],
  ['\x89HDF', 'is an HDF5 file: save the table as Parquet or CSV'],
  ['ORC', 'is an ORC file: save the table as Parquet'],
  ['Obj\x01', 'is an Avro file: save the table as Parquet or NDJSON'],
  ['%PDF', 'is a PDF file, not a table'],
  ['<!DOCTYPE', 'is a web page, not a table'],
  ['<html', 'is a web page, not a table'],
  ['BZh', 'is packed with bzip2: unpack it, or pack it with gzip'],
  ['\x28\xb5\x2f\xfd', 'is packed with Zstandard: unpack it, or pack it with gzip'],
  ['\xfd7zXZ', 'is packed with xz: unpack it, or pack it with gzip'],
];

/** A source with its format. */
export interface OpenInput {
  readonly source: Source;
  readonly format: FileFormat;
  readonly options: ReadOptions;
}

/** Opens a source and finds out its format. The options are checked. `isWaitedFor`: see Source.open. */
export async function openInput(origin: Origin, given: ReadOptions, isWaitedFor = false): Promise<OpenInput> {
  const options = checkedOptions(given);
  const { signal, maxBytes } = options;
  const source = await Source.open(origin, { signal, maxBytes }, isWaitedFor);
  if (source.head.length === 0)
    throw new CurvadError('FILE_EMPTY', `${source.name} is empty: there are no rows to read`);
  const format = options.format ?? formatOf(source, options.encoding);
  return { source, format, options: format === 'tsv' ? { separator: '\t', ...options } : options };
}

function formatOf(source: Source, encoding: string | undefined): FileFormat {
  const { head, name, fileName } = source;
  const start = String.fromCharCode(...head.subarray(0, 16));
  if (start.startsWith('PAR1')) return 'parquet';
  if (start.startsWith('ARROW1') || start.startsWith('\xff\xff\xff\xff')) return 'arrow';
  if (start.startsWith('\x93NUMPY')) return 'npy';
  const foreign = FOREIGN.find(([sign]) => start.toLowerCase().startsWith(sign.toLowerCase()));
  if (foreign !== undefined) throw new CurvadError('FILE_FORMAT', `${name} ${foreign[1]}`);
  const [, extension = ''] = /\.([^./\\]+)$/.exec(fileName.replace(/\.gz$/i, '').toLowerCase()) ?? [];
  const known = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
  if (known !== undefined) return known;
  const text = new TextDecoder().decode(openText(source, encoding).head as Uint8Array<ArrayBuffer>).trimStart();
  if (!/^[{[]/.test(text)) return 'csv';
  return isOneValue(text) ? 'json' : 'ndjson';
}

/** Reads all of an input. */
export async function readInput({ source, format, options }: OpenInput): Promise<Table> {
  const { onProgress } = options;
  const onRows = () => onProgress?.(source.size === undefined ? undefined : source.read / source.size, source.read);
  const onShare = (share: number) => onProgress?.(share, source.read);
  const table = await readAs(format, source, options, onRows, onShare);
  if (table.rows === 0)
    throw new CurvadError('FILE_EMPTY', `${source.name} has a header and no rows: there is nothing to read`);
  if (!table.isNamed && (format === 'csv' || format === 'tsv') && options.header === undefined) {
    const columns = count(table.columns.length, 'column');
    options.onNote?.(`no header: the first line holds numbers, so the ${columns} are numbered (option header)`);
  }
  return table;
}

function readAs(
  format: FileFormat,
  source: Source,
  options: ReadOptions,
  onRows: () => void,
  onShare: (share: number) => void,
): Promise<Table> {
  switch (format) {
    case 'csv':
    case 'tsv':
      return readCsv(source, options, onRows);
    case 'json':
      return readJson(source, options);
    case 'ndjson':
      return readNdjson(source, options, onRows);
    case 'parquet':
      return import('./parquet.js').then(({ readParquet }) => readParquet(source, options, onShare));
    case 'arrow':
      return import('./arrow.js').then(({ readArrow }) => readArrow(source, options, onShare));
    case 'npy':
      return import('./npy.js').then(({ readNpy }) => readNpy(source, options));
  }
}

/** Reads a table from an origin. */
export async function readOrigin(origin: Origin, options: ReadOptions): Promise<Table> {
  return readInput(await openInput(origin, { maxBytes: MAX_BYTES, ...options }));
}

/**
 * Reads a table: CSV and its relatives, JSON, NDJSON, Parquet, Arrow or .npy, packed with gzip or not. The format is
 * told by the content, then by the name.
 */
export async function readTable(input: FileInput, options: ReadOptions = {}): Promise<Table> {
  const checked = checkedOptions(options);
  return readOrigin(originOf(input, checked.name), checked);
}
