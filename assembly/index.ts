// What the module exports: the hot loops, in the registers of a build, for points stored as f32 or as f64.
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
  clearCandidates, Collecting, Joining, measurePoints, Measuring, packOwnQueries, packPoints, packQueries, settle, settleOpen,
  sweep, takeNorms,
} from './search';
import { prepareDiagonal, sumKernels as sumKernelsOf } from './kernel-panels';
import { addRows, iterateSmo, keepSupport, startSmo, touchSupport } from './smo';
import { SvmFrame } from './svm-frame';
import { halve, searchTree } from './tree';

/** The first or second pass of a search, in the registers of this build. */
function sweepBy<Pass>(frame: Frame, from: u32, to: u32): void {
  if (ASC_FEATURE_SIMD) sweep<v128, v128, v128, Pass>(frame, from, to);
  else sweep<f64, i32, f32, Pass>(frame, from, to);
}

/** Whether points are stored as f32, not as f64. */
function isSingle(frame: Frame): bool {
  return frame.bytes == 4;
}

/** Points are measured block by block, and then packed, block by block again and in order. */
function measurePointsBy(frame: Frame, from: u32, to: u32): void {
  if (isByKernel(frame)) return;
  if (isSingle(frame)) measurePoints<f32>(frame, from, to);
  else measurePoints<f64>(frame, from, to);
}

function packPointsOf<T>(frame: Frame, from: u32, to: u32): void {
  if (!isByKernel(frame)) packPoints<T>(frame, from, to);
  else packKernelPoints<T>(frame, from, to);
}

function packPointsBy(frame: Frame, from: u32, to: u32): void {
  if (isSingle(frame)) packPointsOf<f32>(frame, from, to);
  else packPointsOf<f64>(frame, from, to);
}

/** Makes a tree of the points, range by range. */
function halveBy(frame: Frame, from: u32, to: u32, most: u32): void {
  if (isSingle(frame)) halve<f32>(frame, from, to, most);
  else halve<f64>(frame, from, to, most);
}

function searchTreeBy(frame: Frame): void {
  if (ASC_FEATURE_SIMD) searchTree<v128>(frame);
  else searchTree<f64>(frame);
}

/** Makes points queries that can be measured. */
function queryPointsBy(frame: Frame, first: u32): void {
  if (isSingle(frame)) queryPoints<f32>(frame, first);
  else queryPoints<f64>(frame, first);
  if (!isByKernel(frame)) takeNorms(frame);
}

function packQueriesBy(frame: Frame): void {
  if (!isByKernel(frame)) packQueries(frame);
  else packKernelQueries(frame);
}

/** The first pass for queries that are points, and for the points they are taken over. Not without registers. */
export function join(frame: Frame, from: u32, to: u32): void {
  if (ASC_FEATURE_SIMD) sweepBy<Joining>(frame, from, to);
}

function kernelSweepOf<T>(frame: Frame, from: u32, to: u32): void {
  if (ASC_FEATURE_SIMD) kernelSweep<T, v128>(frame, from, to);
  else kernelSweep<T, f64>(frame, from, to);
}

/** The first pass, which sees no rows, or all of it for kernel distances. */
export function collect(frame: Frame, from: u32, to: u32): void {
  if (!isByKernel(frame)) sweepBy<Collecting>(frame, from, to);
  else if (isSingle(frame)) kernelSweepOf<f32>(frame, from, to);
  else kernelSweepOf<f64>(frame, from, to);
}

function measureCandidatesBy(frame: Frame): void {
  if (isByKernel(frame)) return;
  if (ASC_FEATURE_SIMD) measureCandidates<v128, v128>(frame);
  else measureCandidates<f64, i32>(frame);
}

/** Ends the first pass; returns how many queries need the second. */
function settleBy(frame: Frame): u32 {
  if (!isByKernel(frame)) return settle(frame);
  sortKernelNeighbors(frame);
  return 0;
}

/** The second pass, for the queries still open. */
export function measure(frame: Frame, from: u32, to: u32): void {
  sweepBy<Measuring>(frame, from, to);
}

function curvatureOf<V>(frame: Frame): void {
  if (isSingle(frame)) curvature<f32, V>(frame);
  else curvature<f64, V>(frame);
}

function curvatureBy(frame: Frame): void {
  if (ASC_FEATURE_SIMD) curvatureOf<v128>(frame);
  else curvatureOf<f64>(frame);
}

function kernelCurvatureOf<V>(frame: Frame): void {
  if (isSingle(frame)) kernelCurvature<f32, V>(frame);
  else kernelCurvature<f64, V>(frame);
}

function kernelCurvatureBy(frame: Frame): void {
  if (ASC_FEATURE_SIMD) kernelCurvatureOf<v128>(frame);
  else kernelCurvatureOf<f64>(frame);
}

function gradientOf<V>(frame: Frame): void {
  if (isSingle(frame)) gradient<f32, V>(frame);
  else gradient<f64, V>(frame);
}

function gradientBy(frame: Frame): void {
  if (ASC_FEATURE_SIMD) gradientOf<v128>(frame);
  else gradientOf<f64>(frame);
}

export {
  measurePointsBy as measurePoints, packPointsBy as packPoints,
  queryPointsBy as queryPoints, packQueriesBy as packQueries, packOwnQueries,
  halveBy as halve, searchTreeBy as searchTree,
  measureCandidatesBy as measureCandidates, settleBy as settle, clearCandidates, settleOpen,
  curvatureBy as curvature, kernelCurvatureBy as kernelCurvature, gradientBy as gradient,
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
