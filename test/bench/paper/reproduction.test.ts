// The published cells come out: CAD, kernel CAD and LOF on the two smaller data sets, to 0.2 points of what the
// paper prints. (The larger ones take a minute: npm run paper.) These tests need the real data.
import { describe, expect, it } from 'vitest';
import { type DataSet, readData } from '../../../bench/paper/data.js';
import { measure, SUBJECTS, type Subject } from '../../../bench/paper/measure.js';
import { METHODS } from '../../../bench/paper/methods.js';
import { published, TABLE_1, TABLE_2 } from '../../../bench/paper/published.js';
import { dataDirectory, isDataMissing } from '../../support/data.js';

const isMissing = isDataMissing("the paper's numbers on wine and letter");
const PHASES = ['train', 'test'] as const;

function read(name: string): { set: DataSet; subject: Subject } {
  const subject = SUBJECTS.find((one) => one.name === name);
  const set = readData(dataDirectory() ?? '', name);
  if (!subject || !set) throw new Error(`there is no ${name}`);
  return { set, subject };
}

/** Methods whose numbers are determined by the data, as far as curvad has them. */
const EXACT = METHODS.filter(({ name }) => ['CAD', 'K-CAD rbf', 'K-CAD poly', 'LOF'].includes(name));
// Kernel values of wine underflow, and the released program's order of ties hangs on last bits.
const CASES = ['wine', 'letter'].flatMap((data) =>
  EXACT.filter(({ name }) => data !== 'wine' || name !== 'K-CAD rbf').map((method) => ({
    data,
    method,
    name: method.name,
  })),
);

describe.skipIf(isMissing)('as published, k = 10', () => {
  it.each(CASES)('$name on $data is within 0.2 points of Table 1', ({ data, method }) => {
    const { set, subject } = read(data);
    const { asPublished } = measure(set, subject, method, 10, true);
    for (const phase of PHASES) {
      const paper = published(TABLE_1, subject.published, phase, 'AUC', method.name);
      expect(Math.abs((asPublished?.[phase].mean ?? NaN) - (paper?.mean ?? NaN))).toBeLessThanOrEqual(0.2);
      expect(Math.abs((asPublished?.[phase].std ?? NaN) - (paper?.std ?? NaN))).toBeLessThanOrEqual(0.2);
    }
  });
});

describe.skipIf(isMissing)('as published, the study of k', () => {
  const studied = METHODS.filter(({ name }) => name === 'CAD' || name === 'K-CAD poly');
  it.each([3, 20].flatMap((k) => studied.map((method) => ({ k, method, name: method.name }))))(
    '$name with k = $k is within 0.2 points of Table 2',
    ({ k, method }) => {
      const { set, subject } = read('letter');
      const { asPublished } = measure(set, subject, method, k, true);
      for (const phase of PHASES) {
        const paper = published(TABLE_2, String(k), phase, 'AUC', method.name);
        expect(Math.abs((asPublished?.[phase].mean ?? NaN) - (paper?.mean ?? NaN))).toBeLessThanOrEqual(0.2);
      }
    },
  );
});

describe.skipIf(isMissing)('as defined', () => {
  // Training rows have the same neighbours by both protocols where no distances are equal, as in wine.
  it.each(METHODS.filter(({ name }) => name === 'CAD' || name === 'K-CAD poly'))(
    '$name on the training rows of wine is 100 minus Table 1',
    (method) => {
      const { set, subject } = read('wine');
      const { defined } = measure(set, subject, method, 10, false);
      const paper = published(TABLE_1, subject.published, 'train', 'AUC', method.name);
      expect(Math.abs(defined.train.mean + (paper?.mean ?? NaN) - 100)).toBeLessThanOrEqual(0.05);
    },
  );
});
