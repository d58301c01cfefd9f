// What the module exports: each hot loop for points stored as f32 and as f64.
import { curvature, gradient } from './curvature';
import { Frame } from './frame';
import { kernelCurvature } from './gram';
import { kernelSweep, prepareKernelPoints, prepareKernelQueries, sortKernelNeighbors } from './kernel-search';
import { addScatter, factorMatrix, invertFactor, measureRows, sumRows } from './mahalanobis';
import { Nearby, scoreNearby as scoreNearbyBy } from './nearby';
import { Walk, walkUntil as walkUntilBy } from './path';
import { queryPoints } from './points';
import { Collecting, Measuring, preparePoints, prepareQueries, settle, settleOpen, sweep } from './search';
import { Magnitudes, Products } from './sums';
import { prepareDiagonal, sumKernels as sumKernelsOf } from './kernel-panels';
import { addRows, iterateSmo, keepSupport, startSmo, touchSupport } from './smo';
import { SvmFrame } from './svm-frame';

/** How distance is defined; src/core/wasm/points.ts numbers them alike. */
const SQUARED: u32 = 0;
const ABSOLUTE: u32 = 1;

/** The first or second pass of a search, in the registers of this build. */
function sweepBy<T, Term, Pass>(frame: Frame, from: u32, to: u32): void {
  if (ASC_FEATURE_SIMD) sweep<T, v128, v128, v128, Term, Pass>(frame, from, to);
  else sweep<T, f64, i32, f32, Term, Pass>(frame, from, to);
}

function prepareBy<T>(frame: Frame, distance: u32): void {
  if (distance == SQUARED) preparePoints<T, Products>(frame);
  else if (distance == ABSOLUTE) preparePoints<T, Magnitudes>(frame);
  else prepareKernelPoints<T>(frame);
}

export function preparePoints32(frame: Frame, distance: u32): void {
  prepareBy<f32>(frame, distance);
}

export function preparePoints64(frame: Frame, distance: u32): void {
  prepareBy<f64>(frame, distance);
}

export function queryPoints32(frame: Frame, first: u32): void {
  queryPoints<f32>(frame, first);
}

export function queryPoints64(frame: Frame, first: u32): void {
  queryPoints<f64>(frame, first);
}

function prepareQueriesBy(frame: Frame, distance: u32): void {
  if (distance == SQUARED) prepareQueries<Products>(frame);
  else if (distance == ABSOLUTE) prepareQueries<Magnitudes>(frame);
  else prepareKernelQueries(frame);
}

/** The first pass, or all of it for kernel distances. */
function collect<T>(frame: Frame, distance: u32, from: u32, to: u32): void {
  if (distance == SQUARED) sweepBy<T, Products, Collecting>(frame, from, to);
  else if (distance == ABSOLUTE) sweepBy<T, Magnitudes, Collecting>(frame, from, to);
  else if (ASC_FEATURE_SIMD) kernelSweep<T, v128>(frame, from, to);
  else kernelSweep<T, f64>(frame, from, to);
}

export function collect32(frame: Frame, distance: u32, from: u32, to: u32): void {
  collect<f32>(frame, distance, from, to);
}

export function collect64(frame: Frame, distance: u32, from: u32, to: u32): void {
  collect<f64>(frame, distance, from, to);
}

/** Ends the first pass; returns how many queries need the second. */
function settleBy<T, V, I, E>(frame: Frame, distance: u32): u32 {
  if (distance == SQUARED) return settle<T, V, I, E, Products>(frame);
  if (distance == ABSOLUTE) return settle<T, V, I, E, Magnitudes>(frame);
  sortKernelNeighbors(frame);
  return 0;
}

export function settle32(frame: Frame, distance: u32): u32 {
  if (ASC_FEATURE_SIMD) return settleBy<f32, v128, v128, v128>(frame, distance);
  return settleBy<f32, f64, i32, f32>(frame, distance);
}

export function settle64(frame: Frame, distance: u32): u32 {
  if (ASC_FEATURE_SIMD) return settleBy<f64, v128, v128, v128>(frame, distance);
  return settleBy<f64, f64, i32, f32>(frame, distance);
}

/** The second pass, for the queries still open. */
function measure<T>(frame: Frame, distance: u32, from: u32, to: u32): void {
  if (distance == SQUARED) sweepBy<T, Products, Measuring>(frame, from, to);
  else sweepBy<T, Magnitudes, Measuring>(frame, from, to);
}

export function measure32(frame: Frame, distance: u32, from: u32, to: u32): void {
  measure<f32>(frame, distance, from, to);
}

