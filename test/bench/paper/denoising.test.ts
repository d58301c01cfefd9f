// The denoising experiment on a made-up film, and the words that go with its numbers.
import { describe, expect, it } from 'vitest';
import { type Denoised, denoised, freyFrames, ITERATIONS, type Judged } from '../../../bench/paper/denoising.js';
import { describeDenoising } from '../../../bench/paper/denoising-report.js';
import { DISTORTIONS, type Distortion } from '../../../bench/paper/distortions.js';
import { mse, ssim } from '../../../bench/paper/images.js';
import { Random, squaredDistance } from '../../support/data.js';

/** Faces of a kind: a bright spot that wanders, and a little noise. */
const random = new Random(21);
const film = Array.from({ length: 100 }, (_, t) =>
  Float64Array.from({ length: 560 }, (_, j) => {
    const [x, y] = [j % 20, Math.floor(j / 20)];
    return Math.round(
      60 + 150 * Math.exp(-((x - 10 - 4 * Math.sin(t / 9)) ** 2 + (y - 14) ** 2) / 40) + 4 * random.uniform(),
    );
  }),
);
const [noise] = DISTORTIONS as readonly [Distortion];

describe('the denoising of a frame', () => {
  it('starts from the distorted image, ends beside it, and compares with the nearest frames but never the original', async () => {
    const one = await denoised(film, 17, noise);
    const original = film[17] as Float64Array;
    expect(one.original.pixels).toEqual(original);
    expect(one.path.length).toBe(ITERATIONS.length);
    expect(one.path[0]).toEqual(one.noisy);
    expect(Math.abs(one.noisy.mse - 625)).toBeLessThan(0.1);
    const others = film.filter((_, i) => i !== 17);
    const distance = (frame: Float64Array): number => squaredDistance(frame, one.noisy.image.pixels);
    const three = others.toSorted((a, b) => distance(a) - distance(b)).slice(0, 3);
    const mean = original.map((_, j) => three.reduce((sum, frame) => sum + (frame[j] as number) / 3, 0));
    expect(mse(one.nearest.image.pixels, mean)).toBeLessThan(1e-20);
    for (const judged of [one.noisy, ...one.path, one.searched, one.nearest]) {
      expect(judged.mse).toBe(mse(judged.image.pixels, original));
      expect(judged.ssim).toBe(ssim(judged.image, one.original));
      expect(Math.min(...judged.image.pixels)).toBeGreaterThanOrEqual(0);
    }
    expect(one.searched.mse).toBeLessThan(100);
  });

  it('takes the first hundred frames, and refuses images of another size', () => {
    const set = { name: 'film', rows: 200, columns: 560, labels: new Uint8Array(), data: new Float64Array(200 * 560) };
    set.data[99 * 560 + 3] = 7;
    const frames = freyFrames(set);
    expect(frames.length).toBe(100);
    expect(frames[99]?.[3]).toBe(7);
    expect(() => freyFrames({ ...set, columns: 561 })).toThrow('frames have 560 pixels, got 561');
  });
});

describe('the words on denoising', () => {
  /** Errors in the order distorted, the paper's step, searched steps, nearest. */
  const made = (frame: number, name: Distortion['name'], errors: readonly number[], lastStep: number): Denoised => {
    const image = { width: 20, height: 28, pixels: film[0] as Float64Array };
    const [noisy, end, searched, nearest] = errors.map(
      (error): Judged => ({ image, mse: error, ssim: 1 - error / 1000 }),
    ) as [Judged, Judged, Judged, Judged];
    const distortion = DISTORTIONS.find((one) => one.name === name) as Distortion;
    return {
      frame,
      distortion,
      original: image,
      noisy,
      path: [noisy, end],
      lastStep,
      searched: { ...searched, iterations: 9 },
      nearest,
    };
  };
  const text = describeDenoising(
    DISTORTIONS.flatMap(({ name }) => [
      made(17, name, [625, 100, 50, 80], 5),
      made(27, name, name === 'blur' ? [625, 900, 300, 60] : [625, 200, 90, 100], 0.2),
    ]),
  ).join('\n');

  it('give means over frames, and the frame of the paper by itself', () => {
    const [first, second] = text.split("the paper's:") as [string, string];
    expect(first).toContain('Mean of 2 frames (17, 27)');
    expect(first).toMatch(
      /\| Gaussian noise +\| +625 \/ 0\.375 \| +150 \/ 0\.850 \| +70 \/ 0\.930 \| +90 \/ 0\.910 \|/,
    );
    expect(second).toMatch(
      /\| Gaussian blur +\| +625 \/ 0\.375 \| +100 \/ 0\.900 \| +50 \/ 0\.950 \| +80 \/ 0\.920 \|/,
    );
  });

  it('count where a path helps and where it does not', () => {
    expect(text).toContain(
      "than the distorted image was, by MSE, for 7 of 8 with the paper's step, 8 of 8 with searched",
    );
    expect(text).toContain("than that mean for 0 of 8 with the paper's step, 7 of 8 with searched steps");
    expect(text).toContain(
      'under Gaussian noise (searched steps), salt and pepper (searched steps), JPEG blocking (searched',
    );
    expect(text).toContain('for 4 of 8 images the last of its 4,000 steps');
    expect(text).toContain('1 images end farther from the original than they began (27 Gaussian blur)');
    expect(text).toContain("- Gaussian blur: 0 of 2 with the paper's step, 1 of 2 with searched steps.");
  });
});
