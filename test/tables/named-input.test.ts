// Tables as people have them are fitted and scored by name: whatever they are made of, in whatever order.
import { tableFromArrays } from '@uwdata/flechette';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAD, type CurvadError, load, type NamedRows, table } from '../../src/index.js';

interface Machine {
  readonly temp: number;
  readonly kind: string;
  readonly on: boolean;
  readonly size: number;
}

const MACHINES: readonly Machine[] = Array.from({ length: 60 }, (_, i) => ({
  temp: Math.sin(i) * 3 + (i === 7 ? 50 : 0),
  kind: ['drill', 'lathe', 'press'][i % 3] as string,
  on: i % 4 !== 0,
  size: (i * 37) % 11,
}));

const columnsOf = (rows: readonly Machine[]) => ({
  size: Int16Array.from(rows, ({ size }) => size),
  on: rows.map(({ on }) => on),
  kind: rows.map(({ kind }) => kind),
  temp: Float64Array.from(rows, ({ temp }) => temp),
});

/** What a matrix of the same rows would be, written down by hand. */
const MATRIX = MACHINES.map(({ temp, kind, on, size }) => [
  temp,
  Number(kind === 'drill'),
  Number(kind === 'lathe'),
  Number(kind === 'press'),
  Number(on),
  size,
]);

const errorOf = (call: () => unknown): CurvadError => {
  try {
    call();
  } catch (error) {
    return error as CurvadError;
  }
  return expect.fail('there was no error');
};

