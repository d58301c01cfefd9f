// Denoising, measured: a frame of the Frey film is distorted and taken out of the first hundred, and the others
// lead it back along its anomaly path. Beside it stands the plain remedy, the mean of its three nearest frames.
import { denoise, NearestNeighbors, type Snapshot } from 'curvad';
import type { DataSet } from './data.js';
import { DISTORTIONS, type Distortion } from './distortions.js';
import { clamped, type GreyImage, mse, ssim } from './images.js';

/** The settings of the paper. */
export const TARGET_MSE = 625;
export const PAPER_FRAME = 17;
export const NEIGHBORS = 3;
const FRAMES = 100;
const [WIDTH, HEIGHT] = [20, 28];
const SEED = 1;

const LAST = 4000;
/** The iterations the paper shows, and the start. */
export const ITERATIONS = [0, 1, 10, 100, 500, 1000, 1500, 2000, 2500, 3000, 3500, LAST] as const;
/** Frames to average over: the paper's is one of them. */
export const STUDIED_FRAMES = [7, 17, 27, 37, 47, 57, 67, 77, 87, 97] as const;

/** An image and how far it is from the original. */
export interface Judged {
  readonly image: GreyImage;
  readonly mse: number;
  readonly ssim: number;
}

export interface Denoised {
  readonly frame: number;
  readonly distortion: Distortion;
  readonly original: GreyImage;
  readonly noisy: Judged;
  /** The paper's fixed step, at ITERATIONS. */
  readonly path: readonly Judged[];
  /** How far the last of those steps went: the root of the mean square over the pixels, in grey levels. */
  readonly lastStep: number;
  /** The end of a path of searched steps, and how many they were. */
  readonly searched: Judged & { readonly iterations: number };
  /** The mean of the nearest frames. */
  readonly nearest: Judged;
}

/** What can be done about a distorted image, nothing included. */
export interface Remedy {
  readonly title: string;
  readonly color: 'grey' | 'orange' | 'blue' | 'green';
  pick(one: Denoised): Judged;
}

export const REMEDIES = [
  { title: 'distorted', color: 'grey', pick: ({ noisy }) => noisy },
  { title: "path, the paper's step", color: 'orange', pick: ({ path }) => path.at(-1) as Judged },
  { title: 'path, searched steps', color: 'blue', pick: ({ searched }) => searched },
  { title: 'mean of 3 nearest', color: 'green', pick: ({ nearest }) => nearest },
] as const satisfies readonly Remedy[];

export function freyFrames({ data, columns }: DataSet): Float64Array[] {
  if (columns !== WIDTH * HEIGHT) throw new Error(`frames have ${WIDTH * HEIGHT} pixels, got ${columns}`);
  return Array.from({ length: FRAMES }, (_, i) => data.slice(i * columns, (i + 1) * columns));
}

/** One frame under one distortion. */
export async function denoised(
  frames: readonly Float64Array[],
  frame: number,
  distortion: Distortion,
): Promise<Denoised> {
  const original = imageOf(frames[frame] as Float64Array);
  const others = frames.filter((_, i) => i !== frame);
  const { image } = await distortion.apply(original, TARGET_MSE, SEED + frame);
  const judge = (pixels: Float64Array): Judged => judged(original, pixels);
  const snapshots = [...ITERATIONS.filter((iteration) => iteration < LAST), LAST - 1, LAST];
  const walked = denoise(others, image.pixels, { neighbors: NEIGHBORS, snapshots });
  const [before, after] = walked.slice(-2) as [Snapshot, Snapshot];
  const path = walked.filter((snapshot) => snapshot !== before);
  const end = denoise(others, image.pixels, { neighbors: NEIGHBORS, step: 'auto', snapshots: [LAST] }).at(-1);
  if (end === undefined) throw new Error('a path has an end');
  return {
    frame,
    distortion,
    original,
    noisy: judge(image.pixels),
    path: path.map((snapshot) => judge(snapshot.image)),
    lastStep: Math.sqrt(mse(before.image, after.image)),
    searched: { ...judge(end.image), iterations: end.iteration },
    nearest: judge(nearestMean(others, image.pixels)),
  };
}

/** All studied frames under all distortions. */
export async function study(
  frames: readonly Float64Array[],
  onFrame: (frame: number) => void = () => undefined,
): Promise<Denoised[]> {
  const all: Denoised[] = [];
  for (const frame of STUDIED_FRAMES) {
    onFrame(frame);
    for (const distortion of DISTORTIONS) all.push(await denoised(frames, frame, distortion));
  }
  return all;
}

/** What one would save as a file: clamped. The path itself is not. */
function judged(original: GreyImage, pixels: Float64Array): Judged {
  const image = imageOf(clamped(pixels));
  return { image, mse: mse(image.pixels, original.pixels), ssim: ssim(image, original) };
}

function nearestMean(frames: readonly Float64Array[], pixels: Float64Array): Float64Array {
  using search = new NearestNeighbors(frames);
  const { indices } = search.of([pixels], NEIGHBORS);
  return pixels.map((_, j) => {
    let sum = 0;
    for (const index of indices) sum += (frames[index] as Float64Array)[j] as number;
    return sum / NEIGHBORS;
  });
}

const imageOf = (pixels: Float64Array): GreyImage => ({ width: WIDTH, height: HEIGHT, pixels });
