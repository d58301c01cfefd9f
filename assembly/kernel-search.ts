// k nearest neighbours by kernel distance D² = k(q,q) − 2k(q,p) + k(p,p), for polynomial, sigmoid and
// cosine. The terms reach 1e15 on unscaled data and cancel, so inner products are summed in f64,
// unfused and in column order, and every pair is measured: nothing here is an estimate.
import { SearchCall } from './search-call';
import { clearHeap, isWanted, push, sortHeap } from './heap';
import { Kernel } from './contract';
import { ofProduct } from './kernels';
import { pointRow, queryRow, rowSquare } from './points';
import { lanes, loadWide } from './vector';

/** Whether distances are those of the kernel, and not L2 or L1. */
export function isByKernel(call: SearchCall): bool {
  return call.kernel == Kernel.POLYNOMIAL || call.kernel == Kernel.SIGMOID || call.kernel == Kernel.COSINE;
}

/** Bytes of one column of one panel. */
const LINE_BYTES: usize = 64;

/** Points in one panel: one cache line a column, as in panels.ts but of T, one column at a time. */
function panelWidth<T>(): u32 {
  return (LINE_BYTES / sizeof<T>()) as u32;
}

function panelCount<T>(call: SearchCall): u32 {
  return (call.count + panelWidth<T>() - 1) / panelWidth<T>();
}

/** k(x,x) from x·x; for cosine the norm, from which k(x,x) is 1, or 0 for the zero vector. */
function selfKernel(call: SearchCall, square: f64): f64 {
  if (call.kernel == Kernel.COSINE) return sqrt(square);
  return ofProduct(call.kernel, call.gamma, call.coef0, call.degree, square);
}

/** D² from q·p and what selfKernel gave for q and p, at least 0. */
function kernelDistance(call: SearchCall, product: f64, selfQuery: f64, selfPoint: f64): f64 {
  let cross: f64;
  if (call.kernel == Kernel.COSINE) {
    cross = selfQuery == 0 || selfPoint == 0 ? 0 : product / (selfQuery * selfPoint);
    selfQuery = selfQuery == 0 ? 0 : 1;
    selfPoint = selfPoint == 0 ? 0 : 1;
  } else {
    cross = ofProduct(call.kernel, call.gamma, call.coef0, call.degree, product);
  }
  const distance = selfQuery - 2 * cross + selfPoint;
  if (distance <= 0) return 0;
  return distance < Infinity ? distance : Infinity; // also where overflow left no number
}

/** Fills the panels and k(p,p) for points from … to − 1, where the first begins a panel. */
export function packKernelPoints<T>(call: SearchCall, from: u32, to: u32): void {
  const width = panelWidth<T>();
  const panelSize = <usize>call.columns * LINE_BYTES;
  memory.fill(
    call.panels + <usize>(from / width) * panelSize,
    0,
    <usize>((to + width - 1) / width - from / width) * panelSize,
  );
  for (let index = from; index < to; index++) {
    const row = pointRow<T>(call, index);
    const panel = call.panels + <usize>(index / width) * call.columns * LINE_BYTES;
    const to = panel + <usize>(index % width) * sizeof<T>();
    for (let column: usize = 0; column < call.columns; column++) {
      store<T>(to + column * LINE_BYTES, load<T>(row + column * sizeof<T>()));
    }
    store<f64>(call.diagonal + <usize>index * 8, selfKernel(call, rowSquare<T>(row, call.columns)));
  }
}

/** Empties the heaps, packs the queries in pairs of f64 and fills k(q,q). */
export function packKernelQueries(call: SearchCall): void {
  const columns: usize = call.columns;
  for (let query: u32 = 0; query < call.queries; query++) {
    const row = queryRow(call, query);
    const to = call.pairs + (<usize>(query >> 1) * columns * 2 + (query & 1)) * 8;
    let square: f64 = 0;
    for (let column: usize = 0; column < columns; column++) {
      const value = load<f64>(row + column * 8);
      square += value * value;
      store<f64>(to + column * 16, value);
    }
    store<f64>(call.norms + query * 8, selfKernel(call, square));
    clearHeap(call, query);
  }
}

