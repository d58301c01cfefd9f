// The detectors as the page offers them: what they are called here, in code and at the command line, and their main
// options. No code of the package: the engine makes them.
import type { Settings } from './engine/protocol.js';

interface OptionBase {
  readonly name: string;
  readonly label: string;
  /** At the command line; the name where it is the same, undefined where there is none. */
  readonly flag?: string;
}

export interface NumberOption extends OptionBase {
  readonly kind: 'number';
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly initial: number;
}

export interface ChoiceOption extends OptionBase {
  readonly kind: 'choice';
  readonly choices: readonly string[];
  readonly initial: string;
}

export interface FlagOption extends OptionBase {
  readonly kind: 'flag';
  readonly initial: boolean;
}

export type MethodOption = NumberOption | ChoiceOption | FlagOption;
export type OptionValues = Readonly<Record<string, number | string | boolean>>;

export interface Method {
  readonly title: string;
  /** The class. */
  readonly type: string;
  /** At the command line. */
  readonly flag: string;
  readonly about: string;
  readonly options: readonly MethodOption[];
}

const number = (name: string, label: string, range: readonly [number, number, number, number]): NumberOption => {
  const [initial, least, most, step] = range;
  return { kind: 'number', name, label, initial, least, most, step };
};
const neighbors = (initial = 10): NumberOption => ({
  ...number('neighbors', 'Neighbours', [initial, 2, 100, 1]),
  flag: 'k',
});
/** On by default: units of columns are seldom comparable. */
const standardize: FlagOption = {
  kind: 'flag',
  name: 'standardize',
  label: 'Same scale for all columns',
  initial: true,
};
const seed = number('seed', 'Seed', [0, 0, 9999, 1]);
const gamma = number('gamma', 'Kernel width γ', [1, 0.01, 50, 0.01]);
const choice = (name: string, label: string, choices: readonly [string, ...string[]]): ChoiceOption => ({
  kind: 'choice',
  name,
  label,
  choices,
  initial: choices[0],
});

export const METHODS = {
  landmark: {
    title: 'LandmarkCAD',
    type: 'LandmarkCAD',
    flag: 'landmark',
    about: 'The one to start with: how far a row is from where the data are, times how sharp its corner is.',
    options: [
      neighbors(),
      number('curvature', 'What curvature adds', [0.25, 0, 5, 0.05]),
      number('landmarks', 'Landmarks', [1024, 2, 4096, 1]),
      seed,
    ],
  },
  cad: {
    title: 'CAD',
    type: 'CAD',
    flag: 'cad',
    about: 'The sharpness of the polyhedron around each row alone: the method of the paper.',
    options: [neighbors(), standardize],
  },
  kcad: {
    title: 'Kernel CAD',
    type: 'CAD',
    flag: 'cad',
    about: 'Sharpness in the space of a kernel: looks at how tightly neighbours are packed.',
    options: [
      choice('kernel', 'Kernel', ['rbf', 'laplacian', 'polynomial', 'sigmoid', 'cosine']),
      gamma,
      neighbors(),
      standardize,
    ],
  },
  knn: {
    title: 'KNN',
    type: 'KNN',
    flag: 'knn',
    about: 'The distance to the k-th nearest row.',
    options: [neighbors(), standardize],
  },
  lof: {
    title: 'LOF',
    type: 'LOF',
    flag: 'lof',
    about: 'Local outlier factor: how thin the data are here, beside where the neighbours are.',
    options: [neighbors(20), standardize],
  },
  iforest: {
    title: 'Isolation Forest',
    type: 'IsolationForest',
    flag: 'iforest',
    about: 'How few random cuts part a row from the others.',
    options: [number('trees', 'Trees', [100, 1, 1000, 1]), seed],
  },
  ocsvm: {
    title: 'One-class SVM',
    type: 'OneClassSVM',
    flag: 'ocsvm',
    about: 'Outside the smallest region that holds most rows.',
    options: [
      number('nu', 'Share left outside ν', [0.1, 0.01, 1, 0.01]),
      choice('kernel', 'Kernel', ['rbf', 'linear', 'polynomial', 'sigmoid']),
      gamma,
      standardize,
    ],
  },
  ee: {
    title: 'Elliptic Envelope',
    type: 'EllipticEnvelope',
    flag: 'ee',
    about: 'The distance from a robust centre, for one roughly elliptical cloud.',
    options: [seed],
  },
} as const satisfies Record<string, Method>;

export type MethodName = keyof typeof METHODS;
export const METHOD_NAMES = Object.keys(METHODS) as MethodName[];

export const methodOf = (name: MethodName): Method => METHODS[name];

/** The options as they are at first. */
export function initialOptions(name: MethodName): OptionValues {
  return Object.fromEntries(methodOf(name).options.map((option) => [option.name, option.initial]));
}

/** What the class is given for settings of the page. Where rows are few, all others are the neighbours. */
export function givenTo({ options, share, threshold }: Settings, rows: number): OptionValues {
  const { neighbors: wanted } = options;
  return {
    ...options,
    ...(typeof wanted === 'number' && wanted > rows - 1 && { neighbors: Math.max(2, rows - 1) }),
    ...(threshold !== undefined ? { threshold } : share !== undefined && { contamination: share }),
  };
}

/** A value that the option takes; the initial one for what is none. */
export function optionValue(option: MethodOption, value: unknown): number | string | boolean {
  switch (option.kind) {
    case 'number': {
      const given =
        typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : NaN;
      if (!Number.isFinite(given)) return option.initial;
      const whole = Number.isInteger(option.step) ? Math.round(given) : given;
      return Math.min(option.most, Math.max(option.least, whole));
    }
    case 'choice':
      return option.choices.includes(String(value)) ? String(value) : option.initial;
    case 'flag':
      return value === undefined ? option.initial : value === true || value === 'true';
  }
}
