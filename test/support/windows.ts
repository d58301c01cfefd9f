// A random stream with all that is awkward for a window, and windows over it compared with the definition: a fresh
// detector, fitted on the rows of the window, bit for bit.
import type { BackendName } from '../../src/core/backend.js';
import { Random } from './data.js';

/** A detector and a window, of the sources or as they are built. */
interface Refitted {
  fit(rows: { data: Float64Array; rows: number; columns: number }): unknown;
  score(rows: Float64Array[]): Float64Array;
}

interface Window {
  readonly isReady: boolean;
  rows(): Float64Array;
  score(rows: Float64Array[]): Float64Array;
  update(row: Float64Array): number;
  toBytes(): Uint8Array;
}

interface WindowClass<Detector> {
  new (detector: Detector, options: { window: number }): Window;
  load(bytes: Uint8Array): Window;
}

export interface WindowCase<Detector> {
  name: string;
  window: number;
  columns: number;
  updates: number;
  make(backend?: BackendName): Detector;
  /** Rows, instead of those of a stream with all that is awkward. */
  rows?(random: Random, t: number): number[];
}

export interface Comparing {
  readonly backend?: BackendName;
  readonly most?: number;
}

/** Drift, duplicates, whole numbers, constant stretches, and jumps of scale by a million. */
function stream(columns: number, seed: number): () => Float64Array {
  let state = seed >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const past: Float64Array[] = [];
  let t = 0;
  return () => {
    t++;
    const kind = Math.floor(t / 97) % 9;
    let row = Float64Array.from({ length: columns }, (_, j) => random() + random() + t / 900 + j);
    if (kind === 2) row = row.map((value) => Math.round(4 * value));
    if (kind === 4 && past.length > 0) row = (past.at(-1) as Float64Array).slice();
    if (kind === 6 && random() < 0.6) row = (past[Math.floor(random() * past.length)] as Float64Array).slice();
    // Not of a row that was one before: copies of copies would leave the range that windows take.
    const isJump = Math.floor(t / 97) % 23 === 11 && random() < 0.3 && Math.abs(row[0] as number) < 1e6;
    if (isJump) row = row.map((value) => value * 1e6);
    past.push(row);
    if (past.length > 200) past.shift();
    return row;
  };
}

function rowsOf(make: (random: Random, t: number) => number[], seed: number): () => Float64Array {
  const random = new Random(seed);
  let t = 0;
  return () => Float64Array.from(make(random, t++));
}

function bits(value: number): string {
  return new BigUint64Array(new Float64Array([value]).buffer).join();
}

function fresh(detector: Refitted, window: Window, row: Float64Array): number {
  const columns = row.length;
  const data = window.rows();
  detector.fit({ data, rows: data.length / columns, columns });
  return detector.score([row])[0] as number;
}

/** Updates of which every one in so many is compared, besides those where a window becomes full. */
const STRIDE = 41;

/**
 * Updates a window and compares at most about `most` of the last scores, saving and loading it half-way; returns how
 * many were compared, and throws where one differs.
 */
export function compareWithFits<Detector extends Refitted>(
  Window: WindowClass<Detector>,
  given: WindowCase<Detector>,
  { backend, most = 60 }: Comparing = {},
): number {
  const { window: size, columns, updates, make } = given;
  let window = new Window(make(backend), { window: size });
  const next = given.rows ? rowsOf(given.rows, size) : stream(columns, size + columns);
  const reference = make(backend);
  let compared = 0;
  for (let t = 0; t < updates; t++) {
    const row = next();
    const isSampled = window.isReady && (t % STRIDE === 0 || t % 97 < 2 || Math.abs(t - size) < 3);
    const expected = isSampled && t > updates - most * STRIDE ? fresh(reference, window, row) : undefined;
    if (expected !== undefined && t % 2 === 0) same(window.score([row])[0] as number, expected, t);
    const score = window.update(row);
    if (expected !== undefined) {
      same(score, expected, t);
      compared++;
    }
    if (t === Math.floor(updates / 2)) window = Window.load(window.toBytes());
  }
  return compared;
}

function same(score: number, expected: number, row: number): void {
  if (bits(score) !== bits(expected)) throw new Error(`row ${row} has the score ${score}, a fit gives ${expected}`);
}
