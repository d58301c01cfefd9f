// The CAD score s = Σ_{a<b} u_a·u_b over the unit edges u_a from a query to its neighbours, and its
// gradient. With S = Σ u_a over the m edges that are not zero, ‖S‖² = m + 2s, hence
//   s = (‖S‖² − m)/2   and   ∇s = −Σ_a (S − (u_a·S) u_a)/r_a:   O(kd) instead of O(k²d).
import { Frame } from './frame';
import { pointRow, queryRow } from './points';
import { Products, sumVectors } from './sums';
import { add, lanes, loadVector, loadWide, multiply, splat, storeVector, subtract } from './vector';

/** Fills S (in the frame's edges) for one query and returns m. */
function sumUnitEdges<T, V>(frame: Frame, query: u32): u32 {
  const columns: usize = frame.columns;
  const width: usize = lanes<f64, V>();
  const whole = columns - (columns % width);
  const sum = frame.edges;
  memory.fill(sum, 0, columns * 8);
  const row = queryRow(frame, query);
  let edges: u32 = 0;
  for (let a: usize = 0; a < frame.neighbors; a++) {
    const slot = <usize>query * frame.slots + a;
    const square = load<f64>(frame.distances + slot * 8);
    if (square == 0) continue;
    edges++;
    const inverse = 1 / sqrt(square);
    const point = pointRow<T>(frame, load<u32>(frame.indices + slot * 4));
    const inverses = splat<f64, V>(inverse);
    for (let j: usize = 0; j < whole; j += width) {
      const edge = subtract<f64, V>(loadWide<T, V>(point + j * sizeof<T>()), loadVector<f64, V>(row + j * 8));
      const before = loadVector<f64, V>(sum + j * 8);
      storeVector<f64, V>(sum + j * 8, add<f64, V>(before, multiply<f64, V>(edge, inverses)));
    }
    for (let j = whole; j < columns; j++) {
      const edge = (load<T>(point + j * sizeof<T>()) as f64) - load<f64>(row + j * 8);
      store<f64>(sum + j * 8, load<f64>(sum + j * 8) + edge * inverse);
    }
  }
  return edges;
}

/** The score of every query, from its neighbours and their squared distances. */
export function curvature<T, V>(frame: Frame): void {
  for (let query: u32 = 0; query < frame.queries; query++) {
    const edges = sumUnitEdges<T, V>(frame, query);
    const square = sumVectors<f64, V, Products>(frame.edges, frame.edges, frame.columns);
    store<f64>(frame.scores + query * 8, (square - <f64>edges) * 0.5);
  }
}

/** The gradient of the score at every query. */
export function gradient<T, V>(frame: Frame): void {
  const columns: usize = frame.columns;
  const sum = frame.edges;
  for (let query: u32 = 0; query < frame.queries; query++) {
    sumUnitEdges<T, V>(frame, query);
    const row = queryRow(frame, query);
    const result = frame.gradients + <usize>query * columns * 8;
    memory.fill(result, 0, columns * 8);
    for (let a: usize = 0; a < frame.neighbors; a++) {
      const slot = <usize>query * frame.slots + a;
      const square = load<f64>(frame.distances + slot * 8);
      if (square == 0) continue;
      const inverse = 1 / sqrt(square);
      const point = pointRow<T>(frame, load<u32>(frame.indices + slot * 4));
      let projection: f64 = 0; // u_a·S
      for (let j: usize = 0; j < columns; j++) {
        const edge = (load<T>(point + j * sizeof<T>()) as f64) - load<f64>(row + j * 8);
        projection += edge * inverse * load<f64>(sum + j * 8);
      }
      for (let j: usize = 0; j < columns; j++) {
        const edge = (load<T>(point + j * sizeof<T>()) as f64) - load<f64>(row + j * 8);
        const across = load<f64>(sum + j * 8) - projection * (edge * inverse);
        store<f64>(result + j * 8, load<f64>(result + j * 8) - across * inverse);
      }
    }
  }
}
