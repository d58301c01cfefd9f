// What the module exports: the hot loops, for points stored as f32 or as f64.
import { curvature, gradient, sharpness } from './curvature';
import { isAbsolute } from './estimates';
import { SearchCall } from './search-call';
import { kernelCurvature } from './gram';
import {
  isByKernel,
  scanKernelBlocks,
  packKernelPoints,
  packKernelQueries,
  sortKernelNeighbors,
} from './kernel-search';
import { scaleBoxes } from './near-panels';
import { measureCandidates } from './exact-distances';
import { findKthDistances } from './kth-distance';
import { queryPlaces, queryPoints } from './points';
import {
  clearCandidates,
  Collecting,
  SelfJoining,
  findScale,
  Measuring,
  packOwnQueries,
  packPoints,
  packQueries,
  verifyCandidates,
  listOpenNeighbors,
  scanBlocks,
  computeQueryNorms,
} from './search';
import { addRows } from './smo';
import { Magnitudes, Squares } from './sums';
import { SvmCall } from './svm-call';
import { measureWidth, projectPoints } from './projection';
import { boundNodes, packLeaves } from './tree-boxes';
import { halve, orderPlaces } from './tree-order';
import { searchPlaces, searchTree } from './tree-search';
import { listReached, measureListed, packPlace, packWindow } from './window';

/** Whether points are stored as f32, not as f64. */
function isSingle(call: SearchCall): bool {
  return call.bytes == 4;
}

/** Points are measured block by block, and then packed, block by block again and in order. */
function findScaleBy(call: SearchCall, from: u32, to: u32): void {
  if (isByKernel(call)) return;
  if (isSingle(call)) findScale<f32>(call, from, to);
  else findScale<f64>(call, from, to);
}

function packPointsOf<T>(call: SearchCall, from: u32, to: u32): void {
  if (!isByKernel(call)) packPoints<T>(call, from, to);
  else packKernelPoints<T>(call, from, to);
}

function packPointsBy(call: SearchCall, from: u32, to: u32): void {
  if (isSingle(call)) packPointsOf<f32>(call, from, to);
  else packPointsOf<f64>(call, from, to);
}

/** The first two steps to a tree of the points. */
function measureWidthBy(call: SearchCall, from: u32, to: u32): void {
  if (isSingle(call)) measureWidth<f32>(call, from, to);
  else measureWidth<f64>(call, from, to);
}

function projectPointsBy(call: SearchCall, from: u32, to: u32): void {
  if (isSingle(call)) projectPoints<f32>(call, from, to);
  else projectPoints<f64>(call, from, to);
}

/** Makes the points in places from `firstQuery` on queries of a tree. */
function queryPlacesBy(call: SearchCall): void {
  if (isSingle(call)) queryPlaces<f32>(call);
  else queryPlaces<f64>(call);
  if (call.panels != 0) computeQueryNorms(call);
}

/** Finds neighbours in a tree: those of points in places, or of other queries. */
function searchPlacesBy(call: SearchCall): void {
  if (isAbsolute(call)) {
    if (isSingle(call)) searchPlaces<f32, Magnitudes>(call);
    else searchPlaces<f64, Magnitudes>(call);
  } else if (isSingle(call)) searchPlaces<f32, Squares>(call);
  else searchPlaces<f64, Squares>(call);
}

function searchTreeBy(call: SearchCall): void {
  if (isAbsolute(call)) {
    if (isSingle(call)) searchTree<f32, Magnitudes>(call);
    else searchTree<f64, Magnitudes>(call);
  } else if (isSingle(call)) searchTree<f32, Squares>(call);
  else searchTree<f64, Squares>(call);
}

/** Makes points queries that can be measured. */
function queryPointsBy(call: SearchCall, first: u32): void {
  if (isSingle(call)) queryPoints<f32>(call, first);
  else queryPoints<f64>(call, first);
  if (!isByKernel(call)) computeQueryNorms(call);
}

function packQueriesBy(call: SearchCall): void {
  if (!isByKernel(call)) packQueries(call);
  else packKernelQueries(call);
}

/** The first pass for queries that are points, and for the points they are taken over. */
export function selfJoin(call: SearchCall, from: u32, to: u32): void {
  scanBlocks<SelfJoining>(call, from, to);
}

/** The first pass, which sees no rows, or all of it for kernel distances. */
export function collect(call: SearchCall, from: u32, to: u32): void {
  if (!isByKernel(call)) scanBlocks<Collecting>(call, from, to);
  else if (isSingle(call)) scanKernelBlocks<f32>(call, from, to);
  else scanKernelBlocks<f64>(call, from, to);
}

function measureCandidatesBy(call: SearchCall): void {
  if (!isByKernel(call)) measureCandidates(call);
}

/** Ends the first pass; returns how many queries need the second. */
function verifyCandidatesBy(call: SearchCall): u32 {
  if (!isByKernel(call)) return verifyCandidates(call);
  sortKernelNeighbors(call);
  return 0;
}

/** The second pass, for the queries still open. */
export function measure(call: SearchCall, from: u32, to: u32): void {
  scanBlocks<Measuring>(call, from, to);
}

function curvatureBy(call: SearchCall): void {
  if (isSingle(call)) curvature<f32>(call);
  else curvature<f64>(call);
}

function sharpnessBy(call: SearchCall): void {
  if (isSingle(call)) sharpness<f32>(call);
  else sharpness<f64>(call);
}

function kernelCurvatureBy(call: SearchCall): void {
  if (isSingle(call)) kernelCurvature<f32>(call);
  else kernelCurvature<f64>(call);
}

function gradientBy(call: SearchCall): void {
  if (isSingle(call)) gradient<f32>(call);
  else gradient<f64>(call);
}

/** Returns 0 where all must be packed anew. */
function packPlaceBy(call: SearchCall, place: u32): u32 {
  return <u32>packPlace(call, place);
}

export {
  packPlaceBy as packPlace,
  packWindow,
  measureListed,
  listReached,
  findScaleBy as findScale,
  packPointsBy as packPoints,
  queryPointsBy as queryPoints,
  packQueriesBy as packQueries,
  packOwnQueries,
  measureWidthBy as measureWidth,
  projectPointsBy as projectPoints,
  halve,
  orderPlaces,
  packLeaves,
  boundNodes,
  scaleBoxes,
  queryPlacesBy as queryPlaces,
  searchPlacesBy as searchPlaces,
  searchTreeBy as searchTree,
  measureCandidatesBy as measureCandidates,
  verifyCandidatesBy as verifyCandidates,
  findKthDistances,
  clearCandidates,
  listOpenNeighbors,
  curvatureBy as curvature,
  kernelCurvatureBy as kernelCurvature,
  gradientBy as gradient,
  sharpnessBy as sharpness,
};

/** Adds the support vectors in places from … to − 1, eight at a time. */
export function sumKernelRows(call: SvmCall, from: u32, to: u32): void {
  for (let place = from; place < to; place += 8) addRows(call, place);
}

export { growTree, orderKeys, plantTree, sumPaths } from './forest';
export { prepareDiagonal, sumKernels } from './kernel-panels';
export { countUpTo, kthSmallest, listBetween } from './selection';
export { addScatter, factorMatrix, invertFactor, measureRows, sumRows } from './mahalanobis';
export { listAll, scoreCells } from './grid-cells';
export { walkUntil } from './walk';
export { iterateSmo, keepSupport, startSmo, touchSupport } from './smo';
