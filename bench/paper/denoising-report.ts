// What denoising by anomaly paths is worth, in tables and in words: whether it brings images nearer to the
// original than they were, and than the mean of their nearest frames, which costs nothing.
import { type Denoised, type Judged, PAPER_FRAME, REMEDIES, TARGET_MSE } from './denoising.js';
import { DISTORTIONS } from './distortions.js';
import { markdown } from './layout.js';

const [, PAPER, SEARCHED, NEAREST] = REMEDIES;
const PATHS = [
  { title: "the paper's step", pick: PAPER.pick },
  { title: 'searched steps', pick: SEARCHED.pick },
] as const;
type Pick = (one: Denoised) => Judged;

export function describeDenoising(cases: readonly Denoised[]): string[] {
  const frames = [...new Set(cases.map(({ frame }) => frame))];
  return [
    `Frames of the first 100 of the Frey film, distorted to a mean squared error (MSE) of ${TARGET_MSE} ± 0.1 against the original, which is taken out; 99 frames remain, k = 3. The paper's step is η = 10,000, 4,000 iterations; searched steps end by themselves. Cells are MSE / SSIM to the original, of images clamped to 0 … 255.`,
    '',
    `Mean of ${frames.length} frames (${frames.join(', ')}):`,
    '',
    ...tableOf(cases),
    '',
    `Frame ${PAPER_FRAME}, the paper's:`,
    '',
    ...tableOf(cases.filter(({ frame }) => frame === PAPER_FRAME)),
    '',
    ...verdict(cases),
  ];
}

function tableOf(cases: readonly Denoised[]): string[] {
  const lines = DISTORTIONS.map(({ name, title }) => {
    const own = cases.filter(({ distortion }) => distortion.name === name);
    return [title, ...REMEDIES.map(({ pick }) => shown(own, pick))];
  });
  return markdown([['distortion', ...REMEDIES.map(({ title }) => title)], ...lines], 1);
}

function shown(cases: readonly Denoised[], pick: Pick): string {
  return `${mean(cases, (one) => pick(one).mse).toFixed(0)} / ${mean(cases, (one) => pick(one).ssim).toFixed(3)}`;
}

/** Counts of images rather than adjectives. */
function verdict(cases: readonly Denoised[]): string[] {
  const wins = (own: readonly Denoised[], pick: Pick, other: Pick): string =>
    `${own.filter((one) => pick(one).mse < other(one).mse).length} of ${own.length}`;
  const distorted: Pick = ({ noisy }) => noisy;
  const against = (own: readonly Denoised[], other: Pick): string =>
    PATHS.map(({ title, pick }) => `${wins(own, pick, other)} with ${title}`).join(', ');
  const isBest = ({ pick }: (typeof PATHS)[number], own: readonly Denoised[]): boolean =>
    mean(own, (one) => pick(one).mse) < mean(own, (one) => NEAREST.pick(one).mse);
  const better = DISTORTIONS.flatMap(({ name, title }) => {
    const own = cases.filter(({ distortion }) => distortion.name === name);
    return PATHS.filter((path) => isBest(path, own)).map((path) => `${title} (${path.title})`);
  });
  const worse = cases.filter((one) => PAPER.pick(one).mse > one.noisy.mse);
  const restless = cases.filter(({ lastStep }) => lastStep > 1);
  const names = worse.map(({ frame, distortion }) => `${frame} ${distortion.title}`).join(', ');
  return [
    `**Where it helps:** the end of the path is nearer to the original than the distorted image was, by MSE, for ${against(cases, distorted)}.`,
    '',
    `**Where it does not:** the mean of the three nearest frames needs no path. By MSE, the path ends nearer to the original than that mean for ${against(cases, NEAREST.pick)}. On average over the frames the path is better than that mean under ${better.length === 0 ? 'none of the distortions' : better.join(', ')}.`,
    '',
    `**The fixed step does not settle:** for ${restless.length} of ${cases.length} images the last of its 4,000 steps still goes farther than one grey level (root mean square over the pixels; median ${median(cases.map(({ lastStep }) => lastStep)).toFixed(1)}), and ${worse.length} images end farther from the original than they began${worse.length === 0 ? '' : ` (${names})`}. Searched steps never raise the score.`,
    '',
    'By distortion, images that end nearer to the original than the mean of the three nearest frames:',
    '',
    ...DISTORTIONS.map(({ name, title }) => {
      const own = cases.filter(({ distortion }) => distortion.name === name);
      return `- ${title}: ${against(own, NEAREST.pick)}.`;
    }),
  ];
}

function mean(cases: readonly Denoised[], value: (one: Denoised) => number): number {
  return cases.reduce((sum, one) => sum + value(one), 0) / cases.length;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
}
