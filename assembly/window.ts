// A window over the last rows of a stream. Its places are a ring that is held twice, one copy behind the other, so that
// the rows of the window lie in the order in which they came, wherever the window begins: the search takes any stretch
// of them for points, and equal distances go to the row that came first. A row that has left the window is infinite:
// farther than any other, and its estimate below all others.
import { MAX_BLOCK_PANELS } from './contract';
import { estimateAt, isAbsolute, productError, scaleOf } from './estimates';
import { SearchCall } from './search-call';
import { measureSome } from './exact-distances';
import {
  gridSteps,
  LINE_BYTES,
  panelCount,
  panelWord,
  quantize,
  quantizeToGrid,
  rowScale,
  rowWords,
  finalizeGridScale,
  finalizeNormScale,
} from './panels';
import { looseSquare, queryPoints, queryRow, rowPeak } from './points';
import { Magnitudes, Products } from './sums';
import { bitsOf, OneSide, scanPair } from './tiles';
import { narrowMasks } from './vector';

/** How much larger than the rows of now those to come may be before all are packed anew. */
const HEADROOM: f64 = 2;

/** Packs the first query as the row in a place; false where it is too large for the unit, and all must be packed anew. */
export function packPlace(call: SearchCall, place: u32): bool {
  const row = queryRow(call, 0),
    word = panelWord(call, place);
  let weight: f64 = 0,
    constant: f64 = -3e38,
    fits = true;
  if (load<f64>(row) == Infinity) {
    quantize<f64>(row, call.columns, 0, word, LINE_BYTES);
  } else if (isAbsolute(call)) {
    fits = rowPeak<f64>(row, call.columns) <= call.unit * gridSteps(call);
    quantizeToGrid<f64>(call, row, word, LINE_BYTES);
    weight = -1;
    constant = 0;
  } else {
    const norm = sqrt(looseSquare<f64>(row, call.columns)) / call.unit;
    fits = norm <= 1;
    const scale = norm > 1e-20 ? rowScale(norm) : 0;
    quantize<f64>(row, call.columns, scale / call.unit, word, LINE_BYTES);
    if (scale > 0) weight = 1 / scale;
    constant = norm * norm * (productError(call) - 0.5);
  }
  store<f32>(call.weights + <usize>place * 4, weight as f32);
  store<f32>(call.constants + <usize>place * 4, constant as f32);
  return fits;
}

/** Makes the row in a place the first query. */
function queryPlace(call: SearchCall, place: u32): void {
  if (call.bytes == 4) queryPoints<f32>(call, place);
  else queryPoints<f64>(call, place);
}

/** Packs all rows of a ring of so many places, with a unit for those there are now, and copies it. */
export function packWindow(call: SearchCall, places: u32): void {
  const row = queryRow(call, 0),
    absolute = isAbsolute(call);
  let largest: f64 = 0;
  for (let place: u32 = 0; place < places; place++) {
    queryPlace(call, place);
    if (load<f64>(row) == Infinity) continue;
    largest = max(largest, absolute ? rowPeak<f64>(row, call.columns) : looseSquare<f64>(row, call.columns));
  }
  call.unit = largest;
  if (absolute) finalizeGridScale(call);
  else finalizeNormScale(call);
  call.unit *= HEADROOM;
  for (let place: u32 = 0; place < places; place++) {
    queryPlace(call, place);
    packPlace(call, place);
  }
  copyBehind(call.points, places * call.columns * call.bytes);
  copyBehind(call.panels, places * rowWords(call) * 4);
  copyBehind(call.weights, places * 4);
  copyBehind(call.constants, places * 4);
}

function copyBehind(from: usize, bytes: usize): void {
  memory.copy(from + bytes, from, bytes);
}

/** Distances (squared for L2) from the first query to the points that are listed: to all, where that is all of them. */
export function measureListed(call: SearchCall, indices: usize, distances: usize): void {
  measureSome(call, 0, indices, call.count, distances);
}

/** What rounding to f32 may cost a bound. */
const BOUND_ERROR: f32 = 2e-6;

/**
 * Lists the points that have the first query within their reach, and perhaps some that have it little beyond. A reach is
 * what its (squared) distance takes from an estimate: see estimateAt.
 */
export function listReached(call: SearchCall, reaches: usize, indices: usize): u32 {
  const panels = panelCount(call),
    from = indices,
    scale = scaleOf(call, 0),
    bound = estimateAt(call, 0, 0) * scale;
  const bounds = f32x4.splat(bound - abs(bound) * BOUND_ERROR),
    scales = f32x4.splat(scale);
  for (let first: u32 = 0; first < panels; first += MAX_BLOCK_PANELS) {
    const end = min(first + MAX_BLOCK_PANELS, panels);
    estimateAll(call, first, end);
    let estimates = call.estimates;
    for (let panel = first; panel < end; panel++, estimates += 128, reaches += LINE_BYTES) {
      let mask = narrowMasks(
        isReached(estimates, reaches, bounds, scales),
        isReached(estimates + 16, reaches + 16, bounds, scales),
        isReached(estimates + 32, reaches + 32, bounds, scales),
        isReached(estimates + 48, reaches + 48, bounds, scales),
      );
      for (; mask != 0; mask &= mask - 1, indices += 4) store<u32>(indices, panel * 16 + <u32>ctz(mask));
    }
  }
  return <u32>((indices - from) >> 2);
}

function isReached(estimates: usize, reaches: usize, bounds: v128, scales: v128): v128 {
  return f32x4.gt(v128.load(estimates), f32x4.sub(bounds, f32x4.mul(scales, v128.load(reaches))));
}

/** Estimates of some panels for the first query, and for one that is not there. */
function estimateAll(call: SearchCall, first: u32, end: u32): void {
  call.firstPanel = first;
  call.panelBits = bitsOf(end - first);
  call.word = 0;
  call.depth = rowWords(call);
  if (isAbsolute(call)) scanPair<Magnitudes, OneSide>(call, 0, 0, 0, true);
  else scanPair<Products, OneSide>(call, 0, 0, 0, true);
}
