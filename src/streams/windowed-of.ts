// Which detectors can score the rows of a window, and why others cannot.
import { CurvadError, describe } from '../core/errors.js';
import type { Windowed } from '../detectors/windowed.js';

/** How a detector scores rows of a window; refuses one that cannot. */
export function windowedOf(detector: unknown): Windowed {
  // Not by its class: the program may have the package twice, as a module and as CommonJS say.
  const windowed = (detector as { readonly windowed?: Windowed } | null | undefined)?.windowed;
  if (windowed === undefined)
    throw new CurvadError(
      'DETECTOR_UNSUPPORTED',
      `a window scores by a LandmarkCAD, CAD, KNN or LOF, got ${describe(detector)}`,
    );
  const refuse = (
    code: 'APPROXIMATE_INVALID' | 'CONTAMINATION_INVALID' | 'THRESHOLD_INVALID' | 'KERNEL_UNSUPPORTED',
    why: string,
  ): never => {
    throw new CurvadError(code, `a window cannot score by this ${windowed.kind}: ${why}`);
  };
  if (windowed.options['approximate']) refuse('APPROXIMATE_INVALID', 'its neighbours are exact');
  if (windowed.options['contamination'] !== undefined)
    refuse('CONTAMINATION_INVALID', 'alarms are decided by rank; use alarmRank and memory of the window');
  if (windowed.options['threshold'] !== undefined || windowed.options['cap'] !== undefined)
    refuse('THRESHOLD_INVALID', 'alarms are decided by rank; use alarmRank and memory of the window');
  if (windowed.scoring === 'curvature' && !['linear', 'rbf', 'laplacian'].includes(windowed.holding(1).kernel.name))
    refuse('KERNEL_UNSUPPORTED', 'its kernel must be linear, rbf or laplacian');
  return windowed;
}
