// The CAD score and its gradient. With S = Σ u_a over the m unit edges u_a that are not zero,
//   s = (‖S‖² − m)/2   and   ∇s = −Σ_a (S − (u_a·S) u_a)/r_a.
import { innerProduct, squaredDistance } from './sums.js';

type Vector = Float32Array | Float64Array;

interface UnitEdges {
  /** u_a of every neighbour that is not the vertex itself. */
  edges: Array<{ unit: Float64Array; inverseLength: number }>;
  /** S = Σ u_a. */
  sum: Float64Array;
}

function unitEdges(vertex: Vector, neighbors: readonly Vector[]): UnitEdges {
  const sum = new Float64Array(vertex.length);
  const edges = [];
  for (const neighbor of neighbors) {
    const square = squaredDistance(vertex, neighbor);
    if (square === 0) continue;
    const inverseLength = 1 / Math.sqrt(square);
    const unit = Float64Array.from(vertex, (value, j) => ((neighbor[j] as number) - value) * inverseLength);
    for (let j = 0; j < sum.length; j++) sum[j] = (sum[j] as number) + (unit[j] as number);
    edges.push({ unit, inverseLength });
  }
  return { edges, sum };
}

/** Fills S, and returns how many edges are not zero. */
function sumUnitEdges(vertex: Vector, neighbors: readonly Vector[], sum: Float64Array): number {
  let edges = 0;
  for (const neighbor of neighbors) {
    const square = squaredDistance(vertex, neighbor);
    if (square === 0) continue;
    const inverseLength = 1 / Math.sqrt(square);
    for (let j = 0; j < sum.length; j++) {
      sum[j] = (sum[j] as number) + ((neighbor[j] as number) - (vertex[j] as number)) * inverseLength;
    }
    edges++;
  }
  return edges;
}

/** s = Σ_{a<b} u_a·u_b, in its O(kd) form. */
export function curvature(vertex: Vector, neighbors: readonly Vector[]): number {
  const sum = new Float64Array(vertex.length);
  const edges = sumUnitEdges(vertex, neighbors, sum);
  return (innerProduct(sum, sum) - edges) / 2;
}

/** ‖S‖/m, from 0 (flat) to 1; 0 where there are no edges. */
export function sharpness(vertex: Vector, neighbors: readonly Vector[]): number {
  const sum = new Float64Array(vertex.length);
  const edges = sumUnitEdges(vertex, neighbors, sum);
  return edges === 0 ? 0 : Math.sqrt(innerProduct(sum, sum)) / edges;
}

/** ∇s, in its O(kd) form. */
export function gradient(vertex: Vector, neighbors: readonly Vector[]): Float64Array {
  const { edges, sum } = unitEdges(vertex, neighbors);
  const result = new Float64Array(vertex.length);
  for (const { unit, inverseLength } of edges) {
    const projection = innerProduct(unit, sum); // u_a·S
    for (let j = 0; j < sum.length; j++) {
      const across = (sum[j] as number) - projection * (unit[j] as number);
      result[j] = (result[j] as number) - across * inverseLength;
    }
  }
  return result;
}
