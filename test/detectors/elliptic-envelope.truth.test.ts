// EllipticEnvelope beside scikit-learn. Where nothing is random (supportFraction 1) everything must agree.
// Otherwise both search at random: curvad's determinant must be no higher than the least of scikit-learn's
// over its seeds (which are far apart on musk: see make_envelope.py), or by 1 % on real data, and as its own
// seeds differ in AUC by up to two points, means over seeds are compared.

import { describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/input/matrix.js';
import { finish } from '../../src/core/steps.js';
import { wasmMahalanobis } from '../../src/core/wasm/mahalanobis.js';
import { fastMcd } from '../../src/detectors/fast-mcd.js';
import { EllipticEnvelope, type FlatMatrix, rocAuc } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import { fixture, isDataMissing, loadData } from '../support/data.js';

interface Exact {
  location: number[];
  covariance: number[];
  support: number[];
  scores: number[];
}

interface Best {
  rawLogDeterminant: number;
  logDeterminant: number;
  location: number[];
  deviation: number[];
}

interface Fixture {
  synthetic: Array<{ name: string; rows: number[][]; whole: Exact; centered: Exact; best: Best }>;
  real: Array<{ name: string; best?: Best; auc?: number[]; aucOfVaryingColumns?: number[] }>;
}

const { synthetic, real } = fixture<Fixture>('envelope');

const flagged = (flags: Uint8Array): number[] => [...flags].flatMap((flag, i) => (flag === 1 ? [i] : []));
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** ln of the determinant of the rows the search ends with, before reweighting. */
function rawLogDeterminant({ data, rows, columns }: FlatMatrix, seed: number): number {
  const tools = wasmMahalanobis('simd');
  const held = tools.hold(new RowReader().attach({ data, rows, columns }));
  try {
    const support = Math.ceil((rows + columns + 1) / 2);
    return finish(fastMcd({ rows: held, tools, isCentered: false }, support, seed)).logDeterminant;
  } finally {
    held.release();
  }
}

/** 1 % of a determinant. */
const PERCENT = Math.log(1.01);

describe.each(synthetic)('on the set "$name"', ({ name, rows, whole, centered, best }) => {
  it.each([
    ['with all rows as support', whole, { supportFraction: 1 }],
    ['with all rows around 0', centered, { supportFraction: 1, assumeCentered: true }],
  ] as const)('everything is what scikit-learn gives, %s', (_, truth, options) => {
    using envelope = new EllipticEnvelope(options).fit(rows);
    expect(flagged(envelope.support)).toEqual(truth.support);
    expectAllClose(envelope.location, truth.location, { ofLargest: 1e-9 });
    expectAllClose(envelope.covariance, truth.covariance, { ofLargest: 1e-9 });
    expectAllClose(envelope.scores, truth.scores, { ofLargest: 1e-9 });
    expect(envelope.isSingular).toBe(false);
  });

  it('the determinant is no higher than the best of twenty fits of scikit-learn, for each of five seeds', () => {
    const columns = (rows[0] as number[]).length;
    const flat = { data: Float64Array.from(rows.flat()), rows: rows.length, columns };
    for (let seed = 0; seed < 5; seed++) {
      expect(rawLogDeterminant(flat, seed)).toBeLessThanOrEqual(best.rawLogDeterminant + 1e-9);
    }
  });

  // Of two clusters scikit-learn's twenty fits never find the tighter: there the determinant says it all.
  it.skipIf(name === 'two clusters')(
    'the location is that of the best fit of scikit-learn, to a tenth of a deviation',
    () => {
      using envelope = new EllipticEnvelope().fit(rows);
      envelope.location.forEach((value, j) => {
        expect(Math.abs(value - (best.location[j] as number))).toBeLessThanOrEqual(0.1 * (best.deviation[j] as number));
      });
    },
  );
});

describe.skipIf(isDataMissing('EllipticEnvelope on real data'))('on real data', () => {
  const regular = real.filter(({ best }) => best !== undefined);
  it.each(regular)(
    'the determinant is at most 1 % above the least of scikit-learn’s seeds: $name',
    ({ name, best }) => {
      const { X, rows, columns } = loadData(name);
      const truth = (best as Best).rawLogDeterminant;
      for (const seed of name === 'musk' ? [0, 1] : [0, 1, 2]) {
        const found = rawLogDeterminant({ data: X, rows, columns }, seed);
        console.log(`${name}, seed ${seed}: ln det ${found.toFixed(3)}, scikit-learn ${truth.toFixed(3)}`);
        expect(found).toBeLessThanOrEqual(truth + PERCENT);
      }
    },
  );

  // Where a covariance is singular, seeds differ in AUC by 1.4 points of standard deviation: it takes several.
  const ranked = real.filter(({ auc }) => auc !== undefined && auc.length > 0);
  it.each(ranked)('AUC is that of scikit-learn, mean over seeds, to a point: $name', (truth) => {
    const { name, auc, aucOfVaryingColumns } = truth;
    const { X, rows, columns, labels } = loadData(name);
    const seeds = name === 'musk' ? 1 : name === 'arrhythmia' ? 10 : 6;
    const ours = Array.from({ length: seeds }, (_, seed) => {
      using envelope = new EllipticEnvelope({ seed }).fit({ data: X, rows, columns });
      return rocAuc(labels, envelope.scores);
    });
    // Constant columns are no dimensions here, so that scikit-learn without them is the nearer truth.
    for (const theirs of [auc, aucOfVaryingColumns]) {
      if (theirs === undefined) continue;
      console.log(`${name}: AUC ${mean(ours).toFixed(4)}, scikit-learn ${mean(theirs).toFixed(4)}`);
      expect(Math.abs(mean(ours) - mean(theirs))).toBeLessThanOrEqual(0.01);
    }
  });

  it('says that the covariance of optdigits is singular, and scores all rows', () => {
    const { X, rows, columns } = loadData('optdigits');
    using envelope = new EllipticEnvelope().fit({ data: X, rows, columns });
    expect(envelope.isSingular).toBe(true);
    expect(envelope.rank).toBeLessThanOrEqual(62);
    expect(envelope.scores.every((score) => Number.isFinite(score) && score >= 0)).toBe(true);
  });
});