describe('a table', () => {
  const detector = new CAD({ standardize: true }).fit(MACHINES);
  const expected = new CAD({ standardize: true }).fit(MATRIX);

  it('is the matrix of its numbers, categories as 0 and 1, booleans as one column', () => {
    expect(detector.recipe?.features).toEqual(['temp', 'kind=drill', 'kind=lathe', 'kind=press', 'on', 'size']);
    expect(detector.scores).toEqual(expected.scores);
    expect(detector.threshold).toBe(expected.threshold);
  });

  const arrow = tableFromArrays(columnsOf(MACHINES)) as unknown as NamedRows;
  it.each<[string, NamedRows]>([
    ['objects', MACHINES],
    ['objects of text', MACHINES.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, ` ${v}`])))],
    ['columns in another order', columnsOf(MACHINES)],
    ['an Arrow table', arrow],
    ['a table with options', table(MACHINES) as unknown as NamedRows],
  ])('gives the same scores as %s, after loading too', (_, rows) => {
    const scores = expected.score(MATRIX);
    expect(detector.score(rows)).toEqual(scores);
    expect(load(detector.toBytes()).score(rows)).toEqual(scores);
  });

  it('gives the same scores asynchronously, and into an array of mine', async () => {
    const scores = expected.score(MATRIX);
    expect(await detector.scoreAsync(columnsOf(MACHINES))).toEqual(scores);
    expect((await new CAD({ standardize: true }).fitAsync(MACHINES)).scores).toEqual(detector.scores);
    expect(detector.scoreInto(MACHINES, new Float64Array(60))).toEqual(scores);
  });

  it('gives the same scores whatever the order of the keys, and names that are odd', () => {
    const name = fc.oneof(
      fc.constantFrom('', '__proto__', 'constructor', 'rows', 'columns', 'a', 'ä 😀', '"\n'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.double({ min: -9, max: 9, noNaN: true })),
        (names, stream) => {
          const values = Array.from({ length: 12 }, () => names.map(() => stream.next().value as number));
          const rowOf = (list: readonly number[], order: readonly number[]) =>
            Object.fromEntries(order.map((j) => [names[j] as string, list[j]]));
          const order = [...names.keys()];
          const fitted = new CAD({ neighbors: 3 }).fit(values.map((list) => rowOf(list, order)));
          // Objects have keys such as "1" before others, whatever the order they were written in.
          const keys = Object.keys(rowOf(order, order));
          const matrix = values.map((list) => keys.map((key) => list[names.indexOf(key)] as number));
          const bare = new CAD({ neighbors: 3 }).fit(matrix);
          expect(fitted.scores).toEqual(bare.scores);
          const permuted = fitted.score(values.map((list) => rowOf(list, [...order].reverse())));
          expect(permuted).toEqual(bare.score(matrix));
          expect(load(fitted.toBytes()).score(values.map((list) => rowOf(list, order)))).toEqual(permuted);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('names the columns that are missing, and notes those it does not know', () => {
    const error = errorOf(() => detector.score([{ temp: 1, size: 2 }]));
    expect(error.code).toBe('COLUMNS_MISSING');
    expect(error.message).toContain('"kind", "on"');
    const [row] = MACHINES as [Machine];
    detector.score([{ ...row, colour: 'red', kind: 'saw' }]);
    expect(detector.notes).toEqual([
      'ignored the column "colour", which the model does not use',
      '1 cell held categories the model does not know',
    ]);
  });

  it.each([
    [[{ ...MACHINES[0], temp: 'hot' }], 'CELL_TYPE', 'row 0, column "temp" holds "hot", a number is needed'],
    [[{ ...MACHINES[0], temp: null }], 'MISSING_VALUE', 'row 0, column "temp" is missing'],
    [[MACHINES[1], { ...MACHINES[0], on: 2 }], 'CELL_TYPE', 'row 1, column "on" holds "2", true or false is needed'],
    [[MACHINES[1], 5], 'ROW_TYPE', 'row 1 must be an object'],
    [{ temp: [1, 2], kind: ['a'], on: [true], size: [1] }, 'LENGTHS_DIFFER', 'column "kind" has 1 cells'],
  ])('is refused where a cell cannot be used: %j', (rows, code, message) => {
    const error = errorOf(() => detector.score(rows as NamedRows));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });

  it('is refused by a detector that was fitted on rows without names', () => {
    expect(errorOf(() => expected.score(MACHINES)).code).toBe('INPUT_TYPE');
  });
});

describe('missing values', () => {
  const gaps = MACHINES.map((row, i) => (i % 10 === 3 ? { ...row, temp: i === 13 ? Number.NaN : null } : row));
  const known = gaps.filter(({ temp }) => temp !== null && !Number.isNaN(temp)).map(({ temp }) => temp as number);
  const sorted = [...known].sort((a, b) => a - b);
  const median = ((sorted[26] as number) + (sorted[27] as number)) / 2;

  it('are refused unless it is said what becomes of them, with the columns to blame', () => {
    const error = errorOf(() => new CAD().fit(gaps));
    expect(error.code).toBe('MISSING_VALUE');
    expect(error.row).toBe(3);
    expect(error.message).toContain('and 5 other cells too ("temp" lacks 6)');
  });

  it('are filled with the median of the training rows, when scored as well', () => {
    const filled = gaps.map((row) => ({ ...row, temp: known.includes(row.temp as number) ? row.temp : median }));
    const detector = new CAD({ standardize: true }).fit(table(gaps, { missing: 'median' }));
    expect(detector.scores).toEqual(new CAD({ standardize: true }).fit(filled).scores);
    expect(load(detector.toBytes()).score(gaps)).toEqual(detector.score(filled));
  });

  it('have a feature that marks them, where that is asked for', () => {
    const detector = new CAD().fit(table(gaps, { missing: 'indicator' }));
    expect(detector.recipe?.features.slice(0, 2)).toEqual(['temp', 'temp is missing']);
    const marked = MATRIX.map(([, ...rest], i) => [
      i % 10 === 3 ? median : (gaps[i]?.temp as number),
      Number(i % 10 === 3),
      ...rest,
    ]);
    expect(detector.scores).toEqual(new CAD().fit(marked).scores);
  });

  it('drop their rows: the others keep their numbers, and such rows score NaN', () => {
    const detector = new CAD({ standardize: true }).fit(table(gaps, { missing: 'drop' }));
    const kept = [...gaps.keys()].filter((i) => i % 10 !== 3);
    expect([...(detector.keptRows ?? [])]).toEqual(kept);
    expect(detector.notes).toContain('left out 6 rows of 60 that lack values: "temp" lacks 6');
    const scores = detector.score(gaps);
    expect([...scores.keys()].filter((i) => Number.isNaN(scores[i]))).toEqual([3, 13, 23, 33, 43, 53]);
    expect(scores.filter((score) => !Number.isNaN(score))).toEqual(
      detector.score(kept.map((i) => MACHINES[i] as Machine)),
    );
  });
});

describe('columns that are no numbers', () => {
  const HOUR = 3_600_000;
  const rows = Array.from({ length: 40 }, (_, i) => ({
    x: Math.sqrt(i), // no ties, which the last digit of a sine would decide
    when: new Date(1.7e12 + i * 5 * HOUR),
    name: `n${i % 20}`,
  }));

  it('are left out with a reason', () => {
    const detector = new CAD().fit(rows);
    expect(detector.columns?.map(({ name }) => name)).toEqual(['x']);
    expect(detector.recipe?.left.map(({ name }) => name)).toEqual(['when', 'name']);
    expect(detector.notes[0]).toMatch(/"when" \(it holds dates and times.*"name" \(text with more than 10 values/);
  });

  it('are days, points on circles and shares of rows, where that is asked for', () => {
    const detector = new CAD().fit(table(rows, { dates: 'both', categories: 'frequency' }));
    const circle = (turns: number) => [Math.sin(2 * Math.PI * turns), Math.cos(2 * Math.PI * turns)];
    const byHand = rows.map(({ x, when }) => {
      const days = when.getTime() / (24 * HOUR);
      return [x, days, ...circle(days % 1), ...circle(((days + 3) / 7) % 1), 1 / 20];
    });
    const scores = new CAD().fit(byHand).scores;
    detector.scores.forEach((score, i) => {
      expect(score).toBeCloseTo(scores[i] as number, 9);
    });
  });
});

describe('spaces around names', () => {
  const spaced = (rows: readonly Machine[]) => rows.map(({ temp, size }) => ({ ' temp ': temp, size }));
  const model = new CAD().fit(spaced(MACHINES));
  const expected = model.score(spaced(MACHINES));

  it.each<[string, NamedRows]>([
    ['objects', MACHINES.map(({ temp, size }) => ({ size, temp }))],
    ['columns', columnsOf(MACHINES)],
    ['Arrow', tableFromArrays(columnsOf(MACHINES)) as unknown as NamedRows],
    ['objects with other spaces', MACHINES.map(({ temp, size }) => ({ 'temp  ': temp, size }))],
  ])('of the model are not needed in %s', (_, rows) => {
    expect(load(model.toBytes()).score(rows)).toEqual(expected);
  });
});

it('columns of objects that go in circles are left out, as those of other objects', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const rows = MACHINES.map(({ temp, size }) => ({ temp, size, circle }));
  const model = new CAD().fit(rows as unknown as NamedRows);
  expect(model.recipe?.left.map(({ name }) => name)).toEqual(['circle']);
});
