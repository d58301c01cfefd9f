// What the package offers.
export type { BackendName, Precision } from './core/backend.js';
export { CurvadError, type ErrorCode } from './core/errors.js';
export type { KernelName } from './core/kernel.js';
export type { FlatMatrix, MatrixInput, MatrixLike } from './core/matrix.js';
export { type BackendChoice, defaultBackend } from './core/select.js';
export { CAD, type CADOptions, type Orientation } from './detectors/cad.js';
export type { AnyDetector, DetectorOptions } from './detectors/detector.js';
export { type LoadOptions, load } from './detectors/load.js';
export { accuracy, adjustedRandIndex, meanAbsoluteError } from './evaluation/agreement.js';
export { type Fold, type KFoldOptions, kFold } from './evaluation/folds.js';
export { averagePrecision, precisionAtN, type RocCurve, rocAuc, rocCurve } from './evaluation/ranking.js';
export type { ConstraintOptions } from './landscape/constraints.js';
export { type DenoiseOptions, denoise, type Snapshot } from './landscape/denoise.js';
export { type ExplainOptions, explain } from './landscape/explain.js';
export type { Counterfactual, Explanation, FeatureChange } from './landscape/explanation.js';
export { type Landscape, type LandscapeBounds, type LandscapeOptions, landscape } from './landscape/landscape.js';
export {
  type AnomalyPath,
  anomalyPath,
  anomalyPaths,
  type PathDirection,
  type PathEnd,
  type PathOptions,
  type PathStop,
} from './landscape/path.js';
export {
  type Metric,
  NearestNeighbors,
  type NearestNeighborsOptions,
  type Neighbors,
} from './neighbors/nearest-neighbors.js';
