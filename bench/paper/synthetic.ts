// The three sets of the paper's figures, two moons and two pairs of clusters, each with 45 outliers. They are
// drawn as scikit-learn draws them, number by number, so that no Python is needed. The paper leaves the
// clusters unseeded; their seeds are chosen here.
import { NormalNumbers } from './numpy-normal.js';
import { RandomState } from './numpy-random.js';

export interface SyntheticSet {
  /** For the names of files. */
  readonly name: 'moons' | 'equal' | 'different';
  readonly title: string;
  /** Outliers last. */
  readonly rows: ReadonlyArray<readonly [x: number, y: number]>;
}

/** The last rows of every set. */
export const OUTLIERS = 45;
const MOON_POINTS = 255;
const BLOB_POINTS = 50;
const CENTERS = [2, -2] as const;

type Point = [x: number, y: number];

export function syntheticSets(): SyntheticSet[] {
  return [
    { name: 'moons', title: 'Two moons', rows: [...moons(0), ...outliers(42)] },
    { name: 'equal', title: 'Two equal clusters', rows: [...blobs([0.5, 0.5], 1), ...outliers(42)] },
    { name: 'different', title: 'Two different clusters', rows: [...blobs([1.5, 0.3], 2), ...outliers(42)] },
  ];
}

/** make_moons(255, noise = 0.05), mapped to 4 (x − (0.5, 0.25)). */
function moons(seed: number): Point[] {
  const random = new RandomState(seed);
  const outer = Math.floor(MOON_POINTS / 2);
  const points = Array.from({ length: MOON_POINTS }, (_, i): Point => {
    if (i < outer) {
      const angle = (Math.PI * i) / (outer - 1);
      return [Math.cos(angle), Math.sin(angle)];
    }
    const angle = (Math.PI * (i - outer)) / (MOON_POINTS - outer - 1);
    return [1 - Math.cos(angle), 0.5 - Math.sin(angle)];
  });
  const normal = new NormalNumbers(random);
  const noisy = (value: number, center: number): number => 4 * (value + 0.05 * normal.next() - center);
  return shuffled(points, random).map(([x, y]) => [noisy(x, 0.5), noisy(y, 0.25)]);
}

/** make_blobs(100) around (2, 2) and (−2, −2). */
function blobs(deviations: readonly [number, number], seed: number): Point[] {
  const random = new RandomState(seed);
  const normal = new NormalNumbers(random);
  const points = CENTERS.flatMap((center, blob) => {
    const draw = (): number => center + (deviations[blob] as number) * normal.next();
    return Array.from({ length: BLOB_POINTS }, (): Point => [draw(), draw()]);
  });
  return shuffled(points, random);
}

/** Uniform on [−6, 6]². */
function outliers(seed: number): Point[] {
  const random = new RandomState(seed);
  const draw = (): number => -6 + 12 * random.uniform();
  return Array.from({ length: OUTLIERS }, () => [draw(), draw()]);
}

function shuffled(points: readonly Point[], random: RandomState): Point[] {
  const order = Int32Array.from(points, (_, i) => i);
  random.shuffle(order);
  return Array.from(order, (i) => points[i] as Point);
}
