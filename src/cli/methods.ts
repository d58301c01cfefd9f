// The detectors by their names on the command line, each with its options.
import {
  type AnyDetector,
  CAD,
  type CADOptions,
  EllipticEnvelope,
  type EllipticEnvelopeOptions,
  IsolationForest,
  type IsolationForestOptions,
  KNN,
  type KNNOptions,
  LandmarkCAD,
  type LandmarkCADOptions,
  LOF,
  type LOFOptions,
  OneClassSVM,
  type OneClassSVMOptions,
  type ThresholdName,
} from '../index.js';
import type { Arguments, OptionSpec } from './arguments.js';
import { UsageError } from './errors.js';

/** Options of detectors, by their names in the library. */
export interface MethodOptions {
  neighbors?: number;
  kernel?: string;
  gamma?: number;
  degree?: number;
  coef0?: number;
  standardize?: boolean;
  approximate?: boolean | { epsilon: number };
  contamination?: number;
  threshold?: ThresholdName | number;
  cap?: number;
  landmarks?: number;
  curvature?: number;
  trees?: number;
  nu?: number;
  seed?: number;
}

type OptionName = keyof MethodOptions;

export interface Method {
  readonly title: string;
  readonly about: string;
  /** Mean AUROC in percent on 15 public sets, with defaults on standardized columns: docs/quality.md. */
  readonly auroc: number;
  /** Options besides those for the threshold. */
  readonly options: readonly OptionName[];
  /** Whether the result does not depend on the units of columns. */
  readonly isScaleFree?: boolean;
  make(options: MethodOptions): AnyDetector;
}

const KERNEL: readonly OptionName[] = ['kernel', 'gamma', 'degree', 'coef0'];

/** Options that every method takes. */
const FOR_ALL: readonly OptionName[] = ['contamination', 'threshold', 'cap'];

export const METHODS = {
  landmark: {
    title: 'LandmarkCAD',
    about: 'the recommended default: distance to landmarks times curvature',
    auroc: 90.3,
    options: ['landmarks', 'neighbors', 'curvature', 'seed', 'standardize'],
    isScaleFree: true,
    make: (options) => new LandmarkCAD(options as LandmarkCADOptions),
  },
  cad: {
    title: 'CAD',
    about: 'curvature of the polyhedron around each row; with a kernel, kernel CAD',
    auroc: 66,
    options: ['neighbors', 'standardize', 'approximate', ...KERNEL],
    make: (options) => new CAD(options as CADOptions),
  },
  kcad: {
    title: 'Kernel CAD',
    about: 'CAD in the feature space of a kernel (default rbf)',
    auroc: 79.8,
    options: ['neighbors', 'standardize', 'approximate', ...KERNEL],
    make: (options) => new CAD({ kernel: 'rbf', ...options } as CADOptions),
  },
  knn: {
    title: 'KNN',
    about: 'distance to the k-th nearest row',
    auroc: 85.1,
    options: ['neighbors', 'standardize', 'approximate'],
    make: (options) => new KNN(options as KNNOptions),
  },
  lof: {
    title: 'LOF',
    about: 'local outlier factor: density relative to the neighbours',
    auroc: 68.1,
    options: ['neighbors', 'standardize', 'approximate'],
    make: (options) => new LOF(options as LOFOptions),
  },
  iforest: {
    title: 'Isolation Forest',
    about: 'how few random cuts isolate a row',
    auroc: 87.7,
    options: ['trees', 'seed', 'standardize'],
    isScaleFree: true,
    make: (options) => new IsolationForest(options as IsolationForestOptions),
  },
  ocsvm: {
    title: 'One-class SVM',
    about: 'distance outside the smallest region that contains most rows',
    auroc: 85,
    options: ['nu', 'standardize', ...KERNEL],
    make: (options) => new OneClassSVM(options as OneClassSVMOptions),
  },
  ee: {
    title: 'Elliptic Envelope',
    about: 'Mahalanobis distance from a robust centre',
    auroc: 85.9,
    options: ['seed', 'standardize'],
    isScaleFree: true,
    make: (options) => new EllipticEnvelope(options as EllipticEnvelopeOptions),
  },
} as const satisfies Record<string, Method>;

/** The help text about methods, with their quality. */
export const METHODS_IN_HELP: Readonly<Record<string, { readonly about: string }>> = Object.fromEntries(
  Object.entries(METHODS).map(([name, { about, auroc }]) => [name, { about: `${about} [${auroc.toFixed(1)}]` }]),
);
export const ABOUT_NUMBERS = `In brackets: mean AUROC on 15 public sets of anomalies, in percent; 50 is chance (docs/quality.md).
These sets are general tables; cad is for embeddings and for anomalies of direction.`;

export type MethodName = keyof typeof METHODS;
export const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

