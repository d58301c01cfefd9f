// What the module exports: each hot loop for points stored as f32 and as f64.
import { curvature, gradient } from './curvature';
import { Frame } from './frame';
import { kernelCurvature } from './gram';
import { isByKernel, kernelSweep, packKernelPoints, packKernelQueries, sortKernelNeighbors } from './kernel-search';
import { addScatter, factorMatrix, invertFactor, measureRows, sumRows } from './mahalanobis';
import { measureCandidates } from './measuring';
import { Nearby, scoreNearby as scoreNearbyBy } from './nearby';
import { Walk, walkUntil as walkUntilBy } from './path';
import { queryPoints } from './points';
import {
  clearCandidates, clearNeighbors, Collecting, Joining, measurePoints, Measuring, packOwnQueries, packPoints, packQueries, settle, settleOpen,
  sweep, takeNorms,
} from './search';
import { prepareDiagonal, sumKernels as sumKernelsOf } from './kernel-panels';
import { addRows, iterateSmo, keepSupport, startSmo, touchSupport } from './smo';
import { SvmFrame } from './svm-frame';

/** The first or second pass of a search, in the registers of this build. */
function sweepBy<T, Pass>(frame: Frame, from: u32, to: u32): void {
  if (ASC_FEATURE_SIMD) sweep<T, v128, v128, v128, Pass>(frame, from, to);
  else sweep<T, f64, i32, f32, Pass>(frame, from, to);
}

/** Points are measured block by block, and then packed, block by block again and in order. */
export function measurePoints32(frame: Frame, from: u32, to: u32): void {
  if (!isByKernel(frame)) measurePoints<f32>(frame, from, to);
}

export function measurePoints64(frame: Frame, from: u32, to: u32): void {
  if (!isByKernel(frame)) measurePoints<f64>(frame, from, to);
}

function packPointsBy<T>(frame: Frame, from: u32, to: u32): void {
  if (!isByKernel(frame)) packPoints<T>(frame, from, to);
  else packKernelPoints<T>(frame, from, to);
}

export function packPoints32(frame: Frame, from: u32, to: u32): void {
  packPointsBy<f32>(frame, from, to);
}

export function packPoints64(frame: Frame, from: u32, to: u32): void {
  packPointsBy<f64>(frame, from, to);
}

export function queryPoints32(frame: Frame, first: u32): void {
  queryPoints<f32>(frame, first);
}

export function queryPoints64(frame: Frame, first: u32): void {
  queryPoints<f64>(frame, first);
}

function packQueriesBy(frame: Frame): void {
  if (!isByKernel(frame)) packQueries(frame);
  else packKernelQueries(frame);
}

/** The first pass for queries that are points, and for the points they are taken over. */
export function join(frame: Frame, from: u32, to: u32): void {
  sweepBy<f32, Joining>(frame, from, to);
}

/** The first pass, which sees no rows and so is the same for both precisions, or all of it for kernel distances. */
function collect<T>(frame: Frame, from: u32, to: u32): void {
  if (!isByKernel(frame)) sweepBy<f32, Collecting>(frame, from, to);
  else if (ASC_FEATURE_SIMD) kernelSweep<T, v128>(frame, from, to);
  else kernelSweep<T, f64>(frame, from, to);
}

export function collect32(frame: Frame, from: u32, to: u32): void {
  collect<f32>(frame, from, to);
}

export function collect64(frame: Frame, from: u32, to: u32): void {
  collect<f64>(frame, from, to);
}

function measureCandidatesBy<T>(frame: Frame): void {
  if (isByKernel(frame)) return;
  if (ASC_FEATURE_SIMD) measureCandidates<T, v128, v128>(frame);
  else measureCandidates<T, f64, i32>(frame);
}

export function measureCandidates32(frame: Frame): void {
  measureCandidatesBy<f32>(frame);
}

export function measureCandidates64(frame: Frame): void {
  measureCandidatesBy<f64>(frame);
}

/** Ends the first pass; returns how many queries need the second. */
function settleBy(frame: Frame): u32 {
  if (!isByKernel(frame)) return settle(frame);
  sortKernelNeighbors(frame);
  return 0;
}

/** The second pass, for the queries still open. */
function measure<T>(frame: Frame, from: u32, to: u32): void {
  sweepBy<T, Measuring>(frame, from, to);
}

export function measure32(frame: Frame, from: u32, to: u32): void {
  measure<f32>(frame, from, to);
}

export function measure64(frame: Frame, from: u32, to: u32): void {
  measure<f64>(frame, from, to);
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

export {
  packQueriesBy as packQueries, packOwnQueries, takeNorms,
  settleBy as settle, clearCandidates, clearNeighbors, settleOpen,
};

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
