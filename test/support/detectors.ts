// Every detector, for the tests of what all of them promise. A new one is one line in DETECTORS; what it
// can be asked is found out by asking it.
import {
  type AnyDetector,
  CAD,
  CurvadError,
  EllipticEnvelope,
  IsolationForest,
  KNN,
  LandmarkCAD,
  LOF,
  type LoadOptions,
  OneClassSVM,
} from '../../src/index.js';

export type Options = Readonly<Record<string, unknown>>;

/** A class of detectors, whatever its options. */
interface DetectorClass {
  new (options?: never): AnyDetector;
  load(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions): AnyDetector;
  readonly name: string;
}

export interface DetectorCase {
  /** The name of the class, and what is special about the options. */
  readonly name: string;
  /** The name in model files and messages. */
  readonly kind: string;
  /** With options that suit a dozen rows, and others on top. */
  make(options?: Options): AnyDetector;
  /** With exactly what is given, which may be anything. */
  construct(options: unknown): AnyDetector;
  load(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions): AnyDetector;
  /** Rows that `make` needs to be fitted, at least. */
  readonly leastRows: number;
  /** Whether rows that are all equal are refused, and not merely degenerate. */
  readonly refusesEqualRows: boolean;
  /** Whether it takes every finite value, as large values are clipped. */
  readonly clips: boolean;
  /** Whether there is an option of a name. */
  takes(option: string): boolean;
}

function detector(type: DetectorClass, leastRows: number, options: Options = {}, special = ''): DetectorCase {
  const construct = (given: unknown): AnyDetector => new type(given as never);
  return {
    name: special === '' ? type.name : `${type.name} ${special}`,
    kind: type.name,
    construct,
    make: (more) => construct({ ...options, ...more }),
    load: (bytes, given) => type.load(bytes, given),
    leastRows,
    refusesEqualRows: type === EllipticEnvelope,
    clips: type === LandmarkCAD,
    takes(option) {
      try {
        construct({ [option]: undefined });
        return true;
      } catch (error) {
        if (error instanceof CurvadError && error.code === 'UNKNOWN_OPTION') return false;
        throw error;
      }
    },
  };
}

/** Class, rows needed, options. */
export const DETECTORS: readonly DetectorCase[] = [
  detector(CAD, 4, { neighbors: 3 }),
  detector(CAD, 4, { neighbors: 3, kernel: 'rbf' }, 'with the rbf kernel'),
  detector(LandmarkCAD, 4, { landmarks: 16, neighbors: 3 }),
  detector(KNN, 4, { neighbors: 3 }),
  detector(KNN, 4, { neighbors: 3, aggregate: 'mean', metric: 'manhattan' }, 'with the mean of L1 distances'),
  detector(LOF, 4, { neighbors: 3 }),
  detector(IsolationForest, 2, { trees: 20 }),
  detector(OneClassSVM, 1, { nu: 0.2 }),
  detector(EllipticEnvelope, 3, {}),
];

/** Those that store rows in a precision and refuse what it does not hold. */
export const detectorsOfLimitedRange = (): DetectorCase[] =>
  DETECTORS.filter(({ takes, clips }) => takes('precision') && !clips);

/** Those that take an option. */
export const detectorsWith = (option: string): DetectorCase[] => DETECTORS.filter(({ takes }) => takes(option));
