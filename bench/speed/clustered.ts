// Rows like those of the cover type data, made from a seed: clusters of very different size and shape, flat in some
// directions, in broad regions, and a few rows that belong to none. They are drawn one after the other from one and the
// same distribution, so that the first n rows of more are the n rows that are made alone.
//
//   regions    7, centres N(0, 3² I)
//   clusters   210, centres N(centre of the region, I), weights 1, 1/2, 1/3, …
//   a row      centre + Σ wᵢ zᵢ aᵢ + 0.01 z: 4 random directions aᵢ with widths wᵢ from 0.5 down by halves, each times a
//              factor from 1/2 to 2, z normal
//   strays     one row in 1,000: uniform in ±10 in each column

import type { Data } from './support.js';

const REGIONS = 7;
const CLUSTERS = 210;
const DIRECTIONS = 4;
const WIDEST = 0.5;
const NOISE = 0.01;
const STRAYS = 0.001;
const REACH = 10;

/** Rows of clusters, in single precision as data platforms hand them over. */
export function clusteredData(rows: number, columns = 8, seed = 1): Data {
  const data = new Float32Array(rows * columns);
  const nextRow = clusteredRows(columns, seed);
  for (let at = 0; at < data.length; at += columns) nextRow(data, at);
  return { data, rows, columns };
}

/** What writes one row after the other into an array. */
export function clusteredRows(columns: number, seed: number): (into: Float32Array | Float64Array, at: number) => void {
  const uniform = uniformNumbers(seed);
  const normal = normalNumbers(uniform);
  const vector = (width: number): number[] => Array.from({ length: columns }, () => width * normal());
  const regions = Array.from({ length: REGIONS }, () => vector(3));
  const centres: number[] = [];
  const directions: number[] = [];
  const chances: number[] = [];
  for (let c = 0; c < CLUSTERS; c++) {
    const region = regions[c % REGIONS] as number[];
    centres.push(...vector(1).map((value, j) => value + (region[j] as number)));
    for (let i = 0; i < DIRECTIONS; i++) {
      const direction = vector(1);
      const width = (WIDEST / 2 ** i) * 2 ** (2 * uniform() - 1);
      directions.push(...direction.map((value) => (width * value) / Math.hypot(...direction)));
    }
    chances.push((chances[c - 1] ?? 0) + 1 / (c + 1));
  }
  const all = chances[CLUSTERS - 1] as number;
  return (into, at) => {
    if (uniform() < STRAYS) {
      for (let j = 0; j < columns; j++) into[at + j] = REACH * (2 * uniform() - 1);
      return;
    }
    const chance = all * uniform();
    let cluster = 0;
    while ((chances[cluster] as number) < chance) cluster++;
    for (let j = 0; j < columns; j++) into[at + j] = (centres[cluster * columns + j] as number) + NOISE * normal();
    for (let i = 0; i < DIRECTIONS; i++) {
      const along = normal();
      const from = (cluster * DIRECTIONS + i) * columns;
      for (let j = 0; j < columns; j++)
        into[at + j] = (into[at + j] as number) + along * (directions[from + j] as number);
    }
  };
}

/** mulberry32: numbers from 0 to 1. */
export function uniformNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Pairs of normal numbers, by the polar method. */
function normalNumbers(uniform: () => number): () => number {
  let spare = Number.NaN;
  return () => {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * factor;
      return x * factor;
    }
  };
}
