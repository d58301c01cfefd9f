// What a model file says of its columns comes from a stranger: nothing in it is used unchecked.
import { describe, expect, it } from 'vitest';
import { CurvadError } from '../../src/core/errors.js';
import { locate } from '../../src/tables/locate.js';
import { Recipe } from '../../src/tables/recipe.js';

const good = {
  columns: [
    { kind: 'number', name: 'a', index: 0, fill: 1.5 }, // as versions before indicators wrote it
    { kind: 'category', name: 'kind', index: 2, values: ['x', 'y'] },
  ],
  width: 3,
  isNamed: true,
  missing: 'median',
};

describe('the recipe in a model file', () => {
  it('comes back as it was', () => {
    const recipe = Recipe.fromJSON(JSON.parse(JSON.stringify(good)), 3);
    expect(recipe.features).toEqual(['a', 'kind=x', 'kind=y']);
    expect(Recipe.fromJSON(JSON.parse(JSON.stringify(recipe)), 3)).toEqual(recipe);
    expect(recipe.columns.map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'number'],
      ['kind', 'category'],
    ]);
    expect(locate(recipe, ['kind', 'z', 'a'], true, 'it')).toEqual([2, 0]);
    expect(locate(recipe, ['1', '2', '3'], false, 'it')).toEqual([0, 2]);
  });

  it('may have any number of categories', () => {
    const values = Array.from({ length: 200_000 }, (_, i) => `value ${i}`);
    const recipe = Recipe.fromJSON({ ...good, columns: [{ ...good.columns[1], values }] }, values.length);
    expect(recipe.features).toHaveLength(values.length);
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
    expect(() => Recipe.fromJSON(value, 3)).toThrow(CurvadError);
  });
});
