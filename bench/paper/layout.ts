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

export function tableOf(rows: readonly Row[], methods: readonly MethodName[]): string[] {
  return [
    `| data | phase | | ${methods.join(' | ')} |`,
    `| - | - | - |${methods.map(() => ' -: |').join('')}`,
    ...rows.flatMap((row) => PHASES.flatMap((phase) => linesOf(row, phase, methods))),
    '',
  ];
}

function linesOf({ about, cells, paper }: Row, phase: Phase, methods: readonly MethodName[]): string[] {
  const line = (what: string, text: (method: MethodName) => string): string =>
    `| ${about} | ${phase} | ${what} | ${methods.map(text).join(' | ')} |`;
  const inPaper = (quantity: Quantity) => (method: MethodName) => paper(phase, quantity, method)?.text ?? '–';
  const published = (what: string, quantity: Quantity): string[] =>
    methods.some((method) => paper(phase, quantity, method)) ? [line(what, inPaper(quantity))] : [];
  if (typeof cells === 'string') {
    return [
      line(cells, () => ''),
      ...published('AUC, in the paper', 'AUC'),
      ...published('seconds, in the paper', 'time'),
    ];
  }
  const cell = (method: MethodName) => cells.find((measured) => measured.method === method);
  return [
    line('**AUC, as defined**', (method) => bold(show(cell(method)?.defined[phase]))),
    ...(cells.some(({ asPublished }) => asPublished)
      ? [line('AUC, as published', (method) => show(cell(method)?.asPublished?.[phase]))]
      : []),
    ...published('AUC, in the paper', 'AUC'),
    line('seconds', (method) => showSeconds(cell(method)?.seconds[phase])),
    ...published('seconds, in the paper', 'time'),
  ];
}

const bold = (text: string): string => (text === '–' ? text : `**${text}**`);

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
