// Points once more, for the search only: as 16-bit integers, two columns in one 32-bit word, 16 points
// in a panel, one cache line for two columns. A register then holds the same two columns of four points,
// one instruction multiplies and adds eight numbers, and no sum runs across a register:
//
//   panel 0:  columns 0, 1: p0 p1 … p15 | columns 2, 3: p0 p1 … p15 | … | columns d−2, d−1
//   panel 1:  columns 0, 1: p16 … p31   | …
//
// What rounding to integers may cost is bounded in estimates.ts. Missing points of the last panel, and the
// missing column of an odd number, are zero.
import { PANEL_WIDTH } from './contract';
import { SearchCall } from './search-call';
import { pointIn, pointRow, rowPeak, looseSquare } from './points';

/** Bytes of one line of a panel. */
export const LINE_BYTES: usize = 64;

/** Steps of the L1 grid from zero to the largest magnitude: differences must fit 16 bits. */
const GRID_STEPS: f64 = 16383;

/** Words a row takes. */
export function rowWords(call: SearchCall): u32 {
  return (call.columns + 1) >> 1;
}

export function panelCount(call: SearchCall): u32 {
  return (call.count + PANEL_WIDTH - 1) / PANEL_WIDTH;
}

/** Beside so large a number there are no fractions, and its last bits are the integer. */
const ROUNDING_SHIFT: f64 = 6755399441055744;

/** Rounds a row of T, times a scale that leaves 16 bits, to integers; words lie `stride` bytes apart. */
export function quantize<T>(row: usize, columns: u32, scale: f64, to: usize, stride: usize): void {
  const end = row + <usize>(columns & ~1) * sizeof<T>();
  for (; row < end; row += 2 * sizeof<T>(), to += stride) {
    const even = reinterpret<i64>((load<T>(row) as f64) * scale + ROUNDING_SHIFT) as u32;
    const odd = reinterpret<i64>((load<T>(row + sizeof<T>()) as f64) * scale + ROUNDING_SHIFT) as u32;
    store<u32>(to, (even & 0xffff) | (odd << 16));
  }
  if (columns & 1) store<u32>(to, (<u32>reinterpret<i64>((load<T>(row) as f64) * scale + ROUNDING_SHIFT)) & 0xffff);
}

/**
 * The scale that makes a row as large as its integers may be: no number beyond 16 bits, and so that by
 * Cauchy-Schwarz no inner product of two such rows, nor any part of it, leaves 32 bits.
 */
export function rowScale(norm: f64): f64 {
  return 32767 / norm;
}

/** For L2: takes the norms of points from … to − 1 into account: `unit` is the largest square so far. */
export function findLargestSquare<T>(call: SearchCall, from: u32, to: u32): void {
  for (let index = from; index < to; index++) {
    call.unit = max(call.unit, looseSquare<T>(pointRow<T>(call, index), call.columns));
  }
}

/** For L1, the magnitudes: `unit` is the largest so far. */
export function findLargestMagnitude<T>(call: SearchCall, from: u32, to: u32): void {
  for (let index = from; index < to; index++) {
    call.unit = max(call.unit, rowPeak<T>(pointRow<T>(call, index), call.columns));
  }
}

/** Makes `unit` what it is to be, when all points were measured. */
export function finalizeNormScale(call: SearchCall): void {
  // Smaller squares have lost digits: such points count as zero here, and all are measured.
  call.unit = call.unit > 1e-280 ? sqrt(call.unit) : 1;
}

/** Steps of the grid that are used: a sum over columns must fit 32 bits. */
export function gridSteps(call: SearchCall): f64 {
  return GRID_STEPS * min(1, 65536 / <f64>call.columns);
}

export function finalizeGridScale(call: SearchCall): void {
  call.unit = max(call.unit / gridSteps(call), 1e-290); // so that its inverse is finite
}

/** For L2: every row by its own scale, 1/scale as its weight and −|p|²/2 as its constant (see estimates.ts). */
export function packForSquares<T>(call: SearchCall, from: u32, to: u32, error: f64): void {
  clearPanels(call, from, to);
  for (let index = from; index < to; index++) {
    const row = pointRow<T>(call, pointIn(call, index));
    const norm = sqrt(looseSquare<T>(row, call.columns)) / call.unit;
    let weight: f64 = 0;
    if (norm > 1e-20) {
      const scale = rowScale(norm);
      quantize<T>(row, call.columns, scale / call.unit, panelWord(call, index), LINE_BYTES);
      weight = 1 / scale;
    }
    store<f32>(call.weights + <usize>index * 4, weight as f32);
    store<f32>(call.constants + <usize>index * 4, (norm * norm * (error - 0.5)) as f32);
  }
  hideMissingPoints(call);
}

/** For L1: all rows on one grid, as differences are taken between them. */
export function packForMagnitudes<T>(call: SearchCall, from: u32, to: u32): void {
  clearPanels(call, from, to);
  for (let index = from; index < to; index++) {
    quantizeToGrid<T>(call, pointRow<T>(call, pointIn(call, index)), panelWord(call, index), LINE_BYTES);
    store<f32>(call.weights + <usize>index * 4, -1);
    store<f32>(call.constants + <usize>index * 4, 0);
  }
  hideMissingPoints(call);
}

/** Clears the panels of points from … to − 1, where the first begins a panel. */
function clearPanels(call: SearchCall, from: u32, to: u32): void {
  const panelSize = <usize>rowWords(call) * LINE_BYTES;
  memory.fill(
    call.panels + <usize>(from / PANEL_WIDTH) * panelSize,
    0,
    <usize>((to + PANEL_WIDTH - 1) / PANEL_WIDTH - from / PANEL_WIDTH) * panelSize,
  );
}

/** Gives the missing points of the last panel an estimate below all others. */
function hideMissingPoints(call: SearchCall): void {
  for (let index = call.count; index < panelCount(call) * PANEL_WIDTH; index++) {
    store<f32>(call.weights + <usize>index * 4, 0);
    store<f32>(call.constants + <usize>index * 4, -3e38);
  }
}

/** Rounds a row to the L1 grid; what lies outside moves to its edge, which makes no distance larger. */
export function quantizeToGrid<T>(call: SearchCall, row: usize, to: usize, stride: usize): void {
  const columns = call.columns,
    scale = 1 / call.unit;
  for (let column: u32 = 0; column < columns; column++) {
    const value = (load<T>(row + <usize>column * sizeof<T>()) as f64) * scale;
    const word = to + <usize>(column >> 1) * stride + (column & 1) * 2;
    store<i16>(word, reinterpret<i64>(max(-GRID_STEPS, min(GRID_STEPS, value)) + ROUNDING_SHIFT) as i16);
  }
  if (columns & 1) store<i16>(to + <usize>(columns >> 1) * stride + 2, 0);
}

/** Where the first word of a point is; the next follow every LINE_BYTES bytes. */
export function panelWord(call: SearchCall, index: u32): usize {
  return call.panels + <usize>(index / PANEL_WIDTH) * rowWords(call) * LINE_BYTES + <usize>(index % PANEL_WIDTH) * 4;
}
