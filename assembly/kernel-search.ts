// k nearest neighbours by kernel distance D² = k(q,q) − 2k(q,p) + k(p,p), for polynomial, sigmoid and
// cosine. The terms reach 1e15 on unscaled data and cancel, so inner products are summed in f64,
// unfused and in column order, and every pair is measured: nothing here is an estimate.
import { Frame } from './frame';
import { clearHeap, isWanted, push, sortHeap } from './heap';
import { Kernel } from './contract';
import { ofProduct } from './kernels';
import { pointRow, queryRow, rowSquare } from './points';
import { lanes, loadWide } from './vector';

/** Whether distances are those of the kernel, and not L2 or L1. */
export function isByKernel(frame: Frame): bool {
  return frame.kernel == Kernel.POLYNOMIAL || frame.kernel == Kernel.SIGMOID || frame.kernel == Kernel.COSINE;
}

/** Bytes of one column of one panel. */
const LINE: usize = 64;

/** Points in one panel: one cache line a column, as in panels.ts but of T, one column at a time. */
function panelWidth<T>(): u32 {
  return (LINE / sizeof<T>()) as u32;
}

function panelCount<T>(frame: Frame): u32 {
  return (frame.count + panelWidth<T>() - 1) / panelWidth<T>();
}

/** k(x,x) from x·x; for cosine the norm, from which k(x,x) is 1, or 0 for the zero vector. */
function selfKernel(frame: Frame, square: f64): f64 {
  if (frame.kernel == Kernel.COSINE) return sqrt(square);
  return ofProduct(frame.kernel, frame.gamma, frame.coef0, frame.degree, square);
}

/** D² from q·p and what selfKernel gave for q and p, at least 0. */
function kernelDistance(frame: Frame, product: f64, selfQuery: f64, selfPoint: f64): f64 {
  let cross: f64;
  if (frame.kernel == Kernel.COSINE) {
    cross = selfQuery == 0 || selfPoint == 0 ? 0 : product / (selfQuery * selfPoint);
    selfQuery = selfQuery == 0 ? 0 : 1;
    selfPoint = selfPoint == 0 ? 0 : 1;
  } else {
    cross = ofProduct(frame.kernel, frame.gamma, frame.coef0, frame.degree, product);
  }
  const distance = selfQuery - 2 * cross + selfPoint;
  if (distance <= 0) return 0;
  return distance < Infinity ? distance : Infinity; // also where overflow left no number
}

/** Fills the panels and k(p,p) for points from … to − 1, where the first begins a panel. */
export function packKernelPoints<T>(frame: Frame, from: u32, to: u32): void {
  const width = panelWidth<T>();
  const panelSize = <usize>frame.columns * LINE;
  memory.fill(frame.panels + <usize>(from / width) * panelSize, 0, <usize>((to + width - 1) / width - from / width) * panelSize);
  for (let index = from; index < to; index++) {
    const row = pointRow<T>(frame, index);
    const panel = frame.panels + <usize>(index / width) * frame.columns * LINE;
    const to = panel + <usize>(index % width) * sizeof<T>();
    for (let column: usize = 0; column < frame.columns; column++) {
      store<T>(to + column * LINE, load<T>(row + column * sizeof<T>()));
    }
    store<f64>(frame.diagonal + <usize>index * 8, selfKernel(frame, rowSquare<T>(row, frame.columns)));
  }
}

/** Empties the heaps, packs the queries in pairs of f64 and fills k(q,q). */
export function packKernelQueries(frame: Frame): void {
  const columns: usize = frame.columns;
  for (let query: u32 = 0; query < frame.queries; query++) {
    const row = queryRow(frame, query);
    const to = frame.pairs + (<usize>(query >> 1) * columns * 2 + (query & 1)) * 8;
    let square: f64 = 0;
    for (let column: usize = 0; column < columns; column++) {
      const value = load<f64>(row + column * 8);
      square += value * value;
      store<f64>(to + column * 16, value);
    }
    store<f64>(frame.norms + query * 8, selfKernel(frame, square));
    clearHeap(frame, query);
  }
}

