// Rows whose elements are accessors run the user's code while they are read. Whatever that code does, scores are
// those of the numbers it gave when they were read, or there is a typed error: it must not move the memory
// that is being filled, nor slip in what was not checked.
import { describe, expect, it } from 'vitest';
import { type AnyDetector, CAD, CurvadError, KNN, landscape, load, type MatrixInput } from '../../src/index.js';
import { Random } from '../support/data.js';
import { DETECTORS } from '../support/detectors.js';

const random = new Random(29);
const TRAINING = random.rows(60, 2);
const NEW = random.rows(12, 2);
const LANDSCAPE = { at: [0, 0], bounds: { x: [-1, 1], y: [-1, 1] }, resolution: 7 } as const;
const OTHERS = random.rows(500, 9);

/** Rows as they are, of which one calls `code` with the number of times it was read before. */
function calling(rows: readonly Float64Array[], code: (reads: number) => unknown): number[][] {
  let reads = 0;
  return rows.map((row, i) => {
    const plain = [...row];
    if (i !== 5) return plain;
    const get = (): number => {
      const given = code(reads++);
      return typeof given === 'number' ? given : (row[1] as number);
    };
    return Object.defineProperty(plain, 1, { get });
  });
}

/** What users may do in an accessor: with another model, or with that which reads the rows. */
const CALLS: ReadonlyArray<[what: string, call: (detector: AnyDetector) => unknown]> = [
  ['fit another model', () => new CAD({ neighbors: 7 }).fit(OTHERS)],
  ['score other rows with the model that reads them', (detector) => detector.score(random.rows(3, 2))],
  ['load a model', (detector) => load(detector.toBytes())],
  ['draw a landscape of the model that reads them', (detector) => landscape(detector, LANDSCAPE)],
];

describe.each(DETECTORS)('$name', ({ make }) => {
  describe.each(CALLS)('asked for scores of rows that %s', (_, call) => {
    const detector = make().fit(TRAINING);
    const expected = detector.score(NEW);

    it('refuses that while it reads them, and goes on as before', () => {
      const rows = calling(NEW, (reads) => reads > 0 && call(detector));
      expect(() => detector.score(rows)).toThrow(expect.objectContaining({ code: 'CALLED_WHILE_READING' }));
      expect(detector.score(NEW)).toEqual(expected);
    });

    it('gives the right scores where they do not mind being refused', () => {
      const rows = calling(NEW, (reads) => {
        if (reads === 0) return;
        expect(() => call(detector)).toThrow(expect.objectContaining({ code: 'CALLED_WHILE_READING' }));
      });
      expect(detector.score(rows)).toEqual(expected);
    });
  });

  it('is fitted to rows that call others only as long as they are not stored', () => {
    const expected = make().fit(TRAINING).scores;
    expect(make().fit(calling(TRAINING, (reads) => reads === 0 && new KNN().fit(OTHERS))).scores).toEqual(expected);
    const later = calling(TRAINING, (reads) => reads > 0 && new KNN().fit(OTHERS));
    expect(() => make().fit(later)).toThrow(expect.objectContaining({ code: 'CALLED_WHILE_READING' }));
  });

  it('scores a matrix that asks the same model for its numbers', () => {
    const detector = make().fit(TRAINING);
    const get = (i: number, j: number): number => {
      expect(Number.isFinite(detector.score(NEW.slice(j, j + 3))[0])).toBe(true);
      return NEW[i]?.[j] as number;
    };
    const matrix: MatrixInput = { rows: NEW.length, columns: 2, get };
    expect(detector.score(matrix)).toEqual(detector.score(NEW));
  });

  it.each([
    ['NaN', Number.NaN, 'NAN_VALUE'],
    ['infinite', Infinity, 'INFINITE_VALUE'],
  ])('refuses a number that becomes %s after it was checked', (_, value, code) => {
    const detector = make().fit(TRAINING);
    const change = (reads: number): number | undefined => (reads > 0 ? value : undefined);
    expect(() => detector.score(calling(NEW, change))).toThrow(expect.objectContaining({ code, row: 5, column: 1 }));
    expect(() => make().fit(calling(TRAINING, change))).toThrow(expect.objectContaining({ code }));
  });

  it('refuses a row that becomes shorter after it was checked', () => {
    const detector = make().fit(TRAINING);
    const rows = NEW.map((row) => [...row]);
    let reads = 0;
    const get = (): number => {
      if (reads++ > 0) rows[5] = [0];
      return 0;
    };
    Object.defineProperty(rows[3], 0, { get });
    expect(() => detector.score(rows)).toThrow(expect.objectContaining({ row: 5, column: 1 }));
  });

  it('refuses rows that are taken away after they were checked', () => {
    const rows = TRAINING.map((row) => [...row]);
    let reads = 0;
    const get = (): number => {
      if (reads++ > 0) rows.length = 4;
      return 0;
    };
    Object.defineProperty(rows[3], 0, { get });
    expect(() => make().fit(rows)).toThrow(expect.objectContaining({ code: 'ROW_TYPE', row: 4 }));
  });

  it.each([-1e200, -1, 0.5, 2 ** 40, Number.NaN, '60', undefined])(
    'refuses a proxy that says its length is %s, and leaves other models alone',
    (length) => {
      const other = new KNN().fit(OTHERS);
      const expected = other.score(OTHERS);
      const lying = <Rows extends object>(rows: Rows): Rows =>
        new Proxy(rows, { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) });
      for (const rows of [lying(TRAINING), [lying([...(TRAINING[0] as Float64Array)]), ...TRAINING.slice(1)]]) {
        expect(() => make().fit(rows)).toThrow(CurvadError);
        expect(() => make().fit(TRAINING).score(rows)).toThrow(CurvadError);
      }
      const made = Array.from({ length: 3 }, () => make().fit(TRAINING)); // in what memory there is
      expect(other.score(OTHERS)).toEqual(expected);
      for (const one of made) one.dispose();
    },
  );
});
