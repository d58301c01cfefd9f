// How Table 3 looks: for each line of the paper, the measured numbers above the printed ones.
import { bold, markdown } from '../layout.js';
import { type Spread, show } from '../spread.js';
import type { Cell, Line, Quantity } from './lines.js';

const HEADINGS = ['data', 'model', 'kept', ''] as const;

/** Lines of Markdown. */
export function tableOf(lines: readonly Line[], methods: readonly string[]): string[] {
  const rows = lines.flatMap(rowsOf);
  return [...markdown([[...HEADINGS, ...methods], ...rows], HEADINGS.length), ''];
}

function rowsOf({ data, what, share, quantity, cells }: Line): string[][] {
  const row = (title: string, text: (cell: Cell) => string): string[] => [
    data,
    what === 'kept' ? '% kept' : what,
    share === undefined ? '' : `${share} %`,
    title,
    ...cells.map(text),
  ];
  const isMeasured = cells.some(({ defined }) => defined);
  const isImitated = cells.some(({ asPublished }) => asPublished);
  const isTime = quantity === 'seconds';
  return [
    isMeasured
      ? row(isTime ? 'measured' : '**as defined**', ({ defined }) => {
          const text = showAs(quantity, defined);
          return isTime ? text : bold(text);
        })
      : row('not measured: no data', () => ''),
    ...(isImitated ? [row('as published', ({ asPublished }) => showAs(quantity, asPublished))] : []),
    row('in the paper', ({ paper }) => paper?.text ?? '–'),
  ];
}

/** In the digits of the paper. */
function showAs(quantity: Quantity, spread: Spread | undefined): string {
  if (spread === undefined) return '–';
  if (quantity === 'accuracy' || quantity === 'kept') return show(spread);
  if (quantity === 'Rand index') return `${spread.mean.toFixed(3)}±${spread.std.toFixed(3)}`;
  return `${scientific(spread.mean, 2)}±${scientific(spread.std, 1)}`;
}

function scientific(value: number, digits: number): string {
  return value.toExponential(digits).toUpperCase();
}
