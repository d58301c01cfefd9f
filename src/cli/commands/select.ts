// curvad select: keeps prototypes, the rows that represent the others. CSV and NDJSON rows are copied byte for byte;
// other formats are written anew.

import { canCopyRows, copyRows } from '../../files/copy-rows.js';
import { formatRows, outputFormat, ROW_FORMATS, type RowFormat } from '../../files/write.js';
import { findColumn } from '../../tables/find.js';
import { textAt } from '../../tables/table.js';
import type { Arguments } from '../arguments.js';
import { COLUMN_OPTIONS, COMMON_OPTIONS, type Command, INPUT_OPTIONS } from '../command.js';
import { count, DataError, quote, UsageError } from '../errors.js';
import { fileArguments, type Input, type InputFile, readInput } from '../input.js';
import { interruptible } from '../interrupts.js';
import { METHOD_OPTIONS, type MethodOptions, methodOptions } from '../methods.js';
import { checkOutputs, writeOutput } from '../output.js';
import { SELECTOR_NAMES, SELECTORS, type SelectorEntry, type SelectorName } from '../selectors.js';
import type { Terminal } from '../terminal.js';
import { tableColumns } from './table-columns.js';

/** Options that selectors share with detectors, and their help text where it differs. */
const OPTIONS: Readonly<Record<string, string | undefined>> = {
  k: 'neighbours of icad (default 10), enn and drop3 (default 3)',
  kernel: 'of icad: linear (default), rbf, laplacian, polynomial, sigmoid, cosine',
  gamma: undefined,
  degree: undefined,
  coef0: 'c₀ of the polynomial and sigmoid kernels (default 1)',
  seed: undefined,
  standardize: 'bring columns to the same scale (z-scores) for icad: for columns in different units',
};

export const select: Command = {
  name: 'select',
  usage: 'FILE… [options]',
  about: `Keeps the rows that represent the others (prototypes), in file order. FILE may be - for
standard input; several files are one table. --keep or --count say how many; without them icad, enn and drop3 decide.`,
  methods: SELECTORS,
  options: {
    'Method options': [
      { name: 'keep', value: 'SHARE', help: 'share of rows to keep, of each class' },
      { name: 'count', value: 'N', help: 'number of rows to keep' },
      { name: 'method', short: 'm', value: 'NAME', help: 'one of the methods above (default icad)' },
      ...METHOD_OPTIONS.filter(({ name }) => name in OPTIONS).map((option) => ({
        ...option,
        help: OPTIONS[option.name] ?? option.help,
      })),
      { name: 'class', value: 'COLUMN', help: 'the class column: rows are chosen within each class' },
    ],
    Columns: COLUMN_OPTIONS,
    Input: INPUT_OPTIONS,
    Output: [
      { name: 'out', short: 'o', value: 'FILE', help: 'output file (default: standard output)' },
      {
        name: 'format',
        short: 'f',
        value: 'NAME',
        help: `${ROW_FORMATS.join(', ')} (default: from the extension of --out, else as the input or csv)`,
      },
      { name: 'number', help: 'prepend the number of each row, from 0' },
    ],
    General: COMMON_OPTIONS,
  },
  notes: `CSV and NDJSON rows are copied unchanged unless you choose another format, including cells that look like
  formulas.`,
  examples: [
    ['curvad select train.csv --keep 0.2 --class species --out small.csv', 'a fifth of each class'],
    ['curvad select train.csv --method drop3 --class species', 'DROP3 decides how many to keep'],
    ['curvad select readings.parquet --count 100 --standardize -f csv', 'a hundred typical rows'],
  ],
  run,
};

async function run(given: Arguments, terminal: Terminal): Promise<void> {
  const paths = fileArguments(given, 'select');
  const name = given.choice('method', SELECTOR_NAMES) ?? 'icad';
  const options = selectorOptions(given, name);
  const keep = given.number('keep', 'a share above 0 and at most 1', (share) => share > 0 && share <= 1);
  const number = given.wholeNumber('count', 1);
  checkAmount(name, keep, number);
  const out = given.text('out') ?? '-';
  const asked = outputFormat(out, ROW_FORMATS, given.choice('format', ROW_FORMATS));
  checkOutputs([out], paths);
  const className = given.text('class');
  if ((name === 'enn' || name === 'drop3') && className === undefined)
    throw new UsageError(`${name} needs the class of each row: --class COLUMN`);
  const input = await readInput(given, paths, { reserved: { class: className }, keepsTexts: true }, terminal);
  const classes = className === undefined ? undefined : classesOf(input, className);
  const selector = (SELECTORS[name] as SelectorEntry).make(options);
  const chosen = interruptible(() =>
    keep === undefined && number === undefined
      ? selector.retain(input.matrix, classes)
      : selector.select(input.matrix, classes, keep === undefined ? { count: number as number } : { keep }),
  );
  const rows = Uint32Array.from(chosen, (position) => input.rowNumbers[position] as number).sort();
  await write(input, rows, out, asked, given.flag('number'));
  const share = ((100 * rows.length) / input.matrix.rows).toFixed(1);
  terminal.note(
    `kept ${count(rows.length, 'row')} of ${input.matrix.rows.toLocaleString('en')} (${share} %) by ${name}`,
  );
}

function selectorOptions(given: Arguments, name: SelectorName): MethodOptions {
  const options = methodOptions(given);
  const known: readonly string[] = SELECTORS[name].options;
  for (const option of Object.keys(options)) {
    if (option === 'seed' || known.includes(option)) continue;
    throw new UsageError(`--${option === 'neighbors' ? 'k' : option} does not apply to ${name}`);
  }
  if (!known.includes('seed')) delete options.seed;
  return options;
}

function checkAmount(name: SelectorName, keep: number | undefined, number: number | undefined): void {
  const { ranks, retains } = SELECTORS[name];
  if (keep !== undefined && number !== undefined) throw new UsageError('give --keep or --count, not both');
  const isGiven = keep !== undefined || number !== undefined;
  if (isGiven && !ranks)
    throw new UsageError(`${name} decides by itself how many rows to keep: remove --keep and --count`);
  if (!isGiven && !retains)
    throw new UsageError(`${name} needs to know how many rows to keep: --keep 0.2 or --count 100`);
}

function classesOf({ table, rowNumbers }: Input, name: string): string[] {
  const column = findColumn(table, name, '--class');
  return Array.from(rowNumbers, (row) => {
    const text = textAt(column, row);
    if (text === null) throw new DataError(`row ${row} has no class in column ${quote(name)}`);
    return text;
  });
}

async function write(
  { files, table }: Input,
  rows: Uint32Array,
  out: string,
  asked: RowFormat | undefined,
  isNumbered: boolean,
): Promise<void> {
  const { opened } = files[0] as InputFile;
  const { format, source } = opened;
  const own = format === 'tsv' ? 'csv' : format;
  const isCopied = files.length === 1 && canCopyRows(opened) && !isNumbered && (asked === undefined || asked === own);
  const copied = isCopied ? await source.again() : undefined;
  if (copied !== undefined) {
    await writeOutput(out, copyRows(opened, copied, rows));
    return;
  }
  const columns = tableColumns(table, rows);
  if (isNumbered) columns.unshift({ name: 'row', type: 'integer', at: (i) => rows[i] as number });
  const fallback =
    format === 'ndjson' || format === 'json' ? format : format === 'parquet' && out !== '-' ? 'parquet' : 'csv';
  await writeOutput(out, formatRows(columns, rows.length, asked ?? fallback));
}
