// Sorted by distance from the mean: the rows nearest to the mean of their class are its prototypes.

import { checkOptionNames } from '../core/options.js';
import type { Steps } from '../core/steps.js';
import type { Problem } from './classes.js';
import { bestFirst, eachClass, type Ranking } from './ranking.js';
import { PrototypeSelector } from './selector.js';
import { distancesToMean } from './table.js';

/** Sorted by distance from the mean. The score is 1/‖x − μ‖, infinite at the mean itself. No options. */
export class SDM extends PrototypeSelector {
  protected readonly kind = 'SDM';

  constructor(options?: Record<string, never>) {
    super();
    checkOptionNames(options, [], 'SDM');
  }

  protected override rankClasses({ table, classes }: Problem): Steps<readonly Ranking[]> {
    return eachClass(classes, function* ({ rows }) {
      const distances = yield* distancesToMean(table, rows);
      return yield* bestFirst(
        rows,
        distances.map((distance) => 1 / distance),
      );
    });
  }
}
