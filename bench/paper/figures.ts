// The figures of the paper, drawn again: SVG and PNG files, a page that shows them, and the numbers behind them.
// What draws is loaded only when asked for, so that the tables run where it cannot be installed.
import type { Context, Job } from './jobs.js';

export const figures: Job = {
  title: 'Figures: detection, landscapes and paths, rankings, denoising',
  draws: true,
  isDataOptional: true,
  async run({ data, folder, progress }: Context) {
    const { drawFigures } = await import('./plots/draw.js');
    const { syntheticSets } = await import('./synthetic.js');
    return drawFigures({ sets: syntheticSets(), frey: data('frey'), folder, progress });
  },
};
