// Asynchronous landscapes: bit for bit the synchronous ones, progress, abort, and a detector that changes.
import { describe, expect, it } from 'vitest';
import {
  type AnyDetector,
  type AsyncOptions,
  CAD,
  type CADOptions,
  IsolationForest,
  KNN,
  type LandscapeOptions,
  LOF,
  landscape,
  landscapeAsync,
  stopThreads,
} from '../../src/index.js';
import { BACKENDS, Random } from '../support/data.js';
import { DETECTORS } from '../support/detectors.js';
import { ABOUT_TIME } from '../support/timing.js';
import { BAD_OPTIONS, expectAborted, expectRisingProgress, outcome } from './support.js';

const random = new Random(61);
const PLANE = random.rows(3000, 2);
const WIDE = random.rows(3000, 12);
/** Denser than the cells, so that most of them have to be searched for. */
const CLUSTERED = [...random.rows(20, 2), ...random.rows(4000, 2, () => 3 + 0.001 * random.gaussian())];

async function expectEqual(detector: AnyDetector, options: LandscapeOptions, asyncOptions: AsyncOptions) {
  const { execution, ...drawn } = await landscapeAsync(detector, options, asyncOptions);
  const expected = landscape(detector, options);
  expect(drawn).toEqual(expected);
  expect(Buffer.from(drawn.values.buffer).equals(Buffer.from(expected.values.buffer))).toBe(true);
  return execution;
}

describe.each([0, 1, 2])('an asynchronous landscape with %i threads', (threads) => {
  it.each([
    ['a plane', PLANE, {}, {}],
    ['a slice', WIDE, {}, { features: [3, 1] }],
    ['clusters', CLUSTERED, {}, { bounds: { x: [2.9, 3.1], y: [2.9, 3.1] } }],
    ['normal neighbours', PLANE, {}, { neighbors: 'normal' }],
    ['rbf', PLANE, { kernel: 'rbf' }, {}],
    ['polynomial and normal neighbours', PLANE, { kernel: 'polynomial' }, { neighbors: 'normal' }],
    ['standardized, lower', WIDE, { standardize: true, orientation: 'lower' }, {}],
  ] as Array<[string, typeof PLANE, CADOptions, LandscapeOptions]>)(
    'is the synchronous one: %s',
    async (_, rows, options, drawn) => {
      await expectEqual(new CAD(options).fit(rows), { ...drawn, resolution: [70, 45] }, { threads });
    },
  );

  it.each(BACKENDS)('is the synchronous one on %s', async (backend) => {
    const rows = PLANE.slice(0, 500);
    for (const kernel of ['linear', 'laplacian'] as const)
      await expectEqual(new CAD({ backend, kernel }).fit(rows), { resolution: 40 }, { threads });
  });

  it.each(DETECTORS)('is the synchronous one of $name', async ({ make }) => {
    const detector = make().fit(WIDE.slice(0, 1200));
    const at = Array.from({ length: 12 }, () => 0.5);
    const bounds = { x: [-3, 3], y: [-3, 3] } as const;
    await expectEqual(detector, { at, bounds, resolution: 50 }, { threads });
  });

  it('tells how it was run', async () => {
    const execution = await expectEqual(new CAD({ kernel: 'polynomial' }).fit(PLANE), { resolution: 150 }, { threads });
    expect(execution.mode).toBe(threads === 0 ? 'sliced' : 'shared');
    expect(execution.threads).toBe(threads);
    const at = Array.from({ length: 12 }, () => 0);
    const ofOther = await landscapeAsync(new LOF().fit(WIDE), { at, bounds: { x: [0, 1], y: [0, 1] } }, { threads });
    expect(ofOther.execution).toEqual(execution);
  });

  it('has progress that rises to 1', async () => {
    const options = {
      resolution: 90,
      at: Array.from({ length: 12 }, () => 0),
      bounds: { x: [0, 1], y: [0, 1] },
    } as const;
    for (const detector of [new CAD().fit(WIDE), new KNN().fit(WIDE), new IsolationForest().fit(WIDE)])
      await expectRisingProgress((more) => landscapeAsync(detector, options, { threads, ...more }));
  });

  it.each([
    ['linear', 0.01],
    ['linear', 0.2],
    ['rbf', 0.3],
  ] as const)('is aborted in time: %s at %d', ABOUT_TIME, async (kernel, when) => {
    const cad = new CAD({ kernel }).fit(WIDE);
    const call = (options: AsyncOptions) => landscapeAsync(cad, { resolution: 200 }, options);
    await expectAborted(call, { threads }, ({ done }) => done >= when);
    await expectEqual(cad, { resolution: 30 }, { threads });
  });
});

describe('an asynchronous landscape', () => {
  it.each(BAD_OPTIONS)('refuses %o', async (options, code) => {
    expect(await outcome(landscapeAsync(new CAD().fit(PLANE), {}, options))).toBe(code);
  });

  it('refuses what the synchronous one refuses', async () => {
    expect(await outcome(landscapeAsync({} as CAD))).toBe('DETECTOR_UNSUPPORTED');
    expect(await outcome(landscapeAsync(new CAD()))).toBe('NOT_FITTED');
    expect(await outcome(landscapeAsync(new CAD().fit(PLANE), { resolution: 1 }))).toBe('RESOLUTION_INVALID');
    expect(await outcome(landscapeAsync(new KNN().fit(PLANE), { at: [1] }))).toBe('AT_INVALID');
    expect(await outcome(landscapeAsync(new CAD().fit(PLANE), {}, { signal: AbortSignal.abort() }))).toBe('AbortError');
  });

  it('rejects when a thread dies, and can be drawn again', async () => {
    const cad = new CAD({ kernel: 'polynomial' }).fit(PLANE);
    const onProgress = () => stopThreads();
    expect(await outcome(landscapeAsync(cad, {}, { threads: 2, onProgress }))).toBe('THREAD_FAILED');
    await expectEqual(cad, {}, { threads: 2 });
  });

  it.each(['linear', 'rbf'] as const)('rejects when the detector changes meanwhile: %s', async (kernel) => {
    for (const change of [(cad: CAD) => cad.fit(PLANE), (cad: CAD) => cad.dispose()]) {
      const cad = new CAD({ kernel }).fit(WIDE);
      let isChanged = false;
      const onProgress = () => {
        if (!isChanged) change(cad);
        isChanged = true;
      };
      expect(await outcome(landscapeAsync(cad, { resolution: 200 }, { threads: 0, onProgress }))).toBe('DISPOSED');
    }
  });

  it('lets the event loop go on', ABOUT_TIME, async () => {
    const cad = new CAD().fit(WIDE);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await landscapeAsync(cad, { resolution: 900 }, { threads: 0 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
