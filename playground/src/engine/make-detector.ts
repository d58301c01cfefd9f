// Makes the detectors that the page offers.
import {
  type AnyDetector,
  CAD,
  type CADOptions,
  EllipticEnvelope,
  IsolationForest,
  KNN,
  LandmarkCAD,
  LOF,
  OneClassSVM,
  type OneClassSVMOptions,
} from 'curvad';
import type { MethodName, OptionValues } from '../methods.js';
import type { Settings } from './protocol.js';

const MAKERS: Readonly<Record<MethodName, (options: OptionValues) => AnyDetector>> = {
  landmark: (options) => new LandmarkCAD(options),
  cad: (options) => new CAD(options),
  kcad: (options) => new CAD(options as CADOptions),
  knn: (options) => new KNN(options),
  lof: (options) => new LOF(options),
  iforest: (options) => new IsolationForest(options),
  ocsvm: (options) => new OneClassSVM(options as OneClassSVMOptions),
  ee: (options) => new EllipticEnvelope(options),
};

/** Most rows of which neighbours are looked at are few: k is at most all others. */
const fitting = (options: OptionValues, rows: number): OptionValues =>
  typeof options['neighbors'] === 'number' && options['neighbors'] > rows - 1
    ? { ...options, neighbors: Math.max(2, rows - 1) }
    : options;

export function makeDetector({ method, options, threshold }: Settings, rows: number): AnyDetector {
  const values = fitting(options, rows);
  return MAKERS[method](threshold === undefined ? values : { ...values, threshold });
}
