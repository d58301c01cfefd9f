// What the package offers.
export type { BackendName, PointSearch, Precision } from './core/backend.js';
export { CurvadError, type ErrorCode, type ErrorPlace } from './core/errors.js';
export { ColumnStatistics, type ColumnStatisticsData } from './core/input/column-statistics.js';
export type { FlatMatrix, MatrixInput, MatrixLike } from './core/input/matrix.js';
export type { KernelName, Metric } from './core/kernel.js';
export type { LoadOptions } from './core/model-file/limits.js';
export { type BackendChoice, defaultBackend, useWasm } from './core/select.js';
export type { Build, CompiledModule } from './core/wasm/build.js';
export { CAD, type CADOptions, type Orientation } from './detectors/cad.js';
export type { AnyDetector, Detector, DetectorClass } from './detectors/detector.js';
export { EllipticEnvelope, type EllipticEnvelopeOptions } from './detectors/elliptic-envelope.js';
export { IsolationForest, type IsolationForestOptions } from './detectors/isolation-forest.js';
export { type Aggregate, KNN, type KNNOptions } from './detectors/knn.js';
export { LandmarkCAD, type LandmarkCADOptions } from './detectors/landmark-cad.js';
export { load } from './detectors/load.js';
export { LOF, type LOFOptions } from './detectors/lof.js';
export type { NeighborDetectorOptions } from './detectors/neighbor-detector.js';
export { OneClassSVM, type OneClassSVMOptions, type SVMKernelName } from './detectors/one-class-svm.js';
export { thresholdOf } from './detectors/score-threshold.js';
export type { SearchReport } from './detectors/search-report.js';
export type { DetectorSummary } from './detectors/summary.js';
export type { DetectorOptions, ThresholdName, ThresholdRule } from './detectors/threshold-rule.js';
export type { DetectorWarning, WarningCode } from './detectors/warnings.js';
export { accuracy, adjustedRandIndex, meanAbsoluteError } from './evaluation/agreement.js';
export {
  type CompareRankingsOptions,
  compareRankings,
  type RankingComparison,
  type RankingPair,
  rankCorrelation,
} from './evaluation/consensus.js';
export { crossValidate } from './evaluation/cross-validate.js';
export { crossValidateAsync } from './evaluation/cross-validate-async.js';
export type {
  CrossValidateOptions,
  CrossValidation,
  FittableDetector,
  FoldValues,
  Measure,
  MeasureName,
  MissingValue,
} from './evaluation/cross-validation.js';
export { type Fold, type KFoldOptions, kFold } from './evaluation/folds.js';
export { averagePrecision, precisionAtN, type RocCurve, rocAuc, rocCurve } from './evaluation/ranking.js';
export type { Basis, ColumnShare } from './explanations/columns.js';
export { type ExplainOptions, explain, explainRows, explainRowsAsync } from './explanations/explain.js';
export type { Counterfactual, Explanation, ExplanationParts, FeatureChange } from './explanations/explanation.js';
export type { RowOrIndex } from './explanations/subject.js';
export type { Landscape, LandscapeBounds, LandscapeOptions } from './landscape/canvas.js';
export type { ConstraintOptions } from './landscape/constraints.js';
export { type DenoiseOptions, denoise, type Snapshot } from './landscape/denoise.js';
export { landscape, landscapeAsync } from './landscape/landscape.js';
export { landscapePixels, type PaintableCanvas, paintLandscape } from './landscape/paint.js';
export {
  type AnomalyPath,
  anomalyPath,
  anomalyPaths,
  type PathDirection,
  type PathEnd,
  type PathOptions,
  type PathStop,
} from './landscape/path.js';
export type { Approximation } from './neighbors/approximation.js';
export { BlockSearch, type BlockSearchOptions } from './neighbors/block-search.js';
export { type CurvatureOptions, curvatureOfNeighbors } from './neighbors/curvature-of-neighbors.js';
export { KBest, type SearchedPart } from './neighbors/k-best.js';
export type { KernelOptions } from './neighbors/kernel-options.js';
export {
  NearestNeighbors,
  type NearestNeighborsOptions,
  type Neighbors,
  type SearchOptions,
} from './neighbors/nearest-neighbors.js';
export type { Recall } from './neighbors/recall.js';
export { type RowScaling, type RowScalingOptions, scalingOf } from './neighbors/row-scaling.js';
export type { AsyncOptions, Execution, Mode, Progress } from './parallel/options.js';
export { stopThreads } from './parallel/pool.js';
export type { ClassLabel, ClassLabels, RegressionTargets } from './prototypes/classes.js';
export { DROP3, type DROP3Options } from './prototypes/drop3.js';
export { ENN, type ENNOptions } from './prototypes/enn.js';
export { InverseCAD, type InverseCADOptions } from './prototypes/inverse-cad.js';
export { IRMD, type IRMDOptions } from './prototypes/irmd.js';
export { PSA, type PSAOptions } from './prototypes/psa.js';
export type { Ranking } from './prototypes/ranking.js';
export { SDM } from './prototypes/sdm.js';
export { PrototypeSelector, type SelectOptions } from './prototypes/selector.js';
export { ShellExtraction, type ShellExtractionOptions } from './prototypes/shell-extraction.js';
export { SOS } from './prototypes/sos.js';
export type { VotingOptions } from './prototypes/voting.js';
export type { Columns, ShapedArray } from './tables/named.js';
export type { TableOptions } from './tables/options.js';
export { type DataFrameLike, type NamedRows, type Rows, type TableWithOptions, table } from './tables/reader.js';
export type {
  LeftColumn,
  MissingPolicy,
  Recipe,
  TimePart,
  UsedBoolean,
  UsedCategory,
  UsedColumn,
  UsedFrequency,
  UsedNumber,
  UsedTime,
} from './tables/recipe.js';
