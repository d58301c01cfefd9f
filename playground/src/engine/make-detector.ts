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
import { givenTo, type MethodName, type OptionValues } from '../methods.js';
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

export function makeDetector(settings: Settings, rows: number): AnyDetector {
  return MAKERS[settings.method](givenTo(settings, rows));
}
