// Every detector, with options drawn at random: a detector that is added to the library is attacked, too.
import * as curvad from 'curvad';
import type { Random } from '../../test/support/data.js';
import { chance, pick } from './values.js';

export type AnyDetector = curvad.AnyDetector;
type Options = Record<string, unknown>;

interface DetectorClass {
  new (options?: object): AnyDetector;
  load(bytes: Uint8Array, options?: curvad.LoadOptions): AnyDetector;
}

const isDetector = (value: unknown): boolean => typeof value === 'function' && 'fromModel' in value;

export const DETECTORS: Readonly<Record<string, DetectorClass>> = Object.fromEntries(
  Object.entries(curvad).filter(([, value]) => isDetector(value)) as unknown as Array<[string, DetectorClass]>,
);

/** Values that an option may have, whichever detector takes it. */
const CHOICES: Readonly<Record<string, (random: Random) => unknown>> = {
  neighbors: (random) => pick(random, [2, 3, 5, 10]),
  kernel: (random) => pick(random, ['linear', 'rbf', 'laplacian', 'polynomial', 'sigmoid', 'cosine']),
  gamma: (random) => pick(random, [1e-3, 0.1, 1, 10]),
  degree: (random) => 1 + random.integer(4),
  coef0: (random) => pick(random, [-1, 0, 0.5, 1]),
  precision: (random) => pick(random, ['single', 'double']),
  standardize: (random) => chance(random, 0.5),
  orientation: (random) => pick(random, ['paper', 'curvature', 'higher', 'lower']),
  metric: (random) => pick(random, ['euclidean', 'manhattan']),
  aggregate: (random) => pick(random, ['largest', 'mean']),
  landmarks: (random) => pick(random, [2, 8, 64]),
  curvature: (random) => pick(random, [0, 0.25, 1]),
  seed: (random) => random.integer(1000),
  trees: (random) => pick(random, [1, 5, 20]),
  sampleSize: (random) => pick(random, [2, 16, 256]),
  features: (random) => pick(random, [0.3, 1]),
  nu: (random) => pick(random, [0.01, 0.2, 0.5, 1]),
  tolerance: (random) => pick(random, [1e-2, 1e-3, 1e-6]),
  cacheSize: (random) => pick(random, [0.01, 200]),
  supportFraction: (random) => pick(random, [0.5, 0.75, 1]),
  assumeCentered: (random) => chance(random, 0.5),
  contamination: (random) => pick(random, [0.01, 0.1, 0.5]),
  threshold: (random) => pick(random, ['two-means', 'capped', 'native', 0.5]),
};

/** What a detector takes is found out by asking it. */
function takes(type: DetectorClass, options: Options): boolean {
  try {
    new type(options).dispose();
    return true;
  } catch {
    return false;
  }
}

export interface DrawnDetector {
  readonly kind: string;
  readonly options: Options;
}

export function drawDetector(random: Random): DrawnDetector {
  const kind = pick(random, Object.keys(DETECTORS));
  const type = DETECTORS[kind] as DetectorClass;
  const options: Options = {};
  for (const [name, draw] of Object.entries(CHOICES)) {
    const value = draw(random);
    if (chance(random, 0.35) && takes(type, { ...options, [name]: value })) options[name] = value;
  }
  return { kind, options };
}

export function makeDetector({ kind, options }: DrawnDetector, backend?: 'js' | 'wasm'): AnyDetector {
  return new (DETECTORS[kind] as DetectorClass)({ ...options, ...(backend && { backend }) });
}

/** Smaller options: without one of them. */
export function* fewerOptions({ kind, options }: DrawnDetector): Generator<DrawnDetector> {
  for (const name of Object.keys(options)) {
    const { [name]: _, ...rest } = options;
    yield { kind, options: rest };
  }
}

export const same = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
};
