// A one-class SVM that another thread fitted is whole: what the options leave open comes back with it.
import { expect, it } from 'vitest';
import { OneClassSVM, type OneClassSVMOptions } from '../../src/index.js';
import { Random } from '../support/data.js';

const rows = new Random(8).rows(4000, 5);

it.each<OneClassSVMOptions>([{}, { gamma: 'scale', standardize: true }, { gamma: 0.3 }])('%j', async (options) => {
  const expected = new OneClassSVM(options).fit(rows);
  const detector = await new OneClassSVM(options).fitAsync(rows, { threads: 1 });
  expect(detector.execution?.threads).toBe(1);
  expect(detector.scores).toEqual(expected.scores);
  expect(detector.gamma).toBe(expected.gamma);
});
