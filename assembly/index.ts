// What the module exports: the hot loops, for points stored as f32 or as f64.
import { curvature, gradient, sharpness } from './curvature';
import { Frame } from './frame';
import { kernelCurvature } from './gram';
import { isByKernel, kernelSweep, packKernelPoints, packKernelQueries, sortKernelNeighbors } from './kernel-search';
import { measureCandidates } from './measuring';
import { queryPoints } from './points';
import {
  clearCandidates, Collecting, Joining, measurePoints, Measuring, packOwnQueries, packPoints, packQueries, settle, settleOpen,
  sweep, takeNorms,
} from './search';
import { addRows } from './smo';
import { SvmFrame } from './svm-frame';
import { halve, searchTree } from './tree';
import { measureListed, packPlace, packWindow } from './window';

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

/** The first pass for queries that are points, and for the points they are taken over. */
export function join(frame: Frame, from: u32, to: u32): void {
  sweep<Joining>(frame, from, to);
}

/** The first pass, which sees no rows, or all of it for kernel distances. */
export function collect(frame: Frame, from: u32, to: u32): void {
  if (!isByKernel(frame)) sweep<Collecting>(frame, from, to);
  else if (isSingle(frame)) kernelSweep<f32>(frame, from, to);
  else kernelSweep<f64>(frame, from, to);
}

function measureCandidatesBy(frame: Frame): void {
  if (!isByKernel(frame)) measureCandidates(frame);
}

/** Ends the first pass; returns how many queries need the second. */
function settleBy(frame: Frame): u32 {
  if (!isByKernel(frame)) return settle(frame);
  sortKernelNeighbors(frame);
  return 0;
}

/** The second pass, for the queries still open. */
export function measure(frame: Frame, from: u32, to: u32): void {
  sweep<Measuring>(frame, from, to);
}

function curvatureBy(frame: Frame): void {
  if (isSingle(frame)) curvature<f32>(frame);
  else curvature<f64>(frame);
}

function sharpnessBy(frame: Frame): void {
  if (isSingle(frame)) sharpness<f32>(frame);
  else sharpness<f64>(frame);
}

function kernelCurvatureBy(frame: Frame): void {
  if (isSingle(frame)) kernelCurvature<f32>(frame);
  else kernelCurvature<f64>(frame);
}

function gradientBy(frame: Frame): void {
  if (isSingle(frame)) gradient<f32>(frame);
  else gradient<f64>(frame);
}

/** Returns 0 where all must be packed anew. */
function packPlaceBy(frame: Frame, place: u32): u32 {
  return <u32>packPlace(frame, place);
}

export {
  packPlaceBy as packPlace, packWindow, measureListed,
  measurePointsBy as measurePoints, packPointsBy as packPoints,
  queryPointsBy as queryPoints, packQueriesBy as packQueries, packOwnQueries,
  halveBy as halve, searchTree,
  measureCandidatesBy as measureCandidates, settleBy as settle, clearCandidates, settleOpen,
  curvatureBy as curvature, kernelCurvatureBy as kernelCurvature, gradientBy as gradient,
  sharpnessBy as sharpness,
};

/** Adds the support vectors in places from … to − 1, eight at a time. */
export function sumKernelRows(frame: SvmFrame, from: u32, to: u32): void {
  for (let place = from; place < to; place += 8) addRows(frame, place);
}

export { growTree, orderKeys, plantTree, sumPaths } from './forest';
export { prepareDiagonal, sumKernels } from './kernel-panels';
export { addScatter, factorMatrix, invertFactor, measureRows, sumRows } from './mahalanobis';
export { scoreNearby } from './nearby';
export { walkUntil } from './path';
export { iterateSmo, keepSupport, startSmo, touchSupport } from './smo';
