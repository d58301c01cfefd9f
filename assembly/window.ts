// A window over the last rows of a stream. Its places are a ring that is held twice, one copy behind the other, so that
// the rows of the window lie in the order in which they came, wherever the window begins: the search takes any stretch
// of them for points, and equal distances go to the row that came first. A row that has left the window is infinite:
// farther than any other, and its estimate below all others.
import { isAbsolute, productError } from './estimates';
import { Frame } from './frame';
import { measureSome } from './measuring';
import { gridSteps, LINE, panelWord, quantize, quantizeToGrid, rowScale, rowWords, settleGrid, settleNorms } from './panels';
import { looseSquare, queryPoints, queryRow, rowPeak } from './points';

/** How much larger than the rows of now those to come may be before all are packed anew. */
const HEADROOM: f64 = 2;

/** Packs the first query as the row in a place; false where it is too large for the unit, and all must be packed anew. */
export function packPlace(frame: Frame, place: u32): bool {
  const row = queryRow(frame, 0), word = panelWord(frame, place);
  let weight: f64 = 0, constant: f64 = -3e38, fits = true;
  if (load<f64>(row) == Infinity) {
    quantize<f64>(row, frame.columns, 0, word, LINE);
  } else if (isAbsolute(frame)) {
    fits = rowPeak<f64>(row, frame.columns) <= frame.unit * gridSteps(frame);
    quantizeToGrid<f64>(frame, row, word, LINE);
    weight = -1;
    constant = 0;
  } else {
    const norm = sqrt(looseSquare<f64>(row, frame.columns)) / frame.unit;
    fits = norm <= 1;
    const scale = norm > 1e-20 ? rowScale(norm) : 0;
    quantize<f64>(row, frame.columns, scale / frame.unit, word, LINE);
    if (scale > 0) weight = 1 / scale;
    constant = norm * norm * (productError(frame) - 0.5);
  }
  store<f32>(frame.weights + <usize>place * 4, weight as f32);
  store<f32>(frame.constants + <usize>place * 4, constant as f32);
  return fits;
}

/** Makes the row in a place the first query. */
function queryPlace(frame: Frame, place: u32): void {
  if (frame.bytes == 4) queryPoints<f32>(frame, place);
  else queryPoints<f64>(frame, place);
}

/** Packs all rows of a ring of so many places, with a unit for those there are now, and copies it. */
export function packWindow(frame: Frame, places: u32): void {
  const row = queryRow(frame, 0), absolute = isAbsolute(frame);
  let largest: f64 = 0;
  for (let place: u32 = 0; place < places; place++) {
    queryPlace(frame, place);
    if (load<f64>(row) == Infinity) continue;
    largest = max(largest, absolute ? rowPeak<f64>(row, frame.columns) : looseSquare<f64>(row, frame.columns));
  }
  frame.unit = largest;
  if (absolute) settleGrid(frame);
  else settleNorms(frame);
  frame.unit *= HEADROOM;
  for (let place: u32 = 0; place < places; place++) {
    queryPlace(frame, place);
    packPlace(frame, place);
  }
  copyBehind(frame.points, places * frame.columns * frame.bytes);
  copyBehind(frame.panels, places * rowWords(frame) * 4);
  copyBehind(frame.weights, places * 4);
  copyBehind(frame.constants, places * 4);
}

function copyBehind(from: usize, bytes: usize): void {
  memory.copy(from + bytes, from, bytes);
}

/** Distances (squared for L2) from the first query to the points that are listed: to all, where that is all of them. */
export function measureListed(frame: Frame, indices: usize, distances: usize): void {
  measureSome(frame, 0, indices, frame.count, distances);
}
