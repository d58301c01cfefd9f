// How the one-class SVM behaves: the same bits everywhere, whatever the batch, the build or the cache; sense
// on degenerate data; and errors that say what is wrong.
import { describe, expect, it, vi } from 'vitest';
import { coreOf } from '../../src/core/wasm/core.js';
import { CurvadError, load, OneClassSVM, type OneClassSVMOptions } from '../../src/index.js';
import { BACKENDS, Random, type Rows } from '../support/data.js';

const KERNELS = ['rbf', 'linear', 'polynomial', 'sigmoid'] as const;
const random = new Random(11);
const ROWS = random.rows(150, 5).map((row) => row.map((value) => value + 1));
const NEW = random.rows(70, 5, () => 3 * random.gaussian());

const fitted = (options: OneClassSVMOptions = {}, rows: Rows = ROWS) =>
  new OneClassSVM({ nu: 0.3, ...options }).fit(rows);

describe('the bits are the same', () => {
  it.each(KERNELS)('on every backend, %s kernel', (kernel) => {
    const options: OneClassSVMOptions[] = [{ kernel }, { kernel, nu: 0.05, gamma: 'scale', standardize: true }];
    for (const option of options) {
      const [js, ...others] = BACKENDS.map((backend) => {
        using svm = fitted({ ...option, backend });
        return [svm.scores, svm.score(NEW), svm.supportIndices, svm.supportCoefficients, svm.offset, svm.iterations];
      });
      for (const other of others) expect(other).toEqual(js);
    }
  });

  it('on every backend, where distances come from differences, start from a sample, or leave the cache', () => {
    const cases: Array<[Rows, OneClassSVMOptions]> = [
      [ROWS.map((row, i) => row.map((value) => value + (i % 2) * 1e8)), {}],
      [random.rows(2101, 2), { nu: 0.1 }],
      [random.rows(600, 3), { cacheSize: 1e-6, gamma: 5 }], // more kernel rows than the least cache holds
    ];
    for (const [rows, options] of cases) {
      const [js, ...others] = BACKENDS.map((backend) => {
        using svm = fitted({ ...options, backend }, rows);
        return [svm.scores, svm.supportCoefficients, svm.offset];
      });
      for (const other of others) expect(other).toEqual(js);
    }
  });

  it.each(KERNELS)('alone, in any batch, for training rows, and after loading, %s kernel', (kernel) => {
    for (const backend of ['js', 'wasm-simd'] as const) {
      using svm = fitted({ kernel, backend });
      const scores = svm.score(NEW);
      for (const size of [1, 2, 3, 31, 32, 33, 65])
        expect(svm.score(NEW.slice(3, 3 + size))).toEqual(scores.slice(3, 3 + size));
      expect(svm.score(ROWS)).toEqual(svm.scores);
      using loaded = load(svm.toBytes(), { backend }) as OneClassSVM;
      expect(loaded).toBeInstanceOf(OneClassSVM);
      expect(loaded.score(NEW)).toEqual(scores);
      expect(loaded.toBytes()).toEqual(svm.toBytes());
      expect([loaded.offset, loaded.gap, loaded.iterations]).toEqual([svm.offset, svm.gap, svm.iterations]);
      expect(OneClassSVM.load(svm.toBytes()).scores).toEqual(svm.scores);
    }
  });

  it('whatever the size of the cache, also for scores of training rows', () => {
    const rows = random.rows(2200, 3);
    const [all, few] = [200, 0.5].map((cacheSize) => {
      using svm = fitted({ cacheSize }, rows);
      return { scores: svm.scores, again: svm.score(rows) };
    });
    expect(few).toEqual(all);
    expect(all?.again).toEqual(all?.scores);
  });
});

