// The searchCall of points that have no room yet: what calls of the core are told of them.
import type { PointSet } from '../../backend.js';
import { MAX_BLOCK_PANELS } from '../contract.js';
import { NO_POINTS } from '../memory/row-storage.js';
import { cachedPanels, orderBlocks } from './block-order.js';
import { kernelNumber, type SearchCall } from './search-call.js';
import { axisCount } from './tree.js';
import { NO_WORKSPACE } from './workspace.js';

/** With panels of so many points. */
export function callOf(points: PointSet & { readonly isByKernel: boolean }, panelWidth: number): SearchCall {
  const { count, columns, precision, kernel, tree, isByKernel } = points;
  const { gamma, coef0, degree } = kernel;
  const stepPanels = cachedPanels(isByKernel ? columns : Math.ceil(columns / 2));
  const blockPanels = isByKernel ? stepPanels : MAX_BLOCK_PANELS;
  const bytes = precision === 'single' ? 4 : 8;
  return {
    ...NO_POINTS,
    ...NO_WORKSPACE,
    ...{ kernel: kernelNumber(kernel.name), gamma, coef0, degree },
    ...{ count, columns, bytes, unit: 0, queries: 0, firstQuery: 0, firstPoint: 0 },
    ...orderBlocks(0, Math.ceil(count / panelWidth / blockPanels)),
    axisCount: tree === undefined ? 0 : axisCount(columns),
    share: tree?.share ?? 1,
    stepPanels,
    blockPanels,
  };
}
