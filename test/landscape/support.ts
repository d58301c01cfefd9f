// What the tests of landscapes and paths share: the synthetic sets, and the score and its gradient pair by
// pair, as the paper writes them, among given rows.
import { CAD, type CADOptions } from '../../src/index.js';
import { fixture, type Rows, squaredDistance } from '../support/data.js';

export const SETS = ['moons', 'equal', 'different'] as const;

export function syntheticSet(name: (typeof SETS)[number]): number[][] {
  return fixture<Record<string, number[][]>>('landscape')[name] as number[][];
}

export interface Fitted {
  cad: CAD;
  X: Rows;
  normal: Rows;
  flagged: ArrayLike<number>[];
}

export function fitted(X: Rows, options: CADOptions = {}): Fitted {
  const cad = new CAD(options).fit(X);
  const pick = (label: number) => X.filter((_, i) => cad.labels[i] === label);
  return { cad, X, normal: pick(0), flagged: pick(1) };
}

export function nearest(points: Rows, x: ArrayLike<number>, k: number): ArrayLike<number>[] {
  return points
    .map((point, index) => ({ point, index, square: squaredDistance(point, x) }))
    .sort((a, b) => a.square - b.square || a.index - b.index)
    .slice(0, k)
    .map(({ point }) => point);
}

/** s = Σ_{a<b} cos of the angle between two edges, and its gradient by the paper's equation. */
export function pairwise(points: Rows, x: ArrayLike<number>, k: number): { score: number; gradient: Float64Array } {
  const edges = nearest(points, x, k)
    .map((point) => Float64Array.from(point, (value, j) => value - (x[j] as number)))
    .filter((edge) => edge.some((value) => value !== 0));
  const gradient = new Float64Array(x.length);
  let score = 0;
  edges.forEach((ea, a) => {
    for (const eb of edges.slice(a + 1)) {
      const product = ea.reduce((sum, value, j) => sum + value * (eb[j] as number), 0);
      const [ra, rb] = [Math.hypot(...ea), Math.hypot(...eb)];
      score += product / (ra * rb);
      for (let j = 0; j < x.length; j++) {
        const [va, vb] = [ea[j] as number, eb[j] as number];
        gradient[j] = (gradient[j] as number) + (-(va + vb) + product * (va / ra ** 2 + vb / rb ** 2)) / (ra * rb);
      }
    }
  });
  return { score, gradient };
}
