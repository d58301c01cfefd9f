// The window against the definition: a fresh detector, fitted on the rows of the window, bit for bit.
import { describe, expect, it } from 'vitest';
import type { BackendName } from '../../src/core/backend.js';
import { CAD, KNN, LOF } from '../../src/index.js';
import { SlidingWindow, type WindowDetector } from '../../src/streams/index.js';

interface Case {
  name: string;
  window: number;
  columns: number;
  updates: number;
  make(backend?: BackendName): WindowDetector;
}

const CASES: Case[] = [
  {
    name: 'CAD',
    window: 300,
    columns: 3,
    updates: 4000,
    make: (backend) => new CAD({ precision: 'single', ...(backend && { backend }) }),
  },
  {
    name: 'CAD of rbf',
    window: 100,
    columns: 5,
    updates: 700,
    make: () => new CAD({ precision: 'single', kernel: 'rbf', gamma: 0.1 }),
  },
  {
    name: 'CAD of laplacian',
    window: 64,
    columns: 2,
    updates: 700,
    make: () => new CAD({ precision: 'single', kernel: 'laplacian' }),
  },
  { name: 'CAD, double', window: 200, columns: 7, updates: 700, make: () => new CAD({ precision: 'double' }) },
  { name: 'KNN', window: 10, columns: 1, updates: 4000, make: () => new KNN({ precision: 'single', neighbors: 3 }) },
  {
    name: 'KNN, wide',
    window: 1000,
    columns: 64,
    updates: 1500,
    make: () => new KNN({ precision: 'double', aggregate: 'mean' }),
  },
  {
    name: 'KNN in L1',
    window: 500,
    columns: 4,
    updates: 1500,
    make: () => new KNN({ precision: 'double', metric: 'manhattan' }),
  },
  {
    name: 'LOF',
    window: 300,
    columns: 3,
    updates: 4000,
    make: (backend) => new LOF({ precision: 'double', ...(backend && { backend }) }),
  },
  {
    name: 'LOF in L1',
    window: 40,
    columns: 6,
    updates: 1500,
    make: () => new LOF({ precision: 'single', metric: 'manhattan' }),
  },
  {
    name: 'LOF, small',
    window: 10,
    columns: 1,
    updates: 3000,
    make: () => new LOF({ precision: 'double', neighbors: 4 }),
  },
  {
    name: 'LOF, large',
    window: 1500,
    columns: 10,
    updates: 2200,
    make: () => new LOF({ precision: 'single', neighbors: 20 }),
  },
  { name: 'LOF, double', window: 150, columns: 2, updates: 900, make: () => new LOF({ precision: 'double' }) },
];

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
    if (Math.floor(t / 97) % 23 === 11 && random() < 0.3) row = row.map((value) => value * 1e6);
    past.push(row);
    if (past.length > 200) past.shift();
    return row;
  };
}

function bits(value: number): string {
  return new BigUint64Array(new Float64Array([value]).buffer).join();
}

function fresh(detector: WindowDetector, window: SlidingWindow, row: Float64Array): number {
  const columns = row.length;
  const data = window.rows();
  detector.fit({ data, rows: data.length / columns, columns });
  return detector.score([row])[0] as number;
}

/** Updates a window and compares some scores; returns how many were compared. */
function compare({ window: size, columns, updates, make }: Case, backend?: BackendName): number {
  let window = new SlidingWindow(make(backend), { window: size });
  const next = stream(columns, size + columns);
  const reference = make(backend);
  let compared = 0;
  for (let t = 0; t < updates; t++) {
    const row = next();
    const isSampled = window.isReady && (t % 41 === 0 || t % 97 < 2 || (t > size - 3 && t < size + 3));
    const expected = isSampled && t > updates - 60 * 41 ? fresh(reference, window, row) : undefined;
    if (expected !== undefined && t % 2 === 0)
      expect(bits(window.score([row])[0] as number), `row ${t}`).toBe(bits(expected));
    const score = window.update(row);
    if (expected !== undefined) {
      expect(bits(score), `row ${t}`).toBe(bits(expected));
      compared++;
    }
    if (t === Math.floor(updates / 2)) window = SlidingWindow.load(window.toBytes());
  }
  return compared;
}

describe('a sliding window', () => {
  it.each(CASES)('scores as a fit on its rows would: $name, $window × $columns', (given) => {
    expect(compare(given)).toBeGreaterThan(20);
  });

  it.each(CASES.filter(({ name }) => ['CAD', 'LOF'].includes(name)))('does so in plain TypeScript: $name', (given) => {
    expect(compare({ ...given, window: 60, updates: 500 }, 'js')).toBeGreaterThan(20);
  });
});
