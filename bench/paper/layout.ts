// How the tables look: for each row of the paper and each phase, the measured numbers above the printed ones.
import { type Comparison, describeAsPublished, describeDefined } from './agreement.js';
import type { Measured } from './measure.js';
import type { MethodName, Phase, Printed, Quantity } from './published.js';
import { type Spread, show, showSeconds } from './spread.js';

/** A row of a table: a data set, or a data set and k. */
export interface Row {
  readonly about: string;
  /** The measured cells, or why there are none. */
  readonly cells: readonly Measured[] | string;
  /** What the paper has. */
  paper(phase: Phase, quantity: Quantity, method: MethodName): Printed | undefined;
}

const PHASES = ['train', 'test'] as const;

/** The columns before the methods; those are aligned to the right. */
const HEADINGS = ['data', 'phase', ''] as const;

export function tableOf(rows: readonly Row[], methods: readonly MethodName[]): string[] {
  const lines = rows.flatMap((row) => PHASES.flatMap((phase) => linesOf(row, phase, methods)));
  return [...markdown([[...HEADINGS, ...methods], ...lines], HEADINGS.length), ''];
}

/** A table whose columns are as wide as their widest cell, so that it can be read as it is. */
export function markdown(table: ReadonlyArray<readonly string[]>, leftColumns: number): string[] {
  const widths = (table[0] ?? []).map((_, j) => Math.max(3, ...table.map((line) => (line[j] ?? '').length)));
  const pad = (text: string, j: number): string =>
    j < leftColumns ? text.padEnd(widths[j] ?? 0) : text.padStart(widths[j] ?? 0);
  const [head = '', ...body] = table.map((line) => `| ${line.map(pad).join(' | ')} |`);
  const rule = widths.map((width, j) => (j < leftColumns ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head, `| ${rule.join(' | ')} |`, ...body];
}

function linesOf({ about, cells, paper }: Row, phase: Phase, methods: readonly MethodName[]): string[][] {
  const line = (what: string, text: (method: MethodName) => string): string[] => [
    about,
    phase,
    what,
    ...methods.map(text),
  ];
  const published = (what: string, quantity: Quantity): string[][] =>
    methods.some((method) => paper(phase, quantity, method))
      ? [line(what, (method) => paper(phase, quantity, method)?.text ?? '–')]
      : [];
  const inPaper = published('AUC, in the paper', 'AUC');
  const secondsInPaper = published('seconds, in the paper', 'time');
  if (typeof cells === 'string') return [line(cells, () => ''), ...inPaper, ...secondsInPaper];
  const cell = (method: MethodName) => cells.find((measured) => measured.method === method);
  const asPublished = cells.some((measured) => measured.asPublished)
    ? [line('AUC, as published', (method) => show(cell(method)?.asPublished?.[phase]))]
    : [];
  return [
    line('**AUC, as defined**', (method) => bold(show(cell(method)?.defined[phase]))),
    ...asPublished,
    ...inPaper,
    line('seconds', (method) => showSeconds(cell(method)?.seconds[phase])),
    ...secondsInPaper,
  ];
}

export const bold = (text: string): string => (text === '–' ? text : `**${text}**`);

/** What agrees with the paper, protocol by protocol. */
export function agreementOf(rows: readonly Row[]): string[] {
  const asPublished = comparisons(rows, ({ asPublished }) => asPublished);
  return [
    '### What agrees',
    '',
    ...describeDefined(comparisons(rows, ({ defined }) => defined)),
    ...(asPublished.length > 0 ? describeAsPublished(asPublished) : []),
  ];
}

function comparisons(
  rows: readonly Row[],
  pick: (cell: Measured) => Readonly<Record<Phase, Spread>> | undefined,
): Comparison[] {
  return rows.flatMap(({ about, cells, paper }) =>
    (typeof cells === 'string' ? [] : cells).flatMap((cell) =>
      PHASES.flatMap((phase) => {
        const [measured, printed] = [pick(cell)?.[phase], paper(phase, 'AUC', cell.method)];
        return measured && printed ? [{ about, phase, method: cell.method, measured, paper: printed }] : [];
      }),
    ),
  );
}
