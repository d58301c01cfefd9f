// Model files of version 0.1.0 go on loading, with the scores and labels that version gave, to the bit.
// test/fixtures/make_models_of_0.1.0.ts made them with that version.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { load } from '../../src/index.js';
import { BACKENDS } from '../support/data.js';

interface Saved {
  readonly name: string;
  /** Base64. */
  readonly file: string;
  readonly scores: readonly number[];
  readonly labels: readonly number[];
  readonly threshold: number;
  readonly newScores: readonly number[];
}

const { newRows, models } = JSON.parse(
  readFileSync(new URL('../fixtures/models_of_0.1.0.json', import.meta.url), 'utf8'),
) as { newRows: number[][]; models: Saved[] };

describe.each(BACKENDS)('a model file of version 0.1.0, loaded with backend %s', (backend) => {
  it.each(models)('keeps its scores, labels and threshold: $name', ({ file, scores, labels, threshold, newScores }) => {
    const detector = load(Buffer.from(file, 'base64'), { backend });
    expect([...detector.scores]).toEqual(scores);
    expect([...detector.labels]).toEqual(labels);
    expect(detector.threshold).toBe(threshold);
    expect([...detector.score(newRows)]).toEqual(newScores);
  });

  it.each(models)('is as good after it was saved again: $name', ({ file, newScores }) => {
    const again = load(load(Buffer.from(file, 'base64'), { backend }).toBytes(), { backend });
    expect([...again.score(newRows)]).toEqual(newScores);
  });
});
