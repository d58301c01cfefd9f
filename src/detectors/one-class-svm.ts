// The one-class support vector machine (Schölkopf et al. 2001). It finds the smallest region, bounded by a
// level of Σ α_i k(x_i, x), that leaves about a share ν of the training rows outside. Conventions are those
// of LIBSVM and scikit-learn, but for the sign: 0 ≤ α_i ≤ 1, Σα = νn, score = ρ − Σ α_i k(x_i, x).

import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import { fitScaling, ScaledRows } from '../core/input/scaling.js';
import type { Kernel } from '../core/kernel.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import type { BackendChoice } from '../core/select.js';
import { finish, type Steps } from '../core/steps.js';
import { kernelBound, squaresOf } from '../core/svm/problem.js';
import { svmFor } from '../core/svm/svm.js';
import type { ThreadSource } from '../parallel/run.js';
import { Detector } from './detector.js';
import {
  COMMON_OPTIONS,
  choice,
  type Option,
  optional,
  real,
  standardize,
  type ValuesOf,
  whole,
  withDefault,
} from './detector-options.js';
import type { Trained } from './fitted-state.js';
import { describeMachine, type FittedMachine, restoreMachine } from './one-class-machine.js';
import { trainOneClass, valuesOf, varianceOf } from './one-class-training.js';
import type { DetectorOptions, ThresholdName } from './threshold-rule.js';
import type { DetectorWarning } from './warnings.js';

/** The kernels a one-class SVM can have. */
export type SVMKernelName = 'rbf' | 'linear' | 'polynomial' | 'sigmoid';

export interface OneClassSVMOptions extends DetectorOptions {
  /** ν in (0, 1]: about this share of the training rows is left outside the region. Default 0.5. */
  nu?: number;
  /** Default 'rbf'. */
  kernel?: SVMKernelName;
  /**
   * γ of rbf, polynomial and sigmoid: a number, 'auto' for 1 / columns, or 'scale' for 1 / (columns ×
   * variance of all values), scikit-learn's default. Default 'auto'.
   */
  gamma?: number | 'auto' | 'scale';
  /** Degree of the polynomial kernel. Default 3. */
  degree?: number;
  /** c₀ of polynomial and sigmoid. Default 0. */
  coef0?: number;
  /** How far from optimal the solution may be: the gap between the sums of rows that could exchange weight. Default 10⁻³. */
  tolerance?: number;
  /**
   * Steps after which to stop; `converged` then tells whether that was enough, as a warning does. Default as in
   * LIBSVM: ten million, or 100 for each row.
   */
  maxIterations?: number;
  /** Memory for kernel values while fitting, in MB. Default 200; less than 1 counts as 1. Affects speed alone. */
  cacheSize?: number;
  /** Divide each column by its standard deviation (training statistics, kept in the model). Default false. */
  standardize?: boolean;
  /** The backend. Default 'auto', the fastest available; results do not depend on it. */
  backend?: BackendChoice;
}

const KERNELS: readonly SVMKernelName[] = ['rbf', 'linear', 'polynomial', 'sigmoid'];

const isPositive = (value: number): boolean => value > 0;
const gammaNumber = real("a positive number, 'auto' or 'scale'", isPositive, 'GAMMA_INVALID');
const gamma: Option<number | 'auto' | 'scale'> = (value, name) =>
  value === 'auto' || value === 'scale' ? value : (gammaNumber(value, name) ?? 'auto');

const OPTIONS = {
  nu: withDefault(
    real('a number above 0 and at most 1', (nu) => nu > 0 && nu <= 1, 'NU_INVALID'),
    0.5,
  ),
  kernel: choice(KERNELS, 'rbf', 'KERNEL_UNKNOWN'),
  gamma,
  degree: whole(1, 3, 'DEGREE_INVALID'),
  coef0: withDefault(
    real('a finite number', () => true, 'COEF0_INVALID'),
    0,
  ),
  tolerance: withDefault(real('a positive number', isPositive, 'TOLERANCE_INVALID'), 1e-3),
  maxIterations: optional(whole(1, 1, 'ITERATIONS_INVALID')),
  cacheSize: withDefault(real('a positive number of MB', isPositive, 'CACHE_SIZE_INVALID'), 200),
  standardize,
  ...COMMON_OPTIONS,
};

/** With kernel values up to this size among training rows, scores of any new rows are finite. */
const LARGEST_KERNEL_VALUE = 1e250;

/** With less, a hundred rows would be computed anew at every step. */
const LEAST_CACHE_MB = 1;

/** One-class support vector machine. */
export class OneClassSVM extends Detector<FittedMachine, ValuesOf<typeof OPTIONS>> {
  /** @internal */
  static readonly kind = 'OneClassSVM';
  /** @internal */
  static readonly options = OPTIONS;
  constructor(options?: OneClassSVMOptions) {
    super(options);
  }

  protected override get usualThreshold(): ThresholdName {
    return 'native'; // so that ν bounds the share outside
  }

  protected override get nativeThreshold(): number {
    return 0;
  }

