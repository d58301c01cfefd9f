// The numbers that help and README choose methods by are those of docs/quality.md, which `npm run quality` writes.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METHODS } from '../../src/cli/methods.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** What the table of docs/quality.md calls each method. */
const NAMES = {
  landmark: 'LandmarkCAD',
  cad: 'CAD',
  kcad: 'K-CAD rbf',
  knn: 'KNN',
  lof: 'LOF',
  iforest: 'IsolationForest',
  ocsvm: 'OneClassSVM',
  ee: 'EllipticEnvelope',
} as const satisfies Record<keyof typeof METHODS, string>;

const measured = new Map(
  [...read('docs/quality.md').matchAll(/^\| (.+) \(curvad\) \| ([\d.]+) \|/gm)].map(([, name, auroc]) => [name, auroc]),
);
const readme = [...read('README.md').matchAll(/^\| [^|]+ \| `new (\w+)\((.*?)\)` +\| ([\d.]+) +\|/gm)];

describe('the AUROC of', () => {
  it.each(Object.entries(NAMES))('%s is the measured one', (method, name) => {
    expect(METHODS[method as keyof typeof METHODS].auroc.toFixed(1)).toBe(measured.get(name));
    const isKernel = method === 'kcad';
    const line = readme.find(
      ([, type, options]) => (isKernel ? 'CAD' : name) === type && isKernel === options?.includes('kernel'),
    );
    expect(line?.[3]).toBe(measured.get(name));
  });
});
