// What every detector promises of its asynchronous calls: the bits of the synchronous ones.
import { describe, expect, it } from 'vitest';
import { Random } from '../support/data.js';
import { DETECTORS } from '../support/detectors.js';

const random = new Random(31);
const ROWS = random.rows(5000, 6);
const NEW = random.rows(5000, 6, () => 2 * random.gaussian());

describe.each(DETECTORS)('$name', ({ make }) => {
  const options = { backend: 'wasm-simd' };
  const expected = make(options).fit(ROWS);

  it.each([0, 2])('with %i threads is fitted and scores as without', async (threads) => {
    const detector = await make(options).fitAsync(ROWS, { threads });
    expect(detector.scores).toEqual(expected.scores);
    expect(detector.threshold).toBe(expected.threshold);
    expect(detector.toBytes()).toEqual(expected.toBytes());
    expect(await detector.scoreAsync(NEW, { threads })).toEqual(expected.score(NEW));
  });

  it.each([0, 2])('with %i threads stays as it was when a fit is aborted', async (threads) => {
    const detector = make(options).fit(ROWS.slice(0, 50));
    const { scores } = detector;
    const controller = new AbortController();
    const fit = detector.fitAsync(ROWS, { threads, signal: controller.signal });
    setTimeout(() => controller.abort(), 1);
    const outcome = await fit.then(
      () => 'done',
      (error: Error) => error.name,
    );
    if (outcome === 'done') expect(detector.scores).toEqual(expected.scores);
    else expect([outcome, detector.scores]).toEqual(['AbortError', scores]);
  });

  it.each([0, 2])('with %i threads rejects when onProgress throws, and stays as it was', async (threads) => {
    const detector = make(options).fit(ROWS.slice(0, 50));
    const { scores } = detector;
    const onProgress = () => {
      throw new RangeError('mine');
    };
    await expect(detector.fitAsync(ROWS, { threads, onProgress })).rejects.toThrow(new RangeError('mine'));
    expect(detector.scores).toBe(scores);
    await expect(detector.scoreAsync(NEW, { threads, onProgress })).rejects.toThrow(new RangeError('mine'));
    expect(await detector.scoreAsync(NEW, { threads })).toEqual(detector.score(NEW));
  });

  it.each([0, 2])('with %i threads finishes scoring on the model it began with', async (threads) => {
    const detector = make(options).fit(ROWS);
    const underWay = [1, 2].map(() => detector.scoreAsync(NEW, { threads }));
    detector.fit(ROWS.slice(0, 50));
    const after = detector.scoreAsync(NEW, { threads });
    expect(await Promise.all(underWay)).toEqual([expected.score(NEW), expected.score(NEW)]);
    expect(await after).toEqual(detector.score(NEW));
  });

  it.each([0, 2])('with %i threads rejects scoring under way when it is disposed', async (threads) => {
    const detector = make(options).fit(ROWS);
    const underWay = detector.scoreAsync(NEW, { threads });
    detector.fit(ROWS.slice(0, 50));
    detector.dispose();
    await expect(underWay).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});
