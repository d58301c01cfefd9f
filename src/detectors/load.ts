// Reads a model file of any detector.
import { CurvadError, describe } from '../core/errors.js';
import { type LoadOptions, readLoadOptions } from '../core/model-file/limits.js';
import { type Model, readModel } from '../core/model-file/model-file.js';
import { CAD } from './cad.js';
import type { AnyDetector } from './detector.js';
import { EllipticEnvelope } from './elliptic-envelope.js';
import { IsolationForest } from './isolation-forest.js';
import { KNN } from './knn.js';
import { LandmarkCAD } from './landmark-cad.js';
import { LOF } from './lof.js';
import { OneClassSVM } from './one-class-svm.js';

interface Kind {
  fromModel(model: Model, options: Pick<LoadOptions, 'backend'>): AnyDetector;
}

/** Detectors by name. Lists classes, not their methods, so that bundlers can drop the list if it is unused. */
const KINDS: Readonly<Record<string, Kind>> = {
  CAD,
  LandmarkCAD,
  KNN,
  LOF,
  IsolationForest,
  OneClassSVM,
  EllipticEnvelope,
};

/**
 * Loads a fitted detector from the bytes of `toBytes`, from any runtime. If the class is known, `CAD.load` and the like
 * return that type and bundle no other detector.
 */
export function load(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions): AnyDetector {
  const { backend, limits } = readLoadOptions(options, 'load');
  const model = readModel(bytes, limits);
  const kind = Object.hasOwn(KINDS, model.detector) ? KINDS[model.detector] : undefined;
  if (kind === undefined) {
    throw new CurvadError('MODEL_FOREIGN', `this curvad has no detector ${describe(model.detector)}`);
  }
  return kind.fromModel(model, backend === undefined ? {} : { backend });
}
