// Which measured cells agree with the paper: within its standard deviation, and within 0.2 points; and for
// those that do not, why, as far as it is known.
import type { MethodName, Phase, Printed } from './published.js';
import { type Spread, show } from './spread.js';

/** A cell that has a number in the paper. */
export interface Comparison {
  /** Row and k, as a reader would name them. */
  readonly about: string;
  readonly phase: Phase;
  readonly method: MethodName;
  readonly measured: Spread;
  readonly paper: Printed;
}

const CLOSE = 0.2;
/** The paper cuts digits off, so that even a standard deviation of 0 allows for this. */
const LAST_DIGIT = 0.01;

export const isWithinSpread = ({ measured, paper }: Comparison): boolean =>
  Math.abs(measured.mean - paper.mean) <= Math.max(paper.std, LAST_DIGIT) + 1e-9;

export const isClose = ({ measured, paper }: Comparison): boolean => Math.abs(measured.mean - paper.mean) <= CLOSE;

interface Reason {
  /** The rows it is about. */
  readonly about: RegExp;
  readonly method: MethodName;
  readonly reason: string;
}

/** Why numbers as published are not those of the paper, as far as it is known. */
const REASONS: readonly Reason[] = [
  {
    about: /^wine/,
    method: 'K-CAD rbf',
    reason:
      'nearly all kernel values underflow, and how the program orders what is then equal hangs on the last bits of ' +
      'the distances: rounding the values of the file in the eighth digit moves the result by ten points',
  },
  {
    about: /./,
    method: 'IForest',
    reason: "a random method: the trees are scikit-learn 1.9's for seed 42, the paper's are of another seed or version",
  },
  { about: /./, method: 'EE', reason: "a random method, with random numbers other than scikit-learn's" },
];

/** Lines of Markdown on curvad's numbers. */
export function describeDefined(cells: readonly Comparison[]): string[] {
  return [
    `**As defined:** ${counts(cells)}.`,
    '',
    `- Within: ${list(cells.filter(isWithinSpread))}.`,
    "- CAD and K-CAD are not meant to agree here: the paper's numbers are those of the released program.",
    '',
  ];
}

/** Lines of Markdown on the imitated program's numbers. */
export function describeAsPublished(cells: readonly Comparison[]): string[] {
  const detail = (cell: Comparison) => ` (${show(cell.measured)}, in the paper ${cell.paper.text})`;
  return [
    `**As published:** ${counts(cells)}.`,
    '',
    `- Within: ${list(cells.filter(isWithinSpread))}.`,
    `- Not within: ${list(
      cells.filter((cell) => !isWithinSpread(cell)),
      detail,
    )}.`,
    ...reasonsFor(cells.filter((cell) => !isClose(cell))),
    '',
  ];
}

function counts(cells: readonly Comparison[]): string {
  const [within, close] = [cells.filter(isWithinSpread).length, cells.filter(isClose).length];
  return `${within} of ${cells.length} cells lie within the paper's standard deviation of its mean, ${close} within ${CLOSE} points`;
}

/** "wine: CAD, K-CAD rbf test; musk: …": a method without a phase stands for both. */
function list(cells: readonly Comparison[], detail?: (cell: Comparison) => string): string {
  const rows = [...new Set(cells.map(({ about }) => about))].map((about) => {
    const ofRow = cells.filter((cell) => cell.about === about);
    const methods = [...new Set(ofRow.map(({ method }) => method))].map((method) => {
      const phases = ofRow.filter((cell) => cell.method === method);
      if (phases.length === 2 && !detail) return method;
      return `${method} ${phases.map((cell) => `${cell.phase}${detail?.(cell) ?? ''}`).join(' and ')}`;
    });
    return `${about}: ${methods.join(', ')}`;
  });
  return rows.join('; ') || 'none';
}

function reasonsFor(cells: readonly Comparison[]): string[] {
  return REASONS.flatMap(({ about, method, reason }) => {
    const rows = cells.filter((cell) => about.test(cell.about) && cell.method === method).map((cell) => cell.about);
    return rows.length === 0 ? [] : [`- Why ${method} differs on ${[...new Set(rows)].join(', ')}: ${reason}.`];
  });
}
