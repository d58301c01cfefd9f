// The three methods of the figures, in the order of the paper's columns.
import type { CADOptions } from 'curvad';

export interface CurvatureMethod {
  /** As a detector, and as a selector of prototypes. */
  readonly detector: string;
  readonly selector: string;
  readonly options: Pick<CADOptions, 'kernel'>;
}

export const CURVATURE_METHODS: readonly CurvatureMethod[] = [
  { detector: 'CAD', selector: 'iCAD', options: {} },
  { detector: 'K-CAD rbf', selector: 'K-iCAD rbf', options: { kernel: 'rbf' } },
  { detector: 'K-CAD poly', selector: 'K-iCAD poly', options: { kernel: 'polynomial' } },
];
