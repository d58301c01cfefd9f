// Which cells of Table 3 agree with the paper. It prints no spread and its folds are not seeded, so the rule is
// a distance: 2 points for shares and accuracies, 10 % for errors, 0.1 for the adjusted Rand index.
import type { Spread } from '../spread.js';
import type { Cell, Line, Quantity } from './lines.js';
import { FOLDS } from './measure.js';
import type { Printed } from './published.js';

export const RULE = '2 points of accuracy or of the share kept, 10 % of the error, 0.1 of the adjusted Rand index';

export function agrees(quantity: Quantity, measured: Spread, { value }: Printed): boolean {
  const distance = Math.abs(measured.mean - value);
  if (quantity === 'error') return distance <= 0.1 * value;
  return distance <= (quantity === 'Rand index' ? 0.1 : 2);
}

/** Whether the difference could be one of folds alone: within two standard errors of the mean over ours. */
export function isByFolds({ mean, std }: Spread, { value }: Printed): boolean {
  return Math.abs(mean - value) <= (2 * std) / Math.sqrt(FOLDS);
}

/** A number that the paper has, too. */
interface Comparison {
  readonly line: Line;
  readonly method: string;
  readonly isAgreed: boolean;
  readonly isByFolds: boolean;
}

/** Lines of Markdown: for each half of the table, what agrees. */
export function describeAgreement(
  halves: ReadonlyArray<{ readonly title: string; readonly lines: readonly Line[] }>,
): string[] {
  return [
    '### What agrees',
    '',
    `Cells agree within ${RULE}; times are not compared. Beside that: how many lie within two standard errors of the measured mean (twice the ± over √${FOLDS}), so that other folds alone could make the difference.`,
    '',
    ...halves.flatMap(({ title, lines }) => {
      const defined = comparisons(lines, (cell) => cell.defined);
      const asPublished = comparisons(lines, (cell) => cell.asPublished);
      return [
        ...describe(`${title}, as defined`, defined),
        ...(asPublished.length > 0 ? describe(`${title}, as published`, asPublished) : []),
      ];
    }),
  ];
}

function comparisons(lines: readonly Line[], pick: (cell: Cell) => Spread | undefined): Comparison[] {
  return lines.flatMap((line) =>
    line.cells.flatMap((cell) => {
      const measured = pick(cell);
      if (line.quantity === 'seconds' || measured === undefined || cell.paper === undefined) return [];
      const isAgreed = agrees(line.quantity, measured, cell.paper);
      return [{ line, method: cell.method, isAgreed, isByFolds: isByFolds(measured, cell.paper) }];
    }),
  );
}

function describe(title: string, cells: readonly Comparison[]): string[] {
  const [agreed, others] = [cells.filter(({ isAgreed }) => isAgreed), cells.filter(({ isAgreed }) => !isAgreed)];
  const couldBe = cells.filter((cell) => cell.isByFolds).length;
  return [
    `**${title}:** ${agreed.length} of ${cells.length} cells agree, ${couldBe} lie within two standard errors.`,
    '',
    `- By method: ${countsBy(cells, ({ method }) => method)}. By model: ${countsBy(cells, ({ line }) => line.what)}.`,
    `- Agree: ${list(agreed)}.`,
    `- Do not: ${list(others)}.`,
    '',
  ];
}

/** "iCAD 25 of 33, K-iCAD rbf …": how many of each group agree. */
function countsBy(cells: readonly Comparison[], group: (cell: Comparison) => string): string {
  const counts = [...new Set(cells.map(group))].map((name) => {
    const own = cells.filter((cell) => group(cell) === name);
    return `${name} ${own.filter(({ isAgreed }) => isAgreed).length} of ${own.length}`;
  });
  return counts.join(', ');
}

/** "pima 1NN 20 %: iCAD, SOS; pima 1NN 50 %: …" */
function list(cells: readonly Comparison[]): string {
  const lines = [...new Set(cells.map(({ line }) => line))].map((line) => {
    const share = line.share === undefined ? '' : ` ${line.share} %`;
    const methods = cells.filter((cell) => cell.line === line).map(({ method }) => method);
    return `${line.data} ${line.what}${share}: ${methods.join(', ')}`;
  });
  return lines.join('; ') || 'none';
}
