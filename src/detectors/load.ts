// Reads a model file of any detector.
import { CurvadError, describe } from '../core/errors.js';
import { type Model, readModel } from '../core/model-file.js';
import { checkOptionNames } from '../core/options.js';
import type { BackendChoice } from '../core/select.js';
import { CAD } from './cad.js';
import type { AnyDetector } from './detector.js';
import { EllipticEnvelope } from './elliptic-envelope.js';
import { IsolationForest } from './isolation-forest.js';
import { KNN } from './knn.js';
import { LOF } from './lof.js';
import { OneClassSVM } from './one-class-svm.js';

export interface LoadOptions {
  /** What runs. Default 'auto'. */
  backend?: BackendChoice;
}

type Reader = (model: Model, options: LoadOptions) => AnyDetector;

const READERS: Readonly<Record<string, Reader>> = {
  CAD: CAD.fromModel,
  KNN: KNN.fromModel,
  LOF: LOF.fromModel,
  EllipticEnvelope: EllipticEnvelope.fromModel,
  IsolationForest: IsolationForest.fromModel,
  OneClassSVM: OneClassSVM.fromModel,
};

/**
 * Loads a fitted detector from the bytes `toBytes` gave, in this runtime or another. Where the kind is
 * known, `CAD.load` and its like give that type, and bundle no other detector.
 */
export function load(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions): AnyDetector {
  const given = checkOptionNames(options, ['backend'], 'load') as LoadOptions;
  const model = readModel(bytes);
  const reader = Object.hasOwn(READERS, model.detector) ? READERS[model.detector] : undefined;
  if (reader === undefined) {
    throw new CurvadError('MODEL_FOREIGN', `this curvad has no detector ${describe(model.detector)}`);
  }
  return reader(model, given);
}
