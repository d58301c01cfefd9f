// Similarity and blurring of images are those of scikit-image and SciPy (test/fixtures/make_images.py).
import { describe, expect, it } from 'vitest';
import { type GreyImage, gaussianWeights, mse, smoothed, ssim } from '../../../bench/paper/images.js';
import { fixture } from '../../support/data.js';

interface Truth {
  width: number;
  height: number;
  picture: number[];
  copies: Array<{ name: string; pixels: number[]; ssim: number }>;
  blurred: Array<{ sigma: number; radius: number; pixels: number[] }>;
}

const truth = fixture<Truth>('images');
const imageOf = (pixels: number[]): GreyImage => ({ ...truth, pixels: Float64Array.from(pixels) });
const picture = imageOf(truth.picture);

describe('structural similarity', () => {
  it.each(truth.copies)("is scikit-image's: $name", ({ pixels, ssim: wanted }) => {
    expect(ssim(picture, imageOf(pixels))).toBeCloseTo(wanted, 9);
    expect(ssim(imageOf(pixels), picture)).toBeCloseTo(wanted, 9);
  });

  it('is refused for images of different sizes, and for those smaller than its window', () => {
    const turned = { ...picture, width: picture.height, height: picture.width };
    expect(() => ssim(picture, turned)).toThrow('two images of one size');
    const small = { width: 10, height: 10, pixels: new Float64Array(100) };
    expect(() => ssim(small, small)).toThrow('at least 11 × 11, got 10 × 10');
  });
});

describe('blurring', () => {
  it.each(truth.blurred)("is SciPy's, with reflected edges: σ $sigma, radius $radius", ({ sigma, radius, pixels }) => {
    const { pixels: blurred } = smoothed(picture, gaussianWeights(sigma, radius));
    expect(mse(blurred, pixels)).toBeLessThan(1e-15);
  });
});

describe('the mean squared error', () => {
  it('is what it says', () => {
    expect(mse([1, 2, 3, 4], [1, 2, 5, 1])).toBe(13 / 4);
  });
});
