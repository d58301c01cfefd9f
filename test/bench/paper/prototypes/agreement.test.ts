// The published numbers of Table 3, and the rule by which others agree with them.
import { describe, expect, it } from 'vitest';
import { agrees, describeAgreement, isByFolds } from '../../../../bench/paper/prototypes/agreement.js';
import type { Line } from '../../../../bench/paper/prototypes/lines.js';
import {
  publishedRanking,
  publishedRetaining,
  RANKING,
  RETAINING,
  TABLE_3A,
  TABLE_3B,
} from '../../../../bench/paper/prototypes/published.js';

describe('the published numbers', () => {
  it('are complete, and can be read', () => {
    expect(TABLE_3A.length).toBe(4 + 3 * (3 + 3 + 3 + 2));
    expect(TABLE_3B.length).toBe(4 + 4 + 3 + 3 + 3 + 2);
    for (const [data, what, share, ...cells] of TABLE_3A) {
      const texts = RANKING.map((method) => publishedRanking(data, what, Number(share) || undefined, method)?.text);
      expect(texts).toEqual(cells);
    }
    for (const [data, what, ...cells] of TABLE_3B) {
      const texts = RETAINING.map((method) => publishedRetaining(data, what, method)?.text);
      expect(texts).toEqual(cells.map((text) => (text === '×' || text === '' ? undefined : text)));
    }
  });

  it.each([
    ['70.69%', 70.69, publishedRanking('Pima', '1NN', 20, 'iCAD')],
    ['(6.78%)', 6.78, publishedRetaining('ImageSegment', 'kept', 'DROP3')],
    ['1.348E+4', 13480, publishedRanking('Facebook', 'MLP', 20, 'iCAD')],
    ['5.93E-1', 0.593, publishedRetaining('Iris', 'Birch', 'NR')],
  ])('are numbers: %s is %d', (text, value, printed) => {
    expect(printed).toEqual({ text, value });
  });

  it('are none where the paper has none', () => {
    expect(publishedRetaining('Facebook', 'LR', 'ENN')).toBeUndefined();
    expect(publishedRanking('Wine', '1NN', 20, 'iCAD')).toBeUndefined();
  });
});

describe('a cell agrees with the paper', () => {
  const paper = (value: number) => ({ value, text: String(value) });
  // biome-ignore format: a table
  it.each([
    ['accuracy', 68, 70, true], ['accuracy', 67.9, 70, false], ['kept', 7.9, 6, true], ['kept', 8.1, 6, false],
    ['error', 5500, 5000, true], ['error', 4400, 5000, false], ['Rand index', 0.59, 0.5, true], ['Rand index', 0.39, 0.5, false],
  ] as const)('by the rule for %s: %d beside %d, %s', (quantity, mean, value, expected) => {
    expect(agrees(quantity, { mean, std: 1 }, paper(value))).toBe(expected);
  });

  it('as far as folds can tell, within two standard errors of the mean over ten', () => {
    const measured = { mean: 70, std: Math.sqrt(10) };
    expect([68, 72, 72.1, 67.9].map((value) => isByFolds(measured, paper(value)))).toEqual([true, true, false, false]);
  });

  it('and is counted and named, but for its time', () => {
    const spread = { mean: 70, std: 1 };
    const cell = (method: string, value: number) =>
      ({ method, defined: spread, asPublished: undefined, paper: paper(value) }) as const;
    const line = { data: 'pima', what: '1NN', share: 20, quantity: 'accuracy' } as const;
    const lines: Line[] = [
      { ...line, cells: [cell('SOS', 71), cell('SDM', 60), { ...cell('SE', 1), paper: undefined }] },
      { ...line, what: 'seconds', share: undefined, quantity: 'seconds', cells: [cell('SOS', 70)] },
    ];
    const text = describeAgreement([{ title: 'Ranking', lines }]).join('\n');
    expect(text).toContain('**Ranking, as defined:** 1 of 2 cells agree, 0 lie within two');
    expect(text).toContain('- By method: SOS 1 of 1, SDM 0 of 1. By model: 1NN 1 of 2.');
    expect(text).toContain('- Agree: pima 1NN 20 %: SOS.\n- Do not: pima 1NN 20 %: SDM.');
    expect(text).not.toContain('as published');
  });
});
