// Anomaly paths beside a straightforward loop (all distances, a full sort, every pair of edges), and beside
// the same loop with the sum over pairs in its O(kd) form; and the time to draw a landscape. One thread,
// alternating, best of several.

import { against, type Data, gaussianData, milliseconds, printTable, seconds } from './support.js';

const { anomalyPath, CAD, defaultBackend, denoise, landscape } = await import('curvad');

const ITERATIONS = 10_000;
const ROUNDS = Number(process.env['ROUNDS'] ?? 4);
/** Iterations the loops are timed for; a path costs the same at each of its points. */
const SAMPLE = 500;

type Gradient = (edges: readonly Float64Array[], gradient: Float64Array) => void;

interface Walk {
  readonly points: readonly Float64Array[];
  readonly start: Float64Array;
  readonly k: number;
  readonly eta: number;
  readonly count: number;
}

/** x − η∇s, neighbours found anew at every step. */
function straightforwardPath({ points, start, k, eta, count }: Walk, gradientOf: Gradient): Float64Array {
  const x = start.slice();
  const gradient = new Float64Array(x.length);
  for (let t = 0; t < count; t++) {
    const neighbors = points.map((point, index) => {
      let square = 0;
      for (let j = 0; j < x.length; j++) square += ((point[j] as number) - (x[j] as number)) ** 2;
      return { index, square };
    });
    neighbors.sort((a, b) => a.square - b.square || a.index - b.index);
    const edges = neighbors
      .slice(0, k)
      .map(({ index }) => (points[index] as Float64Array).map((value, j) => value - (x[j] as number)));
    gradient.fill(0);
    gradientOf(edges, gradient);
    for (let j = 0; j < x.length; j++) x[j] = (x[j] as number) - eta * (gradient[j] as number);
  }
  return x;
}

/** The paper's equation, pair by pair: O(k²d). */
const pairwise: Gradient = (edges, gradient) => {
  for (let a = 0; a < edges.length - 1; a++) {
    for (let b = a + 1; b < edges.length; b++) {
      const [ea, eb] = [edges[a] as Float64Array, edges[b] as Float64Array];
      let product = 0;
      let squareA = 0;
      let squareB = 0;
      for (let j = 0; j < ea.length; j++) {
        product += (ea[j] as number) * (eb[j] as number);
        squareA += (ea[j] as number) ** 2;
        squareB += (eb[j] as number) ** 2;
      }
      const lengths = Math.sqrt(squareA) * Math.sqrt(squareB);
      for (let j = 0; j < ea.length; j++) {
        const [va, vb] = [ea[j] as number, eb[j] as number];
        gradient[j] = (gradient[j] as number) + (-(va + vb) + product * (va / squareA + vb / squareB)) / lengths;
      }
    }
  }
};

/** −Σ (S − (u_a·S) u_a)/r_a: O(kd). */
const summed: Gradient = (edges, gradient) => {
  const sum = new Float64Array(gradient.length);
  const lengths = edges.map((edge) => Math.sqrt(edge.reduce((square, value) => square + value * value, 0)));
  for (const [a, edge] of edges.entries()) {
    for (let j = 0; j < sum.length; j++) sum[j] = (sum[j] as number) + (edge[j] as number) / (lengths[a] as number);
  }
  for (const [a, edge] of edges.entries()) {
    const length = lengths[a] as number;
    let projection = 0;
    for (let j = 0; j < sum.length; j++) projection += ((edge[j] as number) / length) * (sum[j] as number);
    for (let j = 0; j < sum.length; j++) {
      const across = (sum[j] as number) - (projection * (edge[j] as number)) / length;
      gradient[j] = (gradient[j] as number) - across / length;
    }
  }
};

function rowsOf({ data, rows, columns }: Data): Float64Array[] {
  return Array.from({ length: rows }, (_, i) => Float64Array.from(data.subarray(i * columns, (i + 1) * columns)));
}

interface Case {
  readonly name: string;
  readonly points: readonly Float64Array[];
  readonly start: Float64Array;
  readonly k: number;
  readonly eta: number;
  /** Where curvad is after so many steps. */
  readonly walk: (iterations: number) => Float64Array;
}

function imageCase(): Case {
  const pixels = { ...gaussianData(99, 560) };
  const points = rowsOf(pixels).map((row) => row.map((value) => Math.round(128 + 40 * value)));
  const start = (points[50] as Float64Array).map((value, j) => value + 25 * Math.sin(j * j));
  const eta = 1000;
  const walk = (iterations: number) =>
    denoise(points, start, { step: eta, snapshots: [iterations] })[0]?.image as Float64Array;
  return { name: 'd = 560, k = 3, 99 frames', points, start, k: 3, eta, walk };
}

function planeCase(): Case {
  const all = rowsOf(gaussianData(330, 2));
  const cad = new CAD({ precision: 'double', contamination: 1 / 11 }).fit(all);
  const points = all.filter((_, i) => cad.labels[i] === 0);
  const start = Float64Array.of(4, 3);
  const eta = 0.001; // the paper's
  const walk = (iterations: number) =>
    anomalyPath(cad, start, { step: eta, stop: 'never', maxIterations: iterations, every: iterations }).points.at(
      -1,
    ) as Float64Array;
  return { name: `d = 2, k = 10, n = ${points.length}`, points, start, k: 10, eta, walk };
}

function measure({ name, points, start, k, eta, walk }: Case): string[] {
  const loop = (gradientOf: Gradient) => straightforwardPath({ points, start, k, eta, count: SAMPLE }, gradientOf);
  const there = walk(SAMPLE);
  const off = Math.hypot(...loop(pairwise).map((value, j) => value - (there[j] as number)));
  loop(summed);
  walk(ITERATIONS);
  const best = { ours: Infinity, pairwise: Infinity, summed: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    best.ours = Math.min(
      best.ours,
      seconds(() => walk(ITERATIONS)),
    );
    best.pairwise = Math.min(best.pairwise, (seconds(() => loop(pairwise)) * ITERATIONS) / SAMPLE);
    best.summed = Math.min(best.summed, (seconds(() => loop(summed)) * ITERATIONS) / SAMPLE);
  }
  return [
    name,
    milliseconds(best.ours),
    milliseconds(best.pairwise),
    milliseconds(best.summed),
    against(best.pairwise / best.ours, 20),
    (best.summed / best.ours).toFixed(1),
    off.toExponential(1),
  ];
}

console.log(
  `Node ${process.versions.node}, ${defaultBackend()}, one thread, best of ${ROUNDS}; ${ITERATIONS} iterations\n`,
);
printTable([
  ['path', 'curvad', 'pairwise loop', 'O(kd) loop', 'pairwise/curvad', 'O(kd)/curvad', `apart after ${SAMPLE}`],
  measure(imageCase()),
  measure(planeCase()),
]);

const cad = new CAD().fit(gaussianData(1000, 2));
let best = Infinity;
for (let round = 0; round < 4 * ROUNDS; round++)
  best = Math.min(
    best,
    seconds(() => landscape(cad, { resolution: 400 })),
  );
console.log(
  `\nlandscape of 400 × 400 over 1000 points, k = 10: ${milliseconds(best)} ${best < 0.1 ? '✓' : '✗'} (< 100 ms)`,
);