/** Keeps those points whose inner products were just stored that get in. */
function keepWanted(call: SearchCall, query: u32, first: u32, count: u32, products: usize): void {
  if (query >= call.queries) return;
  const self = load<u32>(call.selves + query * 4);
  const selfQuery = load<f64>(call.norms + query * 8);
  const end = min(first + count, call.count);
  const k = call.neighbors;
  for (let index = first; index < end; index++) {
    if (index == self) continue;
    const product = load<f64>(products + (index - first) * 8);
    const selfPoint = load<f64>(call.diagonal + <usize>index * 8);
    const distance = kernelDistance(call, product, selfQuery, selfPoint);
    if (isWanted(call, query, k, distance, index)) push(call, query, k, distance, index);
  }
}

/** As scanBlocks in search.ts: all queries over blocks from … to − 1. */
export function scanKernelBlocks<T>(call: SearchCall, from: u32, to: u32): void {
  const panels = panelCount<T>(call);
  const pairs = (call.queries + 1) >> 1;
  for (let turn = from; turn < to; turn++) {
    const block = <u32>((<u64>turn * call.blockStep) % call.blocks);
    const first = block * call.blockPanels;
    const end = min(first + call.blockPanels, panels);
    for (let pair: u32 = 0; pair < pairs; pair++) {
      for (let panel = first; panel < end; panel++) kernelTiles<T>(call, pair, panel);
    }
  }
}

/** One pair of queries against one panel, four registers of f64 points at a time. */
function kernelTiles<T>(call: SearchCall, pair: u32, panel: u32): void {
  const register: usize = sizeof<v128>();
  const count = lanes<f64>() * 4; // points a tile
  const step: usize = (register / 8) * sizeof<T>(); // bytes of a line under one register
  const columns: usize = call.columns;
  const firstQuery = call.pairs + <usize>pair * columns * 16;
  const endQuery = firstQuery + columns * 16;
  const products = call.scratch;
  for (let offset: usize = 0; offset < LINE_BYTES; offset += 4 * step) {
    let points = call.panels + <usize>panel * columns * LINE_BYTES + offset;
    let a0 = f64x2.splat(0),
      a1 = a0,
      a2 = a0,
      a3 = a0,
      b0 = a0,
      b1 = a0,
      b2 = a0,
      b3 = a0;
    for (let query = firstQuery; query < endQuery; query += 16) {
      const qa = v128.load64_splat(query),
        qb = v128.load64_splat(query + 8);
      const p0 = loadWide<T>(points),
        p1 = loadWide<T>(points + step);
      const p2 = loadWide<T>(points + 2 * step),
        p3 = loadWide<T>(points + 3 * step);
      a0 = f64x2.add(a0, f64x2.mul(qa, p0));
      a1 = f64x2.add(a1, f64x2.mul(qa, p1));
      a2 = f64x2.add(a2, f64x2.mul(qa, p2));
      a3 = f64x2.add(a3, f64x2.mul(qa, p3));
      b0 = f64x2.add(b0, f64x2.mul(qb, p0));
      b1 = f64x2.add(b1, f64x2.mul(qb, p1));
      b2 = f64x2.add(b2, f64x2.mul(qb, p2));
      b3 = f64x2.add(b3, f64x2.mul(qb, p3));
      points += LINE_BYTES;
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
    keepWanted(call, 2 * pair, index, count, products);
    keepWanted(call, 2 * pair + 1, index, count, products + 4 * register);
  }
}

/** Lists the neighbours of every query. */
export function sortKernelNeighbors(call: SearchCall): void {
  for (let query: u32 = 0; query < call.queries; query++) sortHeap(call, query);
}
