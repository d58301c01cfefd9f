// The box tree: what it is, where its parts lie, and what its numbers may be off by.
//
// Points are looked at along a few axes, those in which they are widest: orthogonal directions for L2, columns for L1.
// Where the axes are fewer than the columns, one more number says how long the rest of a point is. These numbers are
// f32, relative to `unit`, and taken from a centre. Along them points are put in such an order that 16 that follow each
// other lie close together (a panel), 16 panels, too, and so on: a box around the points of each is a node of a tree.
// Sixteen children lie side by side, so that a query is compared with all of their boxes at once:
//
//   leaves   per panel: axis 0 of 16 points | axis 1 of 16 points | … | length of the rest of 16 points
//   boxes    per 16 children: lower ends on axis 0 | upper ends on axis 0 | lower ends on axis 1 | …
//   leasts   per 16 children: the least index of a point in each
//
// There are no pointers: the children of node g of a level are nodes 16g … 16g + 15 of the level below.
//
// What is left out must be farther than the k-th neighbour, rounding included. Let q and p be a query and a point,
// taken from the centre, Q and P their numbers here, r the distance of q to its k-th neighbour so far, and u = 2⁻²⁴.
//
// 1. Exact arithmetic with orthogonal axes: |Q − P| ≤ |q − p|, with equality where no columns are left over. For the
//    rest of two points it is the (reverse) triangle inequality. The axes are orthogonal up to SKEW, which is checked:
//    |Q − P| ≤ (1 + SKEW)|q − p|.
// 2. The numbers are rounded to f32, which moves a point by at most u|p|; sums over d columns in f64 move it by at most
//    √w d 2⁻⁵³|p|. The rest comes from a difference of squares that is off by at most ((d + 4)2⁻⁵² + 2 SKEW)|p|², which
//    moves its root by no more than the root of that. `precisionOf` is the sum of these, ε: | |Q − P| − … | ≤ ε(|q| + |p|).
//    And |p| ≤ |q| + r for all points that matter.
// 3. A sum of w squares of differences in f32 has w + 2 roundings one upon the other: it is off by a factor of at most
//    1 ± (w + 3)u; a sum of magnitudes by less. Lower and upper ends of boxes are numbers of points, and rounding keeps
//    the order of numbers, so a box is never farther than what is in it. Underflow makes squares smaller, or larger by
//    less than the 10⁻³⁷ that is added.
// 4. Distances that results are made of are sums in f64: they, too, are off by a factor of 1 ± (d + 3)2⁻⁵³, and where
//    squares underflow by less than 10⁻¹⁶⁰.
//
// 5. A query whose numbers are too large for f32 is moved to the border of a cube around all points: by that it comes no
//    farther from any of them.
//
// So a point whose distance here exceeds ((1 + SKEW + ε + …)r + 2ε|q|)²(1 + (w + 6)2u) is no neighbour. Numbers are at
// most 2⁴⁹ units, and w is small, so that no sum overflows.
import { PANEL_WIDTH } from './contract';
import { isAbsolute } from './estimates';
import { SearchCall } from './search-call';

/** How far from orthogonal the axes may be. */
export const SKEW: f64 = 1.0 / 8796093022208; // 2⁻⁴³

/** Numbers of a point in the tree. */
export function treeWidth(call: SearchCall): u32 {
  return call.axisCount + <u32>(call.axisCount < call.columns);
}

/** Nodes of a level: level 0 are the panels. */
export function nodeCount(call: SearchCall, level: u32): u32 {
  return <u32>((<u64>call.count + ((<u64>1) << (4 * level + 4)) - 1) >> (4 * level + 4));
}

/** Where the boxes of the children of a group are: groups are counted through all levels. */
export function boxesOf(call: SearchCall, group: u32): usize {
  return call.boxes + <usize>group * treeWidth(call) * 128;
}

export function leastsOf(call: SearchCall, group: u32): usize {
  return call.leasts + <usize>group * (PANEL_WIDTH * 4);
}

/** ε of the proof above. */
export function precisionOf(call: SearchCall): f64 {
  const columns = <f64>call.columns,
    width = <f64>treeWidth(call);
  const ulp: f64 = 1.0 / 4503599627370496; // 2⁻⁵²
  let precision = 1.01 / 16777216 + sqrt(width) * columns * ulp;
  if (call.axisCount < call.columns && !isAbsolute(call)) precision += sqrt((columns + 4) * ulp + 2 * SKEW);
  return precision;
}
