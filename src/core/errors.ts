// The error type of the library: a code for programs, and a message that says what is wrong, where, and what would be
// right.

export type ErrorCode =
  // the rows
  | 'INPUT_TYPE'
  | 'EMPTY_INPUT'
  | 'NO_COLUMNS'
  | 'ROW_TYPE'
  | 'RAGGED_ROWS'
  | 'NOT_A_NUMBER'
  | 'NAN_VALUE'
  | 'INFINITE_VALUE'
  | 'VALUE_TOO_LARGE'
  | 'SHARED_MEMORY'
  | 'DETACHED_BUFFER'
  | 'CALLED_WHILE_READING'
  | 'DATA_TYPE'
  | 'ROWS_INVALID'
  | 'COLUMNS_INVALID'
  | 'DATA_LENGTH'
  | 'WRONG_WIDTH'
  | 'TOO_FEW_ROWS'
  | 'NO_SPREAD'
  | 'OUTPUT_TYPE'
  | 'OUTPUT_LENGTH'
  | 'OUT_OF_MEMORY'
  // tables
  | 'COLUMN_UNKNOWN'
  | 'COLUMNS_MISSING'
  | 'MISSING_VALUE'
  | 'CELL_TYPE'
  | 'MISSING_INVALID'
  | 'CATEGORIES_INVALID'
  | 'DATES_INVALID'
  // the options
  | 'OPTIONS_TYPE'
  | 'UNKNOWN_OPTION'
  | 'NEIGHBORS_INVALID'
  | 'KERNEL_UNKNOWN'
  | 'KERNEL_UNSUPPORTED'
  | 'GAMMA_INVALID'
  | 'DEGREE_INVALID'
  | 'COEF0_INVALID'
  | 'PRECISION_UNKNOWN'
  | 'APPROXIMATE_INVALID'
  | 'STANDARDIZE_INVALID'
  | 'CONTAMINATION_INVALID'
  | 'ORIENTATION_UNKNOWN'
  | 'SUPPORT_FRACTION_INVALID'
  | 'ASSUME_CENTERED_INVALID'
  | 'METRIC_UNKNOWN'
  | 'AGGREGATE_UNKNOWN'
  | 'THRESHOLD_INVALID'
  | 'LANDMARKS_INVALID'
  | 'CURVATURE_INVALID'
  | 'TREES_INVALID'
  | 'SAMPLE_SIZE_INVALID'
  | 'FEATURES_INVALID'
  | 'NU_INVALID'
  | 'TOLERANCE_INVALID'
  | 'ITERATIONS_INVALID'
  | 'CACHE_SIZE_INVALID'
  | 'BACKEND_UNKNOWN'
  | 'BACKEND_UNAVAILABLE'
  | 'WASM_TYPE'
  | 'STATISTICS_INVALID'
  | 'SCALING_INVALID'
  | 'CENTER_INVALID'
  | 'SQUARED_INVALID'
  | 'IDS_INVALID'
  | 'SCORES_INVALID'
  // the evaluation
  | 'LENGTHS_DIFFER'
  | 'LABEL_INVALID'
  | 'ONE_CLASS'
  | 'COUNT_INVALID'
  | 'LEARN_ANOMALIES_INVALID'
  | 'FOLDS_INVALID'
  | 'SEED_INVALID'
  | 'SHUFFLE_INVALID'
  // the prototypes
  | 'LABELS_MISSING'
  | 'TARGETS_INVALID'
  | 'KEEP_INVALID'
  | 'CANNOT_RANK'
  | 'CANNOT_RETAIN'
  | 'EPSILON_INVALID'
  | 'GROUP_SIZE_INVALID'
  | 'DRAWS_INVALID'
  | 'LAMBDA_INVALID'
  | 'DELTA_INVALID'
  | 'STRATIFIED_INVALID'
  | 'METRIC_INVALID'
  | 'DETECTOR_INVALID'
  // landscapes, paths and explanations
  | 'DETECTOR_UNSUPPORTED'
  | 'TOO_FEW_NORMAL_ROWS'
  | 'NEIGHBORHOOD_UNKNOWN'
  | 'RESOLUTION_INVALID'
  | 'AT_INVALID'
  | 'BOUNDS_INVALID'
  | 'FROZEN_INVALID'
  | 'NAMES_INVALID'
  | 'CANVAS_INVALID'
  | 'GROUPS_INVALID'
  | 'ROW_INDEX'
  | 'ROW_NOT_KEPT'
  | 'REFERENCE_MISSING'
  | 'STEP_INVALID'
  | 'STOP_INVALID'
  | 'DIRECTION_UNKNOWN'
  | 'EVERY_INVALID'
  | 'SNAPSHOTS_INVALID'
  // the order of calls
  | 'NOT_FITTED'
  | 'DISPOSED'
  // other threads
  | 'THREADS_INVALID'
  | 'PROGRESS_INVALID'
  | 'SIGNAL_INVALID'
  | 'THREADS_UNAVAILABLE'
  | 'THREAD_FAILED'
  // workers
  | 'CALL_UNKNOWN'
  | 'MODEL_UNKNOWN'
  // model files
  | 'MODEL_TYPE'
  | 'MODEL_FOREIGN'
  | 'MODEL_VERSION'
  | 'MODEL_TRUNCATED'
  | 'MODEL_CHECKSUM'
  | 'MODEL_CORRUPT'
  | 'MODEL_TOO_LARGE'
  // files of tables
  | 'FILE_EMPTY'
  | 'FILE_FORMAT'
  | 'FILE_DAMAGED'
  | 'FILE_ENCODING'
  | 'FILE_LINE'
  | 'FILE_CELL'
  | 'FILE_TOO_LARGE'
  | 'FORMAT_UNKNOWN'
  | 'SEPARATOR_INVALID'
  | 'ENCODING_UNKNOWN'
  | 'FILE_OPTION_INVALID'
  | 'TABLES_DIFFER';

/** Where in the input the problem is, as far as known. */
export interface ErrorPlace {
  row?: number;
  column?: number;
  cause?: unknown;
}

/** Every error that curvad throws deliberately. */
export class CurvadError extends Error {
  override readonly name = 'CurvadError';
  /** The kind of error, for programs. */
  readonly code: ErrorCode;
  /** Row of the offending value, from 0. */
  readonly row: number | undefined;
  /** Column of the offending value, from 0. */
  readonly column: number | undefined;

  constructor(code: ErrorCode, message: string, place: ErrorPlace = {}) {
    super(message, place.cause === undefined ? undefined : { cause: place.cause });
    this.code = code;
    this.row = place.row;
    this.column = place.column;
  }
}

/** The error for using points, vectors or trees that were released. */
export function released(): CurvadError {
  return new CurvadError('DISPOSED', 'this model was released');
}

/** A short description of a value for messages, never the whole data. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) {
    return String(value);
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value)) return `a ${value.constructor.name}`;
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