describe('the solution', () => {
  it('does not depend on the order of the rows, within the tolerance', () => {
    const order = random.permutation(ROWS.length);
    using svm = fitted({ tolerance: 1e-9 });
    using shuffled = fitted(
      { tolerance: 1e-9 },
      order.map((i) => ROWS[i] as Float64Array),
    );
    const expected = svm.score(NEW);
    shuffled.score(NEW).forEach((score, i) => {
      expect(Math.abs(score - (expected[i] as number))).toBeLessThanOrEqual(1e-6);
    });
  });

  it('does not see where the origin is, with the rbf kernel', () => {
    using svm = fitted({ tolerance: 1e-9 });
    using moved = fitted(
      { tolerance: 1e-9 },
      ROWS.map((row) => row.map((value) => value + 1e6)),
    );
    moved.scores.forEach((score, i) => {
      expect(Math.abs(score - (svm.scores[i] as number))).toBeLessThanOrEqual(1e-6);
    });
  });

  it('stops where it is told to, and says so', () => {
    using svm = fitted({ maxIterations: 3 });
    expect([svm.iterations, svm.converged]).toEqual([3, false]);
    expect(svm.gap).toBeGreaterThan(1e-3);
    expect(svm.warnings.map(({ code }) => code)).toContain('NOT_CONVERGED');
    using whole = fitted();
    expect(whole.converged).toBe(true);
    expect(whole.warnings.map(({ code }) => code)).not.toContain('NOT_CONVERGED');
    expect(whole.gap).toBeLessThanOrEqual(1e-3);
  });

  it('ends, and says it did not converge, where rounding forbids the tolerance', () => {
    const rows = ROWS.map((row) => row.map((value) => 1e4 * value));
    using svm = fitted({ kernel: 'polynomial', tolerance: 1e-12 }, rows);
    expect(svm.converged).toBe(false);
    expect(svm.scores.every(Number.isFinite)).toBe(true);
  });

  // Along one direction the kernel matrix has few dimensions, and rounding leaves the solver to creep.
  it.each(BACKENDS)('ends soon on rows along a line, without room for kernel values: %s', (backend) => {
    const random = new Random(5);
    const direction = Array.from({ length: 12 }, () => random.gaussian());
    const rows = Array.from({ length: 300 }, () => {
      const at = random.gaussian();
      return direction.map((value) => value * at);
    });
    const start = process.cpuUsage();
    using svm = fitted({ gamma: 1, tolerance: 1e-7, cacheSize: 1e-6, backend }, rows);
    expect(svm.converged).toBe(svm.gap <= 1e-7);
    expect(svm.iterations).toBeGreaterThan(20_000);
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(4);
  });
});

