// curvad example: writes the embedded example as CSV, as input for the other commands.

import { formatRows, outputFormat, ROW_FORMATS } from '../../files/write.js';
import { COMMON_OPTIONS, type Command } from '../command.js';
import { COLUMNS, makeExample } from '../example.js';
import { checkOutputs, writeOutput } from '../output.js';

/** Digits of each column, as an instrument would report them. */
const DIGITS = [1, 0, 2, 1];

export const example: Command = {
  name: 'example',
  usage: '[options]',
  about: `Writes the embedded example as CSV: a thousand readings of a machine, twelve of which were made wrong on purpose
(1 in the column "planted").`,
  options: {
    Output: [
      {
        name: 'out',
        short: 'o',
        value: 'FILE',
        help: 'output file; the extension determines the format (default: CSV to standard output)',
      },
    ],
    General: COMMON_OPTIONS,
  },
  examples: [['curvad example > readings.csv', 'input for the other commands']],
  async run(given) {
    const out = given.text('out') ?? '-';
    const format = outputFormat(out, ROW_FORMATS) ?? 'csv';
    checkOutputs([out], []);
    const { data, rows, columns, planted } = makeExample();
    const values = COLUMNS.map((name, j) => ({
      name,
      type: 'number' as const,
      at: (i: number) => Number((data[i * columns + j] as number).toFixed(DIGITS[j])),
    }));
    const label = { name: 'planted', type: 'integer' as const, at: (i: number) => Number(planted.has(i)) };
    await writeOutput(out, formatRows([...values, label], rows, format));
  },
};
