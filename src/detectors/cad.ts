// Curvature Anomaly Detection. Every row is the vertex of a polyhedron spanned by its k nearest
// neighbours; a sharp vertex is an anomaly. With a kernel other than linear it is kernel CAD: neighbours
// and cosines are taken in the kernel's feature space.
import { type BackendName, POINTS, type PointSet, type Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { isTranslationInvariant, KERNEL_NAMES, type Kernel, type KernelName } from '../core/kernel.js';
import { type MatrixInput, RowReader, type RowSource } from '../core/matrix.js';
import { corrupt, type Model } from '../core/model-file.js';
import { checkOptionNames, flag, number, oneOf, wholeNumber } from '../core/options.js';
import { fitScaling, ScaledRows, Scaling } from '../core/scaling.js';
import { BACKEND_CHOICES, type BackendChoice, selectBackend } from '../core/select.js';
import { checkedSection, Detector, type DetectorOptions, readModelOf, type Trained } from './detector.js';

/** Which end of the raw score is anomalous. */
export type Orientation = 'paper' | 'higher' | 'lower';

export interface CADOptions extends DetectorOptions {
  /** Neighbours that span the polyhedron: k, at least 2. Default 10. */
  neighbors?: number;
  /** Default 'linear', which is plain CAD; any other kernel makes it kernel CAD. */
  kernel?: KernelName;
  /** γ of rbf, laplacian, polynomial and sigmoid. Default 1 / columns. */
  gamma?: number;
  /** Degree of the polynomial kernel. Default 3. */
  degree?: number;
  /** c₀ of polynomial and sigmoid. Default 1. */
  coef0?: number;
  /**
   * How training rows are stored; arithmetic is always double. Default 'single' for linear, rbf and
   * laplacian, which work on centred columns, and 'double' for the others, whose distances cancel.
   */
  precision?: Precision;
  /** Divide each column by its standard deviation (training statistics, kept in the model). Default false. */
  standardize?: boolean;
  /**
   * 'paper' (default): higher raw scores are anomalous for linear, cosine and sigmoid, lower ones for rbf,
   * laplacian and polynomial. 'higher' or 'lower' say it outright.
   */
  orientation?: Orientation;
  /** What runs. Default 'auto', the fastest this runtime has; results do not depend on it. */
  backend?: BackendChoice;
}

const OPTION_NAMES: ReadonlyArray<keyof CADOptions> = [
  'neighbors',
  'kernel',
  'gamma',
  'degree',
  'coef0',
  'precision',
  'standardize',
  'contamination',
  'orientation',
  'backend',
];

const ORIENTATIONS: readonly Orientation[] = ['paper', 'higher', 'lower'];
const PRECISIONS: readonly Precision[] = ['single', 'double'];

interface Fitted {
  readonly points: PointSet;
  readonly scaling: Scaling;
  /** New rows on their way into the core. */
  readonly queries: ScaledRows;
}

/** Anomaly detection by polyhedron curvature (CAD), or in a kernel's feature space (kernel CAD). */
export class CAD extends Detector<Fitted> {
  protected readonly kind = 'CAD';
  readonly #neighbors: number;
  readonly #kernel: KernelName;
  readonly #gamma: number | undefined;
  readonly #degree: number;
  readonly #coef0: number;
  readonly #precision: Precision | undefined;
  readonly #standardize: boolean;
  readonly #orientation: Orientation;
  readonly #backend: BackendChoice;

  constructor(options?: CADOptions) {
    const given = checkOptionNames(options, OPTION_NAMES, 'CAD') as Record<keyof CADOptions, unknown>;
    super({ contamination: given.contamination as number });
    this.#neighbors = wholeNumber(given.neighbors, 'neighbors', 2, 10, 'NEIGHBORS_INVALID');
    this.#kernel = oneOf(given.kernel, 'kernel', KERNEL_NAMES, 'linear', 'KERNEL_UNKNOWN');
    this.#gamma = number(given.gamma, 'gamma', 'a positive number', (value) => value > 0, 'GAMMA_INVALID');
    this.#degree = wholeNumber(given.degree, 'degree', 1, 3, 'DEGREE_INVALID');
    this.#coef0 = number(given.coef0, 'coef0', 'a finite number', () => true, 'COEF0_INVALID') ?? 1;
    this.#precision =
      given.precision === undefined
        ? undefined
        : oneOf(given.precision, 'precision', PRECISIONS, 'double', 'PRECISION_UNKNOWN');
    this.#standardize = flag(given.standardize, 'standardize', false, 'STANDARDIZE_INVALID');
    this.#orientation = oneOf(given.orientation, 'orientation', ORIENTATIONS, 'paper', 'ORIENTATION_UNKNOWN');
    this.#backend = oneOf(given.backend, 'backend', BACKEND_CHOICES, 'auto', 'BACKEND_UNKNOWN');
  }

  /** Reads a model file of a CAD. */
  static load(bytes: Uint8Array | ArrayBuffer, options?: { backend?: BackendChoice }): CAD {
    const given = checkOptionNames(options, ['backend'], 'CAD.load') as { backend?: BackendChoice };
    return CAD.fromModel(readModelOf(bytes, 'CAD'), given);
  }

  /** @internal */
  static fromModel(model: Model, { backend }: { backend?: BackendChoice }): CAD {
    const options = Object.fromEntries(
      OPTION_NAMES.filter((name) => Object.hasOwn(model.fields, name)).map((name) => [name, model.fields[name]]),
    );
    return checkedOptions({ ...options, backend }).adopt(model);
  }

  /** Scores of the training rows exactly as the equation gives them, whatever the orientation. */
  get rawScores(): Float64Array {
    return this.scores.map((score) => score * this.#sign);
  }

  /** How the training rows are stored. */
  get precision(): Precision {
    return this.fitted.points.precision;
  }

  /** What runs: 'js' or one of the WebAssembly builds. */
  get backend(): BackendName {
    return selectBackend(this.#backend).name;
  }

  /**
   * Gradient of the raw score at new rows, by the columns of the input: row after row in one array. It
   * points to where the row would be more anomalous. Linear kernel only.
   */
  gradient(rows: MatrixInput): Float64Array {
    const { points, scaling, queries } = this.fitted;
    if (this.#kernel !== 'linear') {
      throw new CurvadError(
        'KERNEL_UNSUPPORTED',
        `the score has a gradient for the linear kernel only, not for ${this.#kernel}`,
      );
    }
    const reader = this.checkedRows(rows);
    const gradients = new Float64Array(reader.rows * reader.columns);
    points.gradient(queries.attach(reader), 0, reader.rows, this.#neighbors, gradients);
    queries.detach();
    // By the chain rule, as the core sees scaled columns.
    return gradients.map((value, i) => value / (scaling.scale[i % reader.columns] as number));
  }

  protected train(rows: RowSource): Trained<Fitted> {
    const k = this.#neighbors;
    if (rows.rows < k + 1) {
      throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k + 1} rows, got ${rows.rows}`);
    }
    const isInvariant = isTranslationInvariant(this.#kernel);
    const { scaling, precision } = fitScaling(rows, {
      standardize: this.#standardize,
      center: isInvariant,
      precision: this.#precision ?? (isInvariant ? 'single' : 'double'),
      isExplicit: this.#precision !== undefined,
    });
    const fitted = this.#hold(scaling.apply(rows, precision), scaling, precision, this.#gamma ?? 1 / rows.columns);
    const scores = new Float64Array(rows.rows);
    try {
      fitted.points.curvature(POINTS, 0, rows.rows, k, scores);
    } catch (error) {
      this.release(fitted);
      throw error;
    }
    this.#orient(scores, rows.rows);
    return { fitted, scores };
  }

  protected scoreRows({ points, queries }: Fitted, rows: RowSource, scores: Float64Array): void {
    points.curvature(queries.attach(rows), 0, rows.rows, this.#neighbors, scores);
    queries.detach();
    this.#orient(scores, rows.rows);
  }

  protected columnsOf({ points }: Fitted): number {
    return points.columns;
  }

  protected release({ points }: Fitted): void {
    points.release();
  }

  protected describeFitted({ points, scaling }: Fitted): Pick<Model, 'fields' | 'sections'> {
    return {
      fields: {
        rows: points.count,
        columns: points.columns,
        neighbors: this.#neighbors,
        kernel: this.#kernel,
        gamma: points.kernel.gamma,
        degree: this.#degree,
        coef0: this.#coef0,
        precision: points.precision,
        standardize: this.#standardize,
        orientation: this.#orientation,
      },
      sections: { rows: points.rows(), offset: scaling.offset, scale: scaling.scale },
    };
  }

  protected restore(model: Model): Fitted {
    const { rows, columns } = model.fields;
    if (!isCount(rows) || !isCount(columns)) throw corrupt('rows and columns must be positive whole numbers');
    if (rows < this.#neighbors + 1)
      throw corrupt(`${this.#neighbors} neighbors need at least ${this.#neighbors + 1} rows`);
    if (this.#gamma === undefined || this.#precision === undefined) throw corrupt('gamma and precision are missing');
    const data = checkedSection(model, 'rows', this.#precision === 'single' ? 'f32' : 'f64');
    const offset = checkedSection(model, 'offset', 'f64') as Float64Array;
    const scale = checkedSection(model, 'scale', 'f64') as Float64Array;
    const scores = checkedSection(model, 'scores', 'f64');
    if (
      data.length !== rows * columns ||
      offset.length !== columns ||
      scale.length !== columns ||
      scores.length !== rows
    ) {
      throw corrupt('its sections do not have the sizes its rows and columns ask for');
    }
    if (!scale.every((value) => value > 0)) throw corrupt('a scale is not positive');
    const stored = new RowReader().attach({ data, rows, columns });
    // Stored rows are scaled already: they are only checked for their range.
    const unscaled = new Scaling(new Float64Array(columns), new Float64Array(columns).fill(1));
    try {
      return this.#hold(
        unscaled.apply(stored, this.#precision),
        new Scaling(offset, scale),
        this.#precision,
        this.#gamma,
      );
    } catch (cause) {
      if (cause instanceof CurvadError && cause.code === 'VALUE_TOO_LARGE') throw corrupt(cause.message, cause);
      throw cause;
    }
  }

  #hold(rows: RowSource, scaling: Scaling, precision: Precision, gamma: number): Fitted {
    const kernel: Kernel = { name: this.#kernel, gamma, coef0: this.#coef0, degree: this.#degree };
    const points = selectBackend(this.#backend).hold(rows, precision, kernel);
    return { points, scaling, queries: new ScaledRows(scaling, precision) };
  }

  #orient(scores: Float64Array, count: number): void {
    if (this.#sign < 0) for (let i = 0; i < count; i++) scores[i] = -(scores[i] as number);
  }

  get #sign(): 1 | -1 {
    if (this.#orientation !== 'paper') return this.#orientation === 'higher' ? 1 : -1;
    return this.#kernel === 'linear' || this.#kernel === 'cosine' || this.#kernel === 'sigmoid' ? 1 : -1;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 32;
}

/** Options from a file are as untrusted as the rest of it. */
function checkedOptions(options: Record<string, unknown>): CAD {
  try {
    return new CAD(options as CADOptions);
  } catch (cause) {
    if (cause instanceof CurvadError && !cause.code.startsWith('BACKEND')) throw corrupt(cause.message, cause);
    throw cause;
  }
}
