// A window over the last rows of a stream. Its places are a ring that is held twice, one copy behind the other, so that
// the rows of the window lie in the order in which they came, wherever the window begins: the search takes any stretch
// of them for points, and equal distances go to the row that came first. A row that has left the window is infinite:
// farther than any other, and its estimate below all others.
import { Frame } from './frame';
import { isAbsolute, productError } from './estimates';
import { gridSteps, measurePeaks, measureSquares, LINE, panelWord, quantize, quantizeToGrid, rowScale, rowWords, settleGrid, settleNorms } from './panels';
import { looseSquare, pointRow, rowPeak } from './points';
import { Magnitudes, Squares, sumVectors } from './sums';

/** How much larger than the rows of now those to come may be before all are packed anew. */
const HEADROOM: f64 = 2;

function hasLeft<T>(frame: Frame, index: u32): bool {
  return <f64>load<T>(pointRow<T>(frame, index)) == Infinity;
}

/** Makes a row one that has left. */
export function leaveWindow<T>(frame: Frame, index: u32): void {
  const row = pointRow<T>(frame, index);
  for (let column: usize = 0; column < frame.columns; column++) store<T>(row + column * sizeof<T>(), <T>Infinity);
  hide(frame, index);
}

function hide(frame: Frame, index: u32): void {
  const end = rowWords(frame);
  let word = panelWord(frame, index);
  for (let i: u32 = 0; i < end; i++, word += LINE) store<u32>(word, 0);
  store<f32>(frame.weights + <usize>index * 4, 0);
  store<f32>(frame.constants + <usize>index * 4, -3e38);
}

/** Puts the first query in a place; false where it is too large for the panels, which then must be made anew. */
export function enterWindow<T>(frame: Frame, index: u32): bool {
  const row = pointRow<T>(frame, index);
  for (let column: usize = 0; column < frame.columns; column++) {
    store<T>(row + column * sizeof<T>(), load<f64>(frame.rows + column * 8) as T);
  }
  return packOne<T>(frame, index);
}

/** As panels.ts packs rows, for one. */
function packOne<T>(frame: Frame, index: u32): bool {
  const row = pointRow<T>(frame, index), word = panelWord(frame, index);
  let weight: f64 = -1, constant: f64 = 0, fits: bool;
  if (isAbsolute(frame)) {
    fits = rowPeak<T>(row, frame.columns) <= frame.unit * gridSteps(frame);
    quantizeToGrid<T>(frame, row, word, LINE);
  } else {
    const norm = sqrt(looseSquare<T>(row, frame.columns)) / frame.unit;
    fits = norm <= 1;
    const scale = norm > 1e-20 ? rowScale(norm) : 0;
    quantize<T>(row, frame.columns, scale / frame.unit, word, LINE);
    weight = scale > 0 ? 1 / scale : 0;
    constant = norm * norm * (productError(frame) - 0.5);
  }
  store<f32>(frame.weights + <usize>index * 4, weight as f32);
  store<f32>(frame.constants + <usize>index * 4, constant as f32);
  return fits;
}

/** Packs all rows of a ring of so many places, with a unit for those there are now, and copies it. */
export function packWindow<T>(frame: Frame, places: u32): void {
  const absolute = isAbsolute(frame);
  frame.unit = 0;
  for (let index: u32 = 0; index < places; index++) {
    if (hasLeft<T>(frame, index)) continue;
    if (absolute) measurePeaks<T>(frame, index, index + 1);
    else measureSquares<T>(frame, index, index + 1);
  }
  if (absolute) settleGrid(frame);
  else settleNorms(frame);
  frame.unit *= HEADROOM;
  for (let index: u32 = 0; index < places; index++) {
    if (hasLeft<T>(frame, index)) hide(frame, index);
    else packOne<T>(frame, index);
  }
  const count = <usize>places;
  copyBehind(frame.points, count * frame.columns * sizeof<T>());
  copyBehind(frame.panels, count * rowWords(frame) * 4);
  copyBehind(frame.weights, count * 4);
  copyBehind(frame.constants, count * 4);
}

function copyBehind(from: usize, bytes: usize): void {
  memory.copy(from + bytes, from, bytes);
}

/** Distances (squared for L2) from the first query to all points. */
export function measureWindow<T>(frame: Frame, distances: usize): void {
  const columns = frame.columns, size = columns * sizeof<T>();
  const absolute = isAbsolute(frame);
  let point = frame.points;
  for (const end = distances + <usize>frame.count * 8; distances < end; distances += 8, point += size) {
    store<f64>(
      distances,
      absolute ? sumVectors<T, Magnitudes>(frame.rows, point, columns) : sumVectors<T, Squares>(frame.rows, point, columns),
    );
  }
}