  protected override warningsOf({ gap, iterations }: FittedMachine): DetectorWarning[] {
    const { tolerance } = this.options;
    if (gap <= tolerance) return [];
    const message = `the solver stopped after ${iterations} steps with a gap of ${gap.toPrecision(3)} instead of ${tolerance}, and scores may be off by as much: standardize the columns, or set a larger tolerance or maxIterations`;
    return [{ code: 'NOT_CONVERGED', message }];
  }

  /** Rows with α > 0, ascending. */
  get supportIndices(): Uint32Array {
    return this.fitted.indices;
  }

  /** α of the rows in `supportIndices`: above 0, at most 1, νn in sum. */
  get supportCoefficients(): Float64Array {
    return this.fitted.vectors.coefficients;
  }

  /** ρ: the score is ρ − Σ α_i k(x_i, x), positive outside the region. */
  get offset(): number {
    return this.fitted.offset;
  }

  /** γ as it was used. */
  get gamma(): number {
    return this.fitted.kernel.gamma;
  }

  /** Whether the solution is within the tolerance: not so where maxIterations or rounding ended it before. */
  get converged(): boolean {
    return this.gap <= this.options.tolerance;
  }

  /** How far from optimal the solution is, in the sense of `tolerance`. */
  get gap(): number {
    return this.fitted.gap;
  }

  /** Steps the solver took. */
  get iterations(): number {
    return this.fitted.iterations;
  }

  protected readonly threadSource: ThreadSource = () => import('curvad-thread:one-class-svm');

  /** The solver takes one step after the other. */
  protected override trainingCost({ rows, columns }: RowSource): number {
    return this.options.nu * rows * rows * (columns + 30);
  }

  protected scoringCost({ vectors }: FittedMachine): number {
    return vectors.count * (vectors.columns + 30);
  }

  protected *training(rows: RowSource): Steps<Trained<FittedMachine>> {
    const { scaling } = finish(
      fitScaling(rows, {
        standardize: this.options.standardize,
        center: this.options.kernel === 'rbf', // the one kernel here that does not see translation
        precision: 'double',
        isExplicit: true,
      }),
    );
    const scaled = valuesOf(scaling.apply(rows, 'double'));
    const gamma = this.#gammaFor(this.options.standardize ? scaled : valuesOf(rows), rows.columns);
    const kernel = this.#kernelWith(gamma);
    checkKernel(kernel, scaled, rows.columns);
    const { sums, border, ...machine } = yield* trainOneClass(
      {
        rows: scaled,
        columns: rows.columns,
        kernel,
        nu: this.options.nu,
        tolerance: this.options.tolerance,
        maxIterations: this.options.maxIterations ?? limitFor(rows.rows),
        cacheSize: Math.max(LEAST_CACHE_MB, this.options.cacheSize) * 2 ** 20,
      },
      svmFor(this.options.backend),
    );
    const fitted = { ...machine, scaling, queries: new ScaledRows(scaling, 'double'), rows: rows.rows };
    return { fitted, scores: sums.map((sum) => machine.offset - sum), border };
  }

  protected scoreRows({ vectors, queries, offset }: FittedMachine, rows: RowSource, scores: Float64Array): void {
    queries.attach(rows);
    try {
      vectors.sum(queries, 0, rows.rows, scores);
    } finally {
      queries.detach();
    }
    for (let i = 0; i < rows.rows; i++) scores[i] = offset - (scores[i] as number);
  }

  protected columnsOf({ vectors }: FittedMachine): number {
    return vectors.columns;
  }

  protected release({ vectors }: FittedMachine): void {
    vectors.release();
  }

  protected describeFitted(fitted: FittedMachine): Pick<Model, 'fields' | 'sections'> {
    const { fields, sections } = describeMachine(fitted);
    return {
      fields: {
        ...fields,
      },
      sections,
    };
  }

  protected restore(model: Model): FittedMachine {
    // What γ became is in the model: the option may be 'auto', where another thread did the fit.
    const { gamma } = model.fields;
    if (typeof gamma !== 'number' || !(gamma > 0 && gamma < Infinity)) throw corrupt('gamma is missing');
    return restoreMachine(model, this.#kernelWith(gamma), this.options.nu, svmFor(this.options.backend));
  }

  #kernelWith(gamma: number): Kernel {
    return { name: this.options.kernel, gamma, coef0: this.options.coef0, degree: this.options.degree };
  }

  #gammaFor(values: Float64Array, columns: number): number {
    if (typeof this.options.gamma === 'number') return this.options.gamma;
    if (this.options.gamma === 'auto') return 1 / columns;
    const variance = varianceOf(values);
    return variance > 0 ? Math.min(1 / (columns * variance), Number.MAX_VALUE) : 1;
  }
}

/** Steps allowed where the user set no limit, as in LIBSVM. */
function limitFor(rows: number): number {
  return Math.max(1e7, 100 * rows);
}

/** A kernel whose values overflow could not be solved for. */
function checkKernel(kernel: Kernel, values: Float64Array, columns: number): void {
  const bound = kernelBound(kernel, squaresOf(values, columns));
  if (bound <= LARGEST_KERNEL_VALUE) return;
  throw new CurvadError(
    'VALUE_TOO_LARGE',
    `values of the ${kernel.name} kernel reach ${bound}, beyond ${LARGEST_KERNEL_VALUE}: scale the columns, or use a smaller gamma or degree`,
  );
}
