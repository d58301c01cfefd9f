// The Facebook metrics as the paper splits them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { facebook } from '../../../bench/paper/facebook.js';
import { dataDirectory, isDataMissing, loadData, rowsOf } from '../../support/data.js';

const OUTPUTS = 12;

describe('the Facebook metrics', () => {
  it('say where they were looked for when they are not there', () => {
    expect(() => facebook('/nowhere')).toThrow('there is no /nowhere/facebook.json');
  });

  describe.skipIf(isDataMissing('the Facebook metrics'))('as published', () => {
    const folder = dataDirectory() as string;

    it('have 7 inputs and 12 outputs for the 495 rows without missing values', () => {
      const { X, Y, inputs, outputs } = facebook(folder);
      expect([X.rows, X.columns, Y.rows, Y.columns]).toEqual([495, 7, 495, OUTPUTS]);
      expect(inputs).toEqual([
        'Category',
        'Page total likes',
        'Type',
        'Post Month',
        'Post Hour',
        'Post Weekday',
        'Paid',
      ]);
      expect([outputs[0], outputs.at(-1)]).toEqual(['Lifetime Post Total Reach', 'Total Interactions']);
    });

    it('keep the rows in order and their values where they belong', () => {
      const { X, Y, inputs, outputs } = facebook(folder);
      const { columns } = JSON.parse(readFileSync(join(folder, 'facebook.json'), 'utf8')) as { columns: string[] };
      const missing = [111, 120, 124, 164, 499];
      const rows = rowsOf(loadData('facebook')).filter((_, i) => !missing.includes(i));
      const pick = (names: readonly string[]) => rows.flatMap((row) => names.map((name) => row[columns.indexOf(name)]));
      expect([...X.data]).toEqual(pick(inputs));
      expect([...Y.data]).toEqual(pick(outputs));
    });

    it('add up: interactions are comments, likes and shares', () => {
      const { Y, outputs } = facebook(folder);
      const at = (name: string) => outputs.indexOf(name);
      for (let i = 0; i < Y.rows; i++) {
        const of = (name: string) => Y.data[i * OUTPUTS + at(name)] as number;
        expect(of('Total Interactions')).toBe(of('comment') + of('like') + of('share'));
      }
    });
  });
});
