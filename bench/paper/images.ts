// Grey images, row after row, with levels from 0 to 255: how far apart two of them are, in squares and as eyes
// see it (structural similarity), and the Gaussian weights that both that and blurring need.

export interface GreyImage {
  readonly width: number;
  readonly height: number;
  /** width × height levels, 0 black to 255 white; not necessarily whole. */
  readonly pixels: Float64Array;
}

export const WHITE = 255;

export function clamped(pixels: Float64Array): Float64Array {
  return pixels.map((value) => Math.min(WHITE, Math.max(0, value)));
}

/** The mean squared error. */
export function mse(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] as number) - (b[i] as number)) ** 2;
  return sum / a.length;
}

/** Weights of a Gaussian at −radius … radius, with sum 1. */
export function gaussianWeights(sigma: number, radius: number): Float64Array {
  const weights = Float64Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / sigma ** 2 / 2),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Weighs rows, then columns; at the edges the image goes on as its own reflection (… b a | a b …). */
export function smoothed({ width, height, pixels }: GreyImage, weights: Float64Array): GreyImage {
  const along = (from: Float64Array, count: number, step: number, lines: number, stride: number): Float64Array => {
    const radius = (weights.length - 1) / 2;
    const to = new Float64Array(from.length);
    for (let line = 0; line < lines; line++) {
      for (let i = 0; i < count; i++) {
        let sum = 0;
        for (let t = -radius; t <= radius; t++) {
          const at = line * stride + reflected(i + t, count) * step;
          sum += (weights[t + radius] as number) * (from[at] as number);
        }
        to[line * stride + i * step] = sum;
      }
    }
    return to;
  };
  const rows = along(pixels, width, 1, height, width);
  return { width, height, pixels: along(rows, height, width, width, 1) };
}

function reflected(i: number, count: number): number {
  const period = 2 * count;
  const place = ((i % period) + period) % period;
  return place < count ? place : period - 1 - place;
}

const WINDOW_RADIUS = 5;
const WINDOW_SIGMA = 1.5;
const C1 = (0.01 * WHITE) ** 2;
const C2 = (0.03 * WHITE) ** 2;

/**
 * The structural similarity of Wang et al. (2004): windows of 11 × 11 with Gaussian weights of σ 1.5, averaged
 * over the windows that lie within the image. 1 for equal images.
 */
export function ssim(a: GreyImage, b: GreyImage): number {
  const { width, height } = a;
  const margin = WINDOW_RADIUS;
  if (width !== b.width || height !== b.height || Math.min(width, height) <= 2 * margin) {
    throw new Error(`similarity needs two images of one size of at least 11 × 11, got ${width} × ${height}`);
  }
  const weights = gaussianWeights(WINDOW_SIGMA, margin);
  const local = (value: (i: number) => number): Float64Array =>
    smoothed({ width, height, pixels: a.pixels.map((_, i) => value(i)) }, weights).pixels;
  const [x, y] = [(i: number) => a.pixels[i] as number, (i: number) => b.pixels[i] as number];
  const [meanX, meanY] = [local(x), local(y)];
  const [xx, yy, xy] = [local((i) => x(i) ** 2), local((i) => y(i) ** 2), local((i) => x(i) * y(i))];
  let sum = 0;
  for (let row = margin; row < height - margin; row++) {
    for (let column = margin; column < width - margin; column++) {
      const i = row * width + column;
      const [mx, my] = [meanX[i] as number, meanY[i] as number];
      const spread = (xx[i] as number) - mx * mx + ((yy[i] as number) - my * my);
      const covariance = (xy[i] as number) - mx * my;
      sum += ((2 * mx * my + C1) * (2 * covariance + C2)) / ((mx * mx + my * my + C1) * (spread + C2));
    }
  }
  return sum / ((height - 2 * margin) * (width - 2 * margin));
}
