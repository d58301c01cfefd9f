// Model files of a one-class SVM from strangers: every field and section is checked, and what gets through
// scores finite numbers.
import { describe, expect, it } from 'vitest';
import { type Model, readModel, writeModel } from '../../src/core/model-file/model-file.js';
import { CurvadError, load, OneClassSVM } from '../../src/index.js';
import { Random } from '../support/data.js';

const random = new Random(21);
const ROWS = random.rows(25, 3);
const NEW = random.rows(4, 3);
const KERNELS = ['rbf', 'linear', 'polynomial', 'sigmoid'] as const;
const FILES = KERNELS.map((kernel) =>
  new OneClassSVM({ kernel, nu: 0.3, standardize: kernel === 'rbf' }).fit(ROWS).toBytes(),
);
const RBF = readModel(FILES[0]);

const withField = (name: string, value: unknown, model = RBF): Model => ({
  ...model,
  fields: { ...model.fields, [name]: value },
});

function withNumber(name: string, index: number, value: number): Model {
  const section = (RBF.sections[name] as Float64Array).slice();
  section[index] = value;
  return { ...RBF, sections: { ...RBF.sections, [name]: section } };
}

/** 'refused: CODE' or 'finite'; anything else fails the test. */
function outcome(model: Model): string {
  try {
    using loaded = load(writeModel(model));
    const scores = [...loaded.scores, ...loaded.score(NEW)];
    if (!scores.every(Number.isFinite)) throw new Error(`scores ${scores.join()}`);
    return 'finite';
  } catch (error) {
    if (error instanceof CurvadError && error.code.startsWith('MODEL_')) return `refused: ${error.code}`;
    throw error;
  }
}

describe('a model file of a one-class SVM', () => {
  it('is accepted as it was written', () => {
    for (const file of FILES) expect(outcome(readModel(file))).toBe('finite');
  });

  it.each(['rows', 'columns', 'vectors', 'rho', 'gap', 'iterations', 'gamma', 'unit', 'isByDifferences', 'nu'])(
    'is refused with another kind of %s',
    (name) => {
      for (const value of [-1.5, null, '12', [12], { value: 12 }, Number.MAX_VALUE]) {
        const isAllowed = (name === 'gap' || name === 'gamma' || name === 'rho') && typeof value === 'number';
        const isCount = (name === 'rows' || name === 'columns') && value === Number.MAX_VALUE;
        const code = isCount ? 'MODEL_TOO_LARGE' : 'MODEL_CORRUPT';
        if (!isAllowed) expect(outcome(withField(name, value)), JSON.stringify(value)).toBe(`refused: ${code}`);
      }
    },
  );

  it.each(['rows', 'columns', 'vectors', 'rho', 'gap', 'iterations', 'gamma', 'unit', 'isByDifferences'])(
    'is refused without %s',
    (name) => {
      expect(outcome(withField(name, undefined))).toBe('refused: MODEL_CORRUPT');
    },
  );

  it.each(['vectors', 'coefficients', 'indices', 'offset', 'scale', 'scores'])(
    'is refused without section %s, or with one of another length or type',
    (name) => {
      const { [name]: section, ...others } = RBF.sections;
      expect(outcome({ ...RBF, sections: others })).toBe('refused: MODEL_CORRUPT');
      const shorter = (section as Float64Array).slice(1);
      expect(outcome({ ...RBF, sections: { ...others, [name]: shorter } })).toBe('refused: MODEL_CORRUPT');
      const retyped = Float32Array.from(section as Float64Array);
      expect(outcome({ ...RBF, sections: { ...others, [name]: retyped } })).toBe('refused: MODEL_CORRUPT');
    },
  );

  it.each([
    ['a coefficient of 0', withNumber('coefficients', 0, 0)],
    ['a coefficient above 1', withNumber('coefficients', 0, 1.5)],
    ['coefficients that do not add up to νn', withNumber('coefficients', 0, 1e-9)],
    ['a coefficient that is NaN', withNumber('coefficients', 1, Number.NaN)],
    ['an index beyond the rows', withNumber('indices', (RBF.sections['indices']?.length as number) - 1, 25)],
    ['an index twice', withNumber('indices', 1, RBF.sections['indices']?.[0] as number)],
    ['a support vector out of range', withNumber('vectors', 2, 1e151)],
    ['an infinite support vector', withNumber('vectors', 2, Infinity)],
    ['a scale of 0', withNumber('scale', 0, 0)],
    ['a negative scale', withNumber('scale', 1, -1)],
    ['a unit that is no power of two', withField('unit', 3)],
    ['a unit that lets scores overflow', withField('unit', 2 ** -1000, readModel(FILES[1]))],
    ['a unit for a kernel that needs none', withField('unit', 0.5)],
    ['differences for a kernel of products', withField('isByDifferences', true, readModel(FILES[1]))],
    ['an unknown kernel', withField('kernel', 'cosine')],
    ['a ν of 0', withField('nu', 0)],
    ['a ρ beyond what scores can hold', withField('rho', 1e301)],
    ['a negative gap', withField('gap', -1)],
  ])('is refused with %s', (_, model) => {
    expect(outcome(model)).toBe('refused: MODEL_CORRUPT');
  });

  it('is refused by the loader of another detector', () => {
    expect(() => OneClassSVM.load(writeModel({ ...RBF, detector: 'CAD' }))).toThrow(
      expect.objectContaining({ code: 'MODEL_FOREIGN' }),
    );
  });

  it('gives finite scores with any kernel parameters it allows', () => {
    for (const file of FILES) {
      for (const [name, value] of [
        ['gamma', 1e308],
        ['gamma', 1e-308],
        ['coef0', -1e308],
        ['degree', 2 ** 31 - 1],
        ['unit', 2 ** 1000],
      ] as const) {
        expect(outcome(withField(name, value, readModel(file)))).toMatch(/^(finite|refused: MODEL_CORRUPT)$/);
      }
    }
  });
});