export function measure64(frame: Frame, distance: u32, from: u32, to: u32): void {
  measure<f64>(frame, distance, from, to);
}

export function curvature32(frame: Frame): void {
  if (ASC_FEATURE_SIMD) curvature<f32, v128>(frame);
  else curvature<f32, f64>(frame);
}

export function curvature64(frame: Frame): void {
  if (ASC_FEATURE_SIMD) curvature<f64, v128>(frame);
  else curvature<f64, f64>(frame);
}

export function kernelCurvature32(frame: Frame): void {
  if (ASC_FEATURE_SIMD) kernelCurvature<f32, v128>(frame);
  else kernelCurvature<f32, f64>(frame);
}

export function kernelCurvature64(frame: Frame): void {
  if (ASC_FEATURE_SIMD) kernelCurvature<f64, v128>(frame);
  else kernelCurvature<f64, f64>(frame);
}

export function gradient32(frame: Frame): void {
  if (ASC_FEATURE_SIMD) gradient<f32, v128>(frame);
  else gradient<f32, f64>(frame);
}

export function gradient64(frame: Frame): void {
  if (ASC_FEATURE_SIMD) gradient<f64, v128>(frame);
  else gradient<f64, f64>(frame);
}

export { prepareQueriesBy as prepareQueries, settleOpen };

function sumRowsBy(rows: usize, indices: usize, count: u32, columns: u32, origin: usize, sums: usize): void {
  if (ASC_FEATURE_SIMD) sumRows<v128>(rows, indices, count, columns, origin, sums);
  else sumRows<f64>(rows, indices, count, columns, origin, sums);
}

function addScatterBy(
  rows: usize, indices: usize, count: u32, columns: u32, location: usize, block: usize, matrix: usize,
): void {
  if (ASC_FEATURE_SIMD) addScatter<v128>(rows, indices, count, columns, location, block, matrix);
  else addScatter<f64>(rows, indices, count, columns, location, block, matrix);
}

function measureRowsBy(
  rows: usize, indices: usize, count: u32, columns: u32, location: usize,
  whitening: usize, rank: u32, isTriangular: u32, group: usize, distances: usize,
): void {
  if (ASC_FEATURE_SIMD) {
    measureRows<v128>(rows, indices, count, columns, location, whitening, rank, isTriangular, group, distances);
  } else measureRows<f64>(rows, indices, count, columns, location, whitening, rank, isTriangular, group, distances);
}

function factorMatrixBy(matrix: usize, columns: u32, tolerance: f64, diagonal: usize): u32 {
  if (ASC_FEATURE_SIMD) return factorMatrix<v128>(matrix, columns, tolerance, diagonal);
  return factorMatrix<f64>(matrix, columns, tolerance, diagonal);
}

function invertFactorBy(matrix: usize, columns: u32, whitening: usize): void {
  if (ASC_FEATURE_SIMD) invertFactor<v128>(matrix, columns, whitening);
  else invertFactor<f64>(matrix, columns, whitening);
}

export {
  sumRowsBy as sumRows, addScatterBy as addScatter, measureRowsBy as measureRows,
  factorMatrixBy as factorMatrix, invertFactorBy as invertFactor,
};
export { growTree, orderKeys, plantTree, sumPaths } from './forest';
export function sumKernels(frame: SvmFrame, from: u32, to: u32): void {
  if (ASC_FEATURE_SIMD) sumKernelsOf<v128>(frame, from, to);
  else sumKernelsOf<f64>(frame, from, to);
}

/** Adds the support vectors in places from … to − 1, eight at a time. */
export function sumKernelRows(frame: SvmFrame, from: u32, to: u32): void {
  for (let place = from; place < to; place += 8) {
    if (ASC_FEATURE_SIMD) addRows<v128>(frame, place);
    else addRows<f64>(frame, place);
  }
}

export { iterateSmo, keepSupport, prepareDiagonal, startSmo, touchSupport };
/** Rows near the anchor of a list; see nearby.ts. */
export function scoreNearby(list: Nearby, rows: usize, count: u32, scores: usize, misses: usize): u32 {
  if (ASC_FEATURE_SIMD) return scoreNearbyBy<v128>(list, rows, count, scores, misses);
  return scoreNearbyBy<f64>(list, rows, count, scores, misses);
}

/** A walk on the score; see path.ts. */
export function walkUntil(walk: Walk, iteration: u32): u32 {
  if (ASC_FEATURE_SIMD) return walkUntilBy<v128>(walk, iteration);
  return walkUntilBy<f64>(walk, iteration);
}