describe('degenerate data', () => {
  it.each([
    ['one row', [[1, 2]], {}],
    [
      'two equal rows',
      [
        [1, 2],
        [1, 2],
      ],
      {},
    ],
    ['all rows equal', Array.from({ length: 50 }, () => [3, 3]), {}],
    ['all rows zero, linear kernel', Array.from({ length: 20 }, () => [0]), { kernel: 'linear' }],
    ['ν n below 1', random.rows(10, 2), { nu: 0.01 }],
    ['ν = 1', random.rows(10, 2), { nu: 1 }],
    ['tiny values', random.rows(30, 2, () => 1e-160 * random.gaussian()), { gamma: 'scale' }],
    ['tiny values, polynomial', random.rows(30, 2, () => 1e-160 * random.gaussian()), { kernel: 'polynomial' }],
    ['huge values', random.rows(30, 2, () => 1e140 * random.gaussian()), {}],
    ['huge values, linear', random.rows(30, 2, () => 1e100 * random.gaussian()), { kernel: 'linear' }],
    ['huge γ', random.rows(30, 2), { gamma: 1e308 }],
    ['tiny γ', random.rows(30, 2), { gamma: 1e-308 }],
    ['a kernel that is no inner product', random.rows(40, 3), { kernel: 'polynomial', coef0: -5, degree: 2 }],
    ['a saturated sigmoid', random.rows(40, 3, () => 100 * random.gaussian()), { kernel: 'sigmoid', gamma: 5 }],
  ] as Array<[string, ArrayLike<number>[], OneClassSVMOptions]>)(
    '%s: finite scores, the same on every backend',
    (_, rows, options) => {
      const [js, ...others] = BACKENDS.map((backend) => {
        using svm = new OneClassSVM({ ...options, backend }).fit(rows);
        expect(svm.scores.every(Number.isFinite)).toBe(true);
        const total = (options.nu ?? 0.5) * rows.length;
        expect(svm.supportCoefficients.reduce((a, b) => a + b, 0)).toBeCloseTo(total, 9);
        return [svm.scores, svm.offset, svm.score(rows.map((row) => Float64Array.from(row, (value) => 2 * value)))];
      });
      for (const other of others) expect(other).toEqual(js);
    },
  );

  it('equal rows are all inside, and a threshold between equal scores flags nothing', () => {
    using svm = new OneClassSVM().fit(Array.from({ length: 40 }, () => [3, 3]));
    expect(svm.isDegenerate).toBe(true);
    expect(svm.labels.every((label) => label === 0)).toBe(true);
    expect(svm.score([[3, 3]])[0]).toBeCloseTo(0, 9);
    expect(svm.score([[30, 30]])[0]).toBeCloseTo(20, 9);
  });

  it('rows far from all others score the full offset: their kernel values vanish', () => {
    using svm = fitted();
    expect(svm.score([[1e9, 0, 0, 0, 0]])[0]).toBe(svm.offset);
  });

  it('a row far beyond what the kernel was scaled for scores a finite number', () => {
    for (const backend of BACKENDS) {
      using svm = fitted(
        { kernel: 'polynomial', backend },
        ROWS.map((row) => row.map((value) => 1e40 * value)),
      );
      const scores = svm.score([new Float64Array(5).fill(1e140), new Float64Array(5).fill(-1e140)]);
      expect(scores.every(Number.isFinite)).toBe(true);
      expect(Math.sign(scores[0] as number)).toBe(-Math.sign(scores[1] as number));
    }
  });

  it('a column without spread changes nothing', () => {
    using svm = fitted({ gamma: 0.2, standardize: true });
    using wider = fitted(
      { gamma: 0.2, standardize: true },
      ROWS.map((row) => Float64Array.from([...row, 7])),
    );
    wider.scores.forEach((score, i) => {
      expect(Math.abs(score - (svm.scores[i] as number))).toBeLessThanOrEqual(1e-9);
    });
  });

  it('an outlier scores highest, and contamination flags as many as it says', () => {
    const rows = [...ROWS, Float64Array.from([30, 30, 30, 30, 30])];
    using svm = fitted({ nu: 0.1, contamination: 0.02 }, rows);
    expect(svm.scores.indexOf(Math.max(...svm.scores))).toBe(rows.length - 1);
    expect(svm.labels.reduce((a, b) => a + b, 0)).toBe(3); // the 98th percentile of 151 is the 148th
  });
});

