// Detectors and selectors by class name.
import {
  type AnyDetector,
  CAD,
  CurvadError,
  DROP3,
  EllipticEnvelope,
  ENN,
  InverseCAD,
  IRMD,
  IsolationForest,
  KNN,
  LandmarkCAD,
  LOF,
  OneClassSVM,
  type PrototypeSelector,
  PSA,
  SDM,
  ShellExtraction,
  SOS,
} from '../../index.js';

type Maker<Made> = new (options?: Readonly<Record<string, unknown>>) => Made;

const DETECTORS = { LandmarkCAD, CAD, KNN, LOF, IsolationForest, OneClassSVM, EllipticEnvelope };
const SELECTORS = { InverseCAD, IRMD, PSA, SOS, ShellExtraction, SDM, ENN, DROP3 };

/** Makes a detector. */
export function detectorOf(name: string | undefined, options: Readonly<Record<string, unknown>> = {}): AnyDetector {
  return new (makerOf<AnyDetector>(DETECTORS as unknown as Record<string, Maker<AnyDetector>>, name))(options);
}

/** The options of each detector by name, with their defaults; null if the default depends on the rows. */
export function optionsOfDetectors(): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const known = Object.keys(DETECTORS).map((name) => {
    const { options } = detectorOf(name) as unknown as { options: Readonly<Record<string, unknown>> };
    return [name, Object.fromEntries(Object.entries(options).map(([key, value]) => [key, value ?? null]))];
  });
  return Object.fromEntries(known);
}

/** Makes a prototype selector. */
export function selectorOf(
  name: string | undefined,
  options: Readonly<Record<string, unknown>> = {},
): PrototypeSelector {
  return new (makerOf<PrototypeSelector>(SELECTORS as unknown as Record<string, Maker<PrototypeSelector>>, name))(
    options,
  );
}

function makerOf<Made>(known: Readonly<Record<string, Maker<Made>>>, name: string | undefined): Maker<Made> {
  const maker = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
  if (maker !== undefined) return maker;
  throw new CurvadError(
    'DETECTOR_INVALID',
    `there is no ${JSON.stringify(name)}: there are ${Object.keys(known).join(', ')}`,
  );
}
