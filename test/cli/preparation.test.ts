// What a model file says of its columns comes from a stranger: nothing in it is used unchecked.
import { describe, expect, it } from 'vitest';
import { DataError } from '../../src/cli/errors.js';
import { Preparation } from '../../src/cli/preparation.js';

const good = {
  columns: [
    { kind: 'number', name: 'a', index: 0, fill: 1.5 },
    { kind: 'category', name: 'kind', index: 2, values: ['x', 'y'] },
  ],
  width: 3,
  isNamed: true,
  missing: 'median',
};

describe('the preparation in a model file', () => {
  it('comes back as it was', () => {
    const preparation = Preparation.fromJSON(JSON.parse(JSON.stringify(good)), 3);
    expect(preparation.features).toEqual(['a', 'kind=x', 'kind=y']);
    expect(JSON.parse(JSON.stringify(preparation))).toEqual(good);
    expect(preparation.locate(['kind', 'z', 'a'], true, 'it')).toEqual([2, 0]);
    expect(preparation.locate(['1', '2', '3'], false, 'it')).toEqual([0, 2]);
  });

  it.each([
    null,
    [],
    'text',
    { ...good, columns: 'none' },
    { ...good, columns: [null] },
    { ...good, columns: [{ ...good.columns[0], name: 7 }, good.columns[1]] },
    { ...good, columns: [{ ...good.columns[0], index: 3 }, good.columns[1]] },
    { ...good, columns: [{ ...good.columns[0], index: -1 }, good.columns[1]] },
    { ...good, columns: [{ ...good.columns[0], fill: 'x' }, good.columns[1]] },
    { ...good, columns: [{ ...good.columns[0], kind: 'other' }, good.columns[1]] },
    { ...good, columns: [good.columns[0], { ...good.columns[1], values: [1, 2] }] },
    { ...good, columns: [good.columns[0]] },
    { ...good, width: 1e12 },
    { ...good, missing: 'guess' },
  ])('is refused where it is wrong: %j', (value) => {
    expect(() => Preparation.fromJSON(value, 3)).toThrow(DataError);
  });
});
