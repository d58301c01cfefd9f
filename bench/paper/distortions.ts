// The four distortions of the denoising experiment, each brought to a given mean squared error against the
// original. The random draws are fixed by a seed, and one parameter is bisected. Where it comes in steps that
// miss the target (salt and pepper, JPEG) or ends before it, the rest is a shift in brightness.
import sharp from 'sharp';
import { clamped, type GreyImage, gaussianWeights, mse, smoothed, WHITE } from './images.js';
import { NormalNumbers } from './numpy-normal.js';
import { RandomState } from './numpy-random.js';

export interface Distorted {
  /** Levels within 0 and 255, not rounded. */
  readonly image: GreyImage;
  /** What was found: a standard deviation, a share of pixels, a JPEG quality. */
  readonly parameter: number;
  /** How much darker it was made to reach the target; mostly 0. */
  readonly shift: number;
}

export interface Distortion {
  /** For the names of files. */
  readonly name: 'noise' | 'blur' | 'salt-pepper' | 'jpeg';
  readonly title: string;
  /** An image whose mean squared error is the target. The seed matters where the distortion is random. */
  apply(original: GreyImage, target: number, seed: number): Distorted | Promise<Distorted>;
}

/** How near the target is near enough: a tenth of what the paper's program allows. */
const TOLERANCE = 0.01;

/** In the order of the paper. */
export const DISTORTIONS: readonly Distortion[] = [
  { name: 'noise', title: 'Gaussian noise', apply: gaussianNoise },
  { name: 'blur', title: 'Gaussian blur', apply: gaussianBlur },
  { name: 'salt-pepper', title: 'salt and pepper', apply: saltAndPepper },
  { name: 'jpeg', title: 'JPEG blocking', apply: jpegBlocking },
];

/** One draw for each pixel; its factor σ is searched. */
function gaussianNoise(original: GreyImage, target: number, seed: number): Distorted {
  const normal = new NormalNumbers(new RandomState(seed));
  const draws = original.pixels.map(() => normal.next());
  return searched(original, target, 4 * WHITE, (sigma) =>
    original.pixels.map((value, i) => value + sigma * (draws[i] as number)),
  );
}

function gaussianBlur(original: GreyImage, target: number): Distorted {
  const widest = Math.max(original.width, original.height);
  return searched(original, target, widest, (sigma) =>
    sigma === 0 ? original.pixels : smoothed(original, gaussianWeights(sigma, Math.ceil(4 * sigma))).pixels,
  );
}

/** Pixels in a drawn order, white and black in turn; how many of them is searched. */
function saltAndPepper(original: GreyImage, target: number, seed: number): Distorted {
  const count = original.pixels.length;
  const order = Int32Array.from({ length: count }, (_, i) => i);
  new RandomState(seed).shuffle(order);
  const pixels = original.pixels.slice();
  let replaced = 0;
  for (let error = 0; replaced < count; replaced++) {
    const at = order[replaced] as number;
    const value = replaced % 2 === 0 ? WHITE : 0;
    error += (value - (original.pixels[at] as number)) ** 2 / count;
    if (error > target) break;
    pixels[at] = value;
  }
  return { ...shiftedTo(original, pixels, target), parameter: replaced / count };
}

/** The lowest quality that is not beyond the target. */
async function jpegBlocking(original: GreyImage, target: number): Promise<Distorted> {
  for (let quality = 1; quality <= 100; quality++) {
    const pixels = await throughJpeg(original, quality);
    if (mse(pixels, original.pixels) <= target) {
      return { ...shiftedTo(original, pixels, target), parameter: quality };
    }
  }
  throw new Error(`JPEG does not come within a mean squared error of ${target}`);
}

/** Written as a JPEG file of one grey channel, and read again. */
export async function throughJpeg({ width, height, pixels }: GreyImage, quality: number): Promise<Float64Array> {
  const raw = { width, height, channels: 1 } as const;
  const file = await sharp(Uint8Array.from(clamped(pixels), Math.round), { raw })
    .toColourspace('b-w')
    .jpeg({ quality })
    .toBuffer();
  const { data, info } = await sharp(file).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  if (info.channels !== 1 || data.length !== width * height) throw new Error('a grey JPEG came back in colours');
  return Float64Array.from(data);
}

/** Bisects a parameter from 0 (the original) to `most`; if even that is not enough, a shift adds the rest. */
function searched(
  original: GreyImage,
  target: number,
  most: number,
  pixelsFor: (parameter: number) => Float64Array,
): Distorted {
  const error = (parameter: number): number => mse(clamped(pixelsFor(parameter)), original.pixels);
  const parameter = error(most) < target ? most : bisected(error, target, most);
  return { ...shiftedTo(original, clamped(pixelsFor(parameter)), target), parameter };
}

/**
 * Subtracts δ from every pixel and clamps, so that the error becomes the target. With e = distorted − original
 * and nothing to clamp, δ = ē + √(ē² − mean(e²) + target); clamping takes from the error, so δ is searched.
 */
export function shiftedTo(original: GreyImage, pixels: Float64Array, target: number): Omit<Distorted, 'parameter'> {
  const image = (shift: number): GreyImage => ({ ...original, pixels: clamped(pixels.map((value) => value - shift)) });
  const error = (shift: number): number => mse(image(shift).pixels, original.pixels);
  if (Math.abs(error(0) - target) <= TOLERANCE) return { image: image(0), shift: 0 };
  if (error(0) > target || error(WHITE) < target) {
    throw new Error(`no shift in brightness gives a mean squared error of ${target}`);
  }
  const shift = bisected(error, target, WHITE);
  return { image: image(shift), shift };
}

/** Where a function that is below the target at 0 and not below it at `high` meets it. */
function bisected(value: (at: number) => number, target: number, most: number): number {
  let [low, high] = [0, most];
  for (let middle = most / 2; middle > low && middle < high; middle = (low + high) / 2) {
    const error = value(middle) - target;
    if (Math.abs(error) <= TOLERANCE / 10) return middle;
    if (error < 0) low = middle;
    else high = middle;
  }
  return low;
}