describe('bad calls', () => {
  it.each([
    [{ nu: 0 }, 'NU_INVALID'],
    [{ nu: 1.01 }, 'NU_INVALID'],
    [{ nu: '0.5' }, 'NU_INVALID'],
    [{ nu: Number.NaN }, 'NU_INVALID'],
    [{ kernel: 'cosine' }, 'KERNEL_UNKNOWN'],
    [{ gamma: 0 }, 'GAMMA_INVALID'],
    [{ gamma: 'best' }, 'GAMMA_INVALID'],
    [{ degree: 0 }, 'DEGREE_INVALID'],
    [{ coef0: Infinity }, 'COEF0_INVALID'],
    [{ tolerance: 0 }, 'TOLERANCE_INVALID'],
    [{ tolerance: -1e-3 }, 'TOLERANCE_INVALID'],
    [{ maxIterations: 0 }, 'ITERATIONS_INVALID'],
    [{ maxIterations: 1.5 }, 'ITERATIONS_INVALID'],
    [{ cacheSize: 0 }, 'CACHE_SIZE_INVALID'],
    [{ standardize: 1 }, 'STANDARDIZE_INVALID'],
    [{ contamination: 0.6 }, 'CONTAMINATION_INVALID'],
    [{ backend: 'gpu' }, 'BACKEND_UNKNOWN'],
    [{ tol: 1e-3 }, 'UNKNOWN_OPTION'],
  ])('%o is refused as %s', (options, code) => {
    expect(() => new OneClassSVM(options as OneClassSVMOptions)).toThrow(expect.objectContaining({ code }));
  });

  it('a kernel that overflows is refused with what would help', () => {
    const rows = random.rows(10, 2, () => 1e60 * random.gaussian());
    expect(() => fitted({ kernel: 'polynomial' }, rows)).toThrow(/polynomial kernel reach .*scale the columns/);
  });

  it('values beyond what squares allow, wrong widths and use before fit are refused', () => {
    expect(() => fitted({}, [...ROWS, Float64Array.from([1e151, 0, 0, 0, 0])])).toThrow(/row 150, column 0/);
    expect(() => fitted().score([[1, 2]])).toThrow(expect.objectContaining({ code: 'WRONG_WIDTH' }));
    expect(() => new OneClassSVM().score(NEW)).toThrow(expect.objectContaining({ code: 'NOT_FITTED' }));
    const disposed = fitted();
    disposed.dispose();
    expect(() => disposed.scores).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
  });

  it('a row that is too large leaves the detector usable', () => {
    using svm = fitted();
    const expected = svm.score(NEW);
    expect(() => svm.score([[1e200, 0, 0, 0, 0]])).toThrow(CurvadError);
    expect(svm.score(NEW)).toEqual(expected);
  });
});

describe('memory', () => {
  const { arena } = coreOf('simd');
  const make = () => fitted({ backend: 'wasm-simd' });

  it('is given back by models that are forgotten or disposed of', () => {
    // Beyond 32 MB models are moved out before the memory grows.
    const ballast = arena.allocate(33 * 2 ** 20);
    for (let i = 0; i < 50; i++) make();
    const before = arena.size;
    for (let i = 0; i < 400; i++) make();
    for (let i = 0; i < 100; i++) make().dispose();
    expect(arena.size).toBe(before);
    arena.free(ballast);
  });

  it('of a fit stays within the cache, the rows and a few vectors', () => {
    const rows = random.rows(3000, 4);
    const allocate = vi.spyOn(arena, 'allocate');
    fitted({ backend: 'wasm-simd', cacheSize: 8 }, rows).dispose();
    const largest = Math.max(...allocate.mock.calls.map(([bytes]) => bytes));
    allocate.mockRestore();
    expect(largest).toBeGreaterThan(7.9 * 2 ** 20);
    expect(largest).toBeLessThanOrEqual(8 * 2 ** 20 + 3000 * 8 * (4 + 10));
  });

  it('may be taken from a model that is kept: it scores the same when it is back', () => {
    const kept = make();
    const [expected, file] = [kept.score(NEW), kept.toBytes()];
    const hoard = arena.allocate(40 * 2 ** 20);
    const large = random.rows(1000, 60);
    for (let i = 0; i < 30; i++) fitted({ backend: 'wasm-simd', maxIterations: 1, nu: 0.9, cacheSize: 1 }, large);
    arena.free(hoard);
    expect(kept.toBytes()).toEqual(file);
    const allocateEvictable = vi.spyOn(arena, 'allocateEvictable');
    expect(kept.score(NEW)).toEqual(expected);
    expect(allocateEvictable, 'it had to move back in').toHaveBeenCalledOnce();
    allocateEvictable.mockRestore();
  });
});
