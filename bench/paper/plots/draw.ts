// Draws all figures into a folder, each as SVG and PNG, and index.html, which shows them with their captions.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSet } from '../data.js';
import { freyFrames, PAPER_FRAME, STUDIED_FRAMES, study } from '../denoising.js';
import { describeDenoising } from '../denoising-report.js';
import { markdown } from '../layout.js';
import type { Progress } from '../progress.js';
import type { SyntheticSet } from '../synthetic.js';
import { remedyFigure, stripFigure } from './denoising.js';
import { detectionFigure } from './detection.js';
import type { Figure } from './figure.js';
import { landscapeFigure, PAPER_STEP, type PathCounts } from './landscapes.js';
import { pageOf } from './page.js';
import { rankingFigure } from './ranking.js';
import { screeFigure } from './scree.js';
import { pngOf } from './sheet.js';

export interface Drawing {
  readonly sets: readonly SyntheticSet[];
  /** The film to denoise; without it that part is left out. */
  readonly frey: DataSet | undefined;
  readonly folder: string;
  readonly progress: Progress;
}

const NO_FILM = 'Denoising is not shown: there is no data set frey (set CURVAD_DATA, or give --data DIR).';

/** Returns the section of the results. */
export async function drawFigures({ sets, frey, folder, progress }: Drawing): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  progress.plan(2 * sets.length + 2 + (frey === undefined ? 0 : STUDIED_FRAMES.length) + 1);
  const shown: Figure[] = [];
  const counts: PathCounts[] = [];
  for (const set of sets) {
    progress.step(`${set.title}: detection`);
    shown.push(await detectionFigure(set));
  }
  for (const set of sets) {
    progress.step(`${set.title}: landscape`);
    const drawn = await landscapeFigure(set);
    shown.push(drawn.figure);
    counts.push(drawn.counts);
  }
  progress.step('scree plots');
  shown.push(screeFigure(sets));
  progress.step('rankings');
  shown.push(await rankingFigure(sets));
  const denoising = frey === undefined ? undefined : await study(freyFrames(frey), (f) => progress.step(`frame ${f}`));
  if (denoising !== undefined) {
    shown.push(await stripFigure(denoising.filter(({ frame }) => frame === PAPER_FRAME)), remedyFigure(denoising));
  }
  progress.step('files');
  await write(folder, shown, denoising === undefined ? [NO_FILM] : []);
  return [
    `${shown.length} figures as SVG and PNG files, and index.html, which shows them.`,
    '',
    ...describePaths(counts),
    '',
    '### Denoising',
    '',
    ...(denoising === undefined ? [NO_FILM] : describeDenoising(denoising)),
  ];
}

async function write(folder: string, shown: readonly Figure[], remarks: readonly string[]): Promise<void> {
  for (const { name, svg } of shown) {
    writeFileSync(join(folder, `${name}.svg`), svg);
    writeFileSync(join(folder, `${name}.png`), await pngOf(svg));
  }
  writeFileSync(join(folder, 'index.html'), pageOf(shown, remarks));
}

function describePaths(counts: readonly PathCounts[]): string[] {
  const share = (part: number, whole: number): string => `${part} (${((100 * part) / whole).toFixed(0)} %)`;
  const lines = counts.map(({ set, flagged, paper, searched, longest }) => [
    set.title,
    String(flagged),
    share(paper, flagged),
    share(searched, flagged),
    String(longest),
  ]);
  return [
    '### Anomaly paths',
    '',
    `How many of the rows CAD flags (k = 10) end their path where it says normal: with the paper's step (η = ${PAPER_STEP} until the score rises) and with searched steps, curvad's default.`,
    '',
    ...markdown([['data', 'flagged', "the paper's step", 'searched steps', 'iterations at most'], ...lines], 1),
  ];
}
