// Every distortion ends at the error that was asked for, is what its name says, and comes out again the same.
import { describe, expect, it } from 'vitest';
import { DISTORTIONS, type Distortion, shiftedTo, throughJpeg } from '../../../bench/paper/distortions.js';
import { type GreyImage, gaussianWeights, mse, smoothed } from '../../../bench/paper/images.js';
import { fixture, isDataMissing, loadData, Random, rowsOf } from '../../support/data.js';

const { width, height, picture } = fixture<{ width: number; height: number; picture: number[] }>('images');
const original: GreyImage = { width, height, pixels: Float64Array.from(picture) };
const named = (name: Distortion['name']): Distortion => DISTORTIONS.find((one) => one.name === name) as Distortion;
const differences = (a: GreyImage, b: GreyImage): Float64Array =>
  a.pixels.map((value, i) => value - (b.pixels[i] as number));

describe.each(DISTORTIONS)('$title', (distortion) => {
  it.each([100, 400, 625])('has a mean squared error of %d, with levels from 0 to 255', async (target) => {
    const { image } = await distortion.apply(original, target, 3);
    expect(Math.abs(mse(image.pixels, original.pixels) - target)).toBeLessThan(0.1);
    expect(Math.min(...image.pixels)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...image.pixels)).toBeLessThanOrEqual(255);
  });

  it('is the same again, and another one by another seed if it is random', async () => {
    const first = await distortion.apply(original, 400, 3);
    expect(await distortion.apply(original, 400, 3)).toEqual(first);
    const isSame = mse((await distortion.apply(original, 400, 4)).image.pixels, first.image.pixels) === 0;
    expect(isSame).toBe(distortion.name === 'blur' || distortion.name === 'jpeg');
  });

  it.skipIf(isDataMissing('distortions of Frey frames'))('reaches 625 on frames of the film', async () => {
    const frames = rowsOf(loadData('frey'));
    for (const frame of [0, 17, 50, 99]) {
      const face = { width: 20, height: 28, pixels: frames[frame] as Float64Array };
      const { image } = await distortion.apply(face, 625, frame);
      expect(Math.abs(mse(image.pixels, face.pixels) - 625)).toBeLessThan(0.1);
    }
  });
});

describe('Gaussian noise', () => {
  it('has the standard deviation it found, and no correlation with its neighbour', async () => {
    const grey: GreyImage = { width: 100, height: 100, pixels: new Float64Array(10_000).fill(128) };
    const { image, parameter, shift } = await named('noise').apply(grey, 400, 8);
    expect(shift).toBe(0);
    expect(Math.abs(parameter - 20)).toBeLessThan(0.5);
    const noise = differences(image, grey);
    const neighbours = noise.slice(1).reduce((sum, value, i) => sum + value * (noise[i] as number), 0) / noise.length;
    expect(Math.abs(neighbours)).toBeLessThan(15);
    const within = noise.filter((value) => Math.abs(value) < 20).length / noise.length;
    expect(Math.abs(within - 0.6827)).toBeLessThan(0.02);
  });
});

describe('Gaussian blur', () => {
  it('is the picture smoothed by the width it found', async () => {
    const { image, parameter, shift } = await named('blur').apply(original, 100, 0);
    expect(shift).toBe(0);
    const wanted = smoothed(original, gaussianWeights(parameter, Math.ceil(4 * parameter)));
    expect(mse(image.pixels, wanted.pixels)).toBeLessThan(1e-20);
  });

  it('is made darker where no blur is enough', async () => {
    const flat: GreyImage = { width, height, pixels: original.pixels.map((_, i) => 100 + (i % 2)) };
    const { image, shift } = await named('blur').apply(flat, 625, 0);
    expect(Math.abs(shift - 25)).toBeLessThan(0.1);
    expect(Math.abs(mse(image.pixels, flat.pixels) - 625)).toBeLessThan(0.1);
  });
});

describe('salt and pepper', () => {
  it('leaves a pixel or makes it white or black, before all is made darker', async () => {
    const { image, parameter, shift } = await named('salt-pepper').apply(original, 625, 5);
    const counts = { same: 0, salt: 0, pepper: 0 };
    image.pixels.forEach((value, i) => {
      const darker = (level: number): boolean => Math.abs(value - Math.max(0, level - shift)) < 1e-9;
      if (darker(original.pixels[i] as number)) counts.same++;
      else if (darker(255)) counts.salt++;
      else if (value === 0) counts.pepper++;
    });
    expect(counts.same + counts.salt + counts.pepper).toBe(image.pixels.length);
    expect(counts.salt + counts.pepper).toBe(Math.round(parameter * image.pixels.length));
    expect(Math.abs(counts.salt - counts.pepper)).toBeLessThanOrEqual(1);
    expect(counts.pepper).toBeGreaterThan(3);
  });
});

describe('JPEG blocking', () => {
  it('gives steps at the edges of blocks of 8 × 8', async () => {
    const random = new Random(4);
    const ramp: GreyImage = {
      width: 64,
      height: 64,
      pixels: Float64Array.from({ length: 4096 }, (_, i) => 60 + 2 * (i % 64) + 10 * random.gaussian()),
    };
    const pixels = await throughJpeg(ramp, 5);
    const step = (isEdge: boolean): number => {
      const steps = Array.from(pixels, (value, i) => Math.abs(value - (pixels[i - 1] as number))).filter(
        (_, i) => i % 64 !== 0 && (i % 8 === 0) === isEdge,
      );
      return steps.reduce((sum, value) => sum + value, 0) / steps.length;
    };
    expect(step(true)).toBeGreaterThan(5 * step(false));
  });

  it('changes next to nothing at the best quality, and more the lower it is', async () => {
    const errors = await Promise.all(
      [100, 50, 5].map(async (quality) => mse(await throughJpeg(original, quality), original.pixels)),
    );
    expect(errors[0]).toBeLessThan(0.5);
    expect(errors[1]).toBeGreaterThan(2 * (errors[0] as number));
    expect(errors[2]).toBeGreaterThan(2 * (errors[1] as number));
  });
});

describe('the shift', () => {
  it('is δ = ē + √(ē² − mean(e²) + target) where nothing is clamped', () => {
    const random = new Random(9);
    const grey: GreyImage = { width: 20, height: 20, pixels: Float64Array.from({ length: 400 }, () => 120) };
    const pixels = grey.pixels.map((value) => value + 3 + 10 * random.gaussian());
    const e = pixels.map((value) => value - 120);
    const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = mean(e.map((value) => value ** 2));
    const { shift } = shiftedTo(grey, pixels, 625);
    expect(shift).toBeCloseTo(mean(e) + Math.sqrt(mean(e) ** 2 - square + 625), 3);
  });

  it('is refused where the image is too dark for it', () => {
    const dark: GreyImage = { width: 20, height: 20, pixels: new Float64Array(400).fill(10) };
    expect(() => shiftedTo(dark, dark.pixels, 625)).toThrow('no shift in brightness gives');
  });
});
