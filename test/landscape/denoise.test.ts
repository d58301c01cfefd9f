// Denoising: the steps of a plain loop over the frames, and images that get cleaner.
import { describe, expect, it } from 'vitest';
import { denoise } from '../../src/index.js';
import { BACKENDS, isDataMissing, loadData, Random, type Rows, rowsOf } from '../support/data.js';
import { pairwise } from './support.js';

const random = new Random(12);
/** Frames of a bright spot that moves over an image of 6 × 5. */
const film = Array.from({ length: 20 }, (_, t) =>
  Float64Array.from({ length: 30 }, (_, j) =>
    Math.round(255 * Math.exp(-(((j % 6) - t / 4) ** 2 + (Math.floor(j / 6) - 2) ** 2) / 3)),
  ),
);
const frames = film.filter((_, t) => t !== 7);
const noisy = (film[7] as Float64Array).map((value) => value + 25 * random.gaussian());

function squaredError(image: ArrayLike<number>, truth: ArrayLike<number>): number {
  return Array.from(image).reduce((sum, value, j) => sum + (value - (truth[j] as number)) ** 2, 0) / image.length;
}

function plainSteps(points: Rows, image: Float64Array, eta: number, count: number): Float64Array {
  let x = image;
  for (let t = 0; t < count; t++) {
    const { gradient } = pairwise(points, x, 3);
    x = x.map((value, j) => value - eta * (gradient[j] as number));
  }
  return x;
}

describe('denoise', () => {
  it.each(BACKENDS)('takes the fixed steps of a plain loop and returns unclamped images: %s', (backend) => {
    const taken = denoise(frames, noisy, { step: 100, snapshots: [0, 1, 5, 40], backend });
    expect(taken.map(({ iteration }) => iteration)).toEqual([0, 1, 5, 40]);
    for (const { iteration, image, score } of taken) {
      const expected = plainSteps(frames, noisy, 100, iteration);
      expect(squaredError(image, expected)).toBeLessThan(1e-12);
      expect(score).toBeCloseTo(pairwise(frames, image, 3).score, 9);
    }
    expect(taken).toEqual(denoise(frames, noisy, { step: 100, snapshots: [0, 1, 5, 40], backend: 'js' }));
  });

  it('takes the snapshots and the step of the paper by default', () => {
    const taken = denoise(frames, noisy);
    expect(taken.map(({ iteration }) => iteration)).toEqual([
      1, 10, 100, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000,
    ]);
    expect(squaredError(taken[0]?.image as Float64Array, plainSteps(frames, noisy, 10_000, 1))).toBeLessThan(1e-9);
  });

  it.each([1, 1 / 255, 1e6])(
    'with searched steps never raises the score and cleans the image, at %d times the scale',
    (scale) => {
      const scaled = frames.map((frame) => frame.map((value) => value * scale));
      const taken = denoise(
        scaled,
        noisy.map((value) => value * scale),
        { step: 'auto', snapshots: [0, 1, 3, 10, 100] },
      );
      const scores = taken.map(({ score }) => score);
      expect(scores.every((score, i) => i === 0 || score < (scores[i - 1] as number))).toBe(true);
      const truth = (film[7] as Float64Array).map((value) => value * scale);
      const errors = taken.map(({ image }) => squaredError(image, truth));
      expect(errors.at(-1)).toBeLessThan(0.7 * (errors[0] as number));
    },
  );

  it.skipIf(isDataMissing('denoising of a Frey frame'))('halves the error of a noisy Frey frame', () => {
    const faces = rowsOf(loadData('frey')).slice(0, 100);
    const face = faces[17] as Float64Array;
    const others = faces.filter((_, i) => i !== 17);
    const start = face.map((value) => value + 25 * random.gaussian());
    const taken = denoise(others, start);
    const [before, after] = [squaredError(start, face), squaredError(taken.at(-1)?.image as Float64Array, face)];
    console.log(`Frey frame 17: mean squared error ${before.toFixed(0)} → ${after.toFixed(0)} after 4000 iterations`);
    expect(after).toBeLessThan(before / 2);
  });

  it.each<[string, () => unknown]>([
    ['UNKNOWN_OPTION', () => denoise(frames, noisy, { k: 3 } as never)],
    ['NEIGHBORS_INVALID', () => denoise(frames, noisy, { neighbors: 1 })],
    ['TOO_FEW_ROWS', () => denoise(frames.slice(0, 2), noisy)],
    ['WRONG_WIDTH', () => denoise(frames, noisy.slice(1))],
    ['STEP_INVALID', () => denoise(frames, noisy, { step: 0 })],
    ['SNAPSHOTS_INVALID', () => denoise(frames, noisy, { snapshots: [] })],
    ['SNAPSHOTS_INVALID', () => denoise(frames, noisy, { snapshots: [3, 3] })],
    ['BACKEND_UNKNOWN', () => denoise(frames, noisy, { backend: 'gpu' as never })],
    ['ROW_TYPE', () => denoise(frames, 3 as never)],
    [
      'VALUE_TOO_LARGE',
      () =>
        denoise(
          frames,
          noisy.map(() => 1e200),
        ),
    ],
  ])('fails with %s', (code, work) => {
    expect(work).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
  });
});
