// The searchCall of points that have no room yet: what calls of the core are told of them.
import type { PointSet } from '../../backend.js';
import { MAX_BLOCK_PANELS } from '../contract.js';
import { cachedPanels, orderBlocks } from './block-order.js';
import { EMPTY_CALL, kernelNumber, type SearchCall } from './search-call.js';

/** With panels of so many points. */
export function callOf(points: PointSet & { readonly isByKernel: boolean }, panelWidth: number): SearchCall {
  const { count, columns, precision, kernel, tree, isByKernel } = points;
  const { gamma, coef0, degree } = kernel;
  const stepPanels = cachedPanels(isByKernel ? columns : Math.ceil(columns / 2));
  const blockPanels = isByKernel ? stepPanels : MAX_BLOCK_PANELS;
  const bytes = precision === 'single' ? 4 : 8;
  const { firstBlock, blocks, blockStep } = orderBlocks(0, Math.ceil(count / panelWidth / blockPanels));
  const call = { ...EMPTY_CALL };
  call.kernel = kernelNumber(kernel.name);
  call.gamma = gamma;
  call.coef0 = coef0;
  call.degree = degree;
  call.count = count;
  call.columns = columns;
  call.bytes = bytes;
  call.firstBlock = firstBlock;
  call.blocks = blocks;
  call.blockStep = blockStep;
  call.axisCount = tree === undefined ? 0 : tree.axes.length / columns;
  call.share = tree?.share ?? 1;
  // Sixteen boxes lie together: steps do not go beyond them.
  call.stepPanels = tree?.isJoined ? 2 ** Math.floor(Math.log2(stepPanels)) : stepPanels;
  call.blockPanels = blockPanels;
  return call;
}