/** Command-line names of options, where they differ. */
const FLAGS: Partial<Record<OptionName, string>> = { neighbors: 'k' };
const flagOf = (name: OptionName): string => FLAGS[name] ?? name;

const KERNELS = 'linear, rbf, laplacian, polynomial, sigmoid, cosine';

export const METHOD_OPTIONS: readonly OptionSpec[] = [
  { name: 'k', short: 'k', value: 'N', help: 'neighbours of landmark, cad, kcad, knn and lof (default 10)' },
  { name: 'kernel', value: 'NAME', help: `${KERNELS} (default: linear; kcad and ocsvm: rbf)` },
  { name: 'gamma', value: 'G', help: 'γ of the kernel (default 1 / columns)' },
  { name: 'degree', value: 'P', help: 'degree of the polynomial kernel (default 3)' },
  { name: 'coef0', value: 'C', help: 'c₀ of the polynomial and sigmoid kernels (default 1; ocsvm: 0)' },
  { name: 'landmarks', value: 'N', help: 'number of landmarks of landmark (default 1024)' },
  { name: 'curvature', value: 'W', help: 'weight of curvature in landmark, 0 for none (default 0.25)' },
  { name: 'trees', value: 'N', help: 'trees of the isolation forest (default 100)' },
  { name: 'nu', value: 'NU', help: 'ν of the one-class SVM: roughly the share of rows left outside (default 0.5)' },
  { name: 'seed', value: 'N', help: 'random seed (default 0)' },
  {
    name: 'approximate',
    help: 'let cad, kcad, knn and lof miss neighbours where that is faster; the share missed is reported',
  },
  {
    name: 'epsilon',
    value: 'E',
    help: 'with --approximate: distances are at most 1 + E times the true ones (default 0.25)',
  },
  { name: 'standardize', help: 'scale columns to z-scores: for columns in different units' },
  {
    name: 'contamination',
    value: 'SHARE',
    help: 'share of rows to flag as anomalies, if known',
  },
  {
    name: 'threshold',
    value: 'RULE',
    help: 'capped (default), two-means (default of cad and kcad), native (default of ocsvm), or a score',
  },
  { name: 'cap', value: 'SHARE', help: 'largest share of rows flagged by capped (default 0.05)' },
];

/** A method and its given options. */
export interface ChosenMethod {
  readonly name: MethodName;
  readonly method: Method;
  readonly options: MethodOptions;
}

/** Reads the options of a method; refuses those it does not have. */
export function chooseMethod(given: Arguments, name: MethodName): ChosenMethod {
  const method: Method = METHODS[name];
  const options = methodOptions(given);
  for (const option of Object.keys(options) as OptionName[]) {
    const isFor = FOR_ALL.includes(option) || method.options.includes(option) || option === 'seed';
    if (!isFor) {
      const others = METHOD_NAMES.filter((other) => (METHODS[other] as Method).options.includes(option));
      throw new UsageError(`--${flagOf(option)} does not apply to ${name}, only to ${others.join(', ')}`);
    }
  }
  // --seed is accepted where nothing is random, as scripts always pass it.
  if (!method.options.includes('seed')) delete options.seed;
  return { name, method, options };
}

/** All detector options that were given. */
export function methodOptions(given: Arguments): MethodOptions {
  const positive = (name: string) => given.number(name, 'a number above 0', (value) => value > 0);
  const options: Record<OptionName, unknown> = {
    neighbors: given.wholeNumber('k', 1),
    kernel: given.text('kernel'),
    gamma: positive('gamma'),
    degree: given.wholeNumber('degree', 1),
    coef0: given.number('coef0', 'a number', () => true),
    standardize: given.flag('standardize') || undefined,
    approximate: approximateIn(given),
    contamination: given.number('contamination', 'a share above 0 and at most 0.5', (c) => c > 0 && c <= 0.5),
    threshold: thresholdIn(given),
    cap: given.number('cap', 'a share above 0 and at most 0.5', (c) => c > 0 && c <= 0.5),
    landmarks: given.wholeNumber('landmarks', 2),
    curvature: given.number('curvature', 'a number of at least 0', (value) => value >= 0),
    trees: given.wholeNumber('trees', 1),
    nu: given.number('nu', 'above 0 and at most 1', (value) => value > 0 && value <= 1),
    seed: given.wholeNumber('seed', 0),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function approximateIn(given: Arguments): MethodOptions['approximate'] {
  const epsilon = given.number('epsilon', 'a number above 0', (value) => value > 0);
  if (epsilon !== undefined && !given.flag('approximate')) throw new UsageError('--epsilon needs --approximate');
  return epsilon === undefined ? given.flag('approximate') || undefined : { epsilon };
}

/** The threshold rule, or the threshold itself; the detector checks whether the rule exists. */
function thresholdIn(given: Arguments): ThresholdName | number | undefined {
  const text = given.text('threshold');
  if (text === undefined) return undefined;
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) ? value : (text as ThresholdName);
}