/** Keeps those points whose inner products were just stored that get in. */
function offerAll(frame: Frame, query: u32, first: u32, count: u32, products: usize): void {
  if (query >= frame.queries) return;
  const self = load<u32>(frame.selves + query * 4);
  const selfQuery = load<f64>(frame.norms + query * 8);
  const end = min(first + count, frame.count);
  const k = frame.neighbors;
  for (let index = first; index < end; index++) {
    if (index == self) continue;
    const product = load<f64>(products + (index - first) * 8);
    const selfPoint = load<f64>(frame.diagonal + <usize>index * 8);
    const distance = kernelDistance(frame, product, selfQuery, selfPoint);
    if (isWanted(frame, query, k, distance, index)) push(frame, query, k, distance, index);
  }
}

/** As sweep in search.ts: all queries over blocks from … to − 1. */
export function kernelSweep<T>(frame: Frame, from: u32, to: u32): void {
  const panels = panelCount<T>(frame);
  const pairs = (frame.queries + 1) >> 1;
  for (let visit = from; visit < to; visit++) {
    const block = <u32>((<u64>visit * frame.blockStep) % frame.blocks);
    const first = block * frame.blockPanels;
    const end = min(first + frame.blockPanels, panels);
    for (let pair: u32 = 0; pair < pairs; pair++) {
      for (let panel = first; panel < end; panel++) kernelTiles<T>(frame, pair, panel);
    }
  }
}

/** One pair of queries against one panel, four registers of f64 points at a time. */
function kernelTiles<T>(frame: Frame, pair: u32, panel: u32): void {
  const register: usize = sizeof<v128>();
  const count = lanes<f64>() * 4; // points a tile
  const step: usize = (register / 8) * sizeof<T>(); // bytes of a line under one register
  const columns: usize = frame.columns;
  const firstQuery = frame.pairs + <usize>pair * columns * 16;
  const endQuery = firstQuery + columns * 16;
  const products = frame.scratch;
  for (let offset: usize = 0; offset < LINE; offset += 4 * step) {
    let points = frame.panels + <usize>panel * columns * LINE + offset;
    let a0 = f64x2.splat(0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    for (let query = firstQuery; query < endQuery; query += 16) {
      const qa = v128.load64_splat(query), qb = v128.load64_splat(query + 8);
      const p0 = loadWide<T>(points), p1 = loadWide<T>(points + step);
      const p2 = loadWide<T>(points + 2 * step), p3 = loadWide<T>(points + 3 * step);
      a0 = f64x2.add(a0, f64x2.mul(qa, p0));
      a1 = f64x2.add(a1, f64x2.mul(qa, p1));
      a2 = f64x2.add(a2, f64x2.mul(qa, p2));
      a3 = f64x2.add(a3, f64x2.mul(qa, p3));
      b0 = f64x2.add(b0, f64x2.mul(qb, p0));
      b1 = f64x2.add(b1, f64x2.mul(qb, p1));
      b2 = f64x2.add(b2, f64x2.mul(qb, p2));
      b3 = f64x2.add(b3, f64x2.mul(qb, p3));
      points += LINE;
    }
    v128.store(products, a0);
    v128.store(products + register, a1);
    v128.store(products + 2 * register, a2);
    v128.store(products + 3 * register, a3);
    v128.store(products + 4 * register, b0);
    v128.store(products + 5 * register, b1);
    v128.store(products + 6 * register, b2);
    v128.store(products + 7 * register, b3);
    const index = panel * panelWidth<T>() + <u32>(offset / sizeof<T>());
    offerAll(frame, 2 * pair, index, count, products);
    offerAll(frame, 2 * pair + 1, index, count, products + 4 * register);
  }
}

/** Lists the neighbours of every query. */
export function sortKernelNeighbors(frame: Frame): void {
  for (let query: u32 = 0; query < frame.queries; query++) sortHeap(frame, query);
}
