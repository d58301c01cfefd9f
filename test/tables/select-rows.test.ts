// Some rows of a table are the table of these rows: the same is learned from both, and the same numbers come out.
import { describe, expect, it } from 'vitest';
import { finish } from '../../src/core/steps.js';
import { applyRecipe } from '../../src/tables/apply.js';
import { partableRows } from '../../src/tables/folds-of-rows.js';
import { learnRecipe } from '../../src/tables/learn.js';
import { tableOf } from '../../src/tables/named.js';
import { checkTableOptions } from '../../src/tables/options.js';
import { table } from '../../src/tables/reader.js';
import { selectRows } from '../../src/tables/select-rows.js';
import { IN_A_PROGRAM } from '../../src/tables/wording.js';
import { Random } from '../support/data.js';

const random = new Random(71);
const maybe = <T>(value: T): T | null => (random.uniform() < 0.2 ? null : value);
const objects = Array.from({ length: 120 }, (_, i) => ({
  number: maybe(random.gaussian()),
  whole: i,
  flag: maybe(random.uniform() < 0.5),
  text: maybe(['red', 'green', 'blue', 'rare'][i === 60 ? 3 : random.integer(3)] as string),
  name: `n${random.integer(40)}`,
  at: maybe(new Date(1.7e12 + random.integer(1e9))),
  id: maybe(2n ** 60n + BigInt(i)),
  list: [i],
}));
const settings = checkTableOptions({ missing: 'indicator', categories: 'frequency', dates: 'both' });
const application = { where: 'the table', wording: IN_A_PROGRAM };

describe('selectRows', () => {
  it.each([
    ['some', Uint32Array.from({ length: 50 }, (_, i) => (7 * i) % 120)],
    ['one', Uint32Array.of(60)],
    ['all', Uint32Array.from({ length: 120 }, (_, i) => i)],
  ])('gives the table of %s of the rows', (_, which) => {
    const truth = finish(tableOf(Array.from(which, (row) => objects[row])));
    const found = selectRows(finish(tableOf(objects)), which);
    expect(found.columns.map(({ missing }) => missing)).toEqual(truth.columns.map(({ missing }) => missing));
    const [wanted, got] = [truth, found].map((rows) => finish(learnRecipe(rows, settings, IN_A_PROGRAM)).recipe);
    // A column without a value in any row has a kind only where others know one: both leave it out.
    expect(got?.columns).toEqual(wanted?.columns);
    const [numbers, same] = [truth, found].map((rows) =>
      finish(applyRecipe(rows, { ...application, recipe: wanted as NonNullable<typeof wanted> })),
    );
    expect(same?.data).toEqual(numbers?.data);
  });
});

describe('parts of a table', () => {
  it('follow what the training rows tell, and nothing else', () => {
    const rows = [
      { x: 1, c: 'a' },
      { x: null, c: 'b' },
      { x: 3, c: 'a' },
      { x: 100, c: 'z' },
      { x: null, c: 'b' },
    ];
    const whole = finish(partableRows(table(rows, { missing: 'median' })));
    const { train, test } = finish(whole.part({ train: Uint32Array.of(0, 1, 2), test: Uint32Array.of(3, 4) }));
    expect([...train.data]).toEqual([1, 1, 0, 2, 0, 1, 3, 1, 0]);
    expect([...test.data]).toEqual([100, 0, 0, 2, 0, 1]);
  });
});
