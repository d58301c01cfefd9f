// The prototype selectors by their names on the command line, each with its options.
import {
  DROP3,
  type DROP3Options,
  ENN,
  type ENNOptions,
  InverseCAD,
  type InverseCADOptions,
  IRMD,
  type PrototypeSelector,
  PSA,
  type PSAOptions,
  SDM,
  ShellExtraction,
  SOS,
} from '../index.js';
import type { MethodOptions } from './methods.js';

export interface SelectorEntry {
  readonly about: string;
  readonly options: ReadonlyArray<keyof MethodOptions>;
  /** Whether it ranks rows, so that a share can be kept, and whether it can itself decide how many to keep. */
  readonly ranks: boolean;
  readonly retains: boolean;
  make(options: MethodOptions): PrototypeSelector;
}

const CURVATURE = ['neighbors', 'kernel', 'gamma', 'degree', 'coef0', 'standardize'] as const;

export const SELECTORS = {
  icad: {
    about: 'flattest vertices of the polyhedron: inverse CAD; with a kernel, kernel iCAD',
    options: CURVATURE,
    ranks: true,
    retains: true,
    make: (options) => new InverseCAD(options as InverseCADOptions),
  },
  irmd: {
    about: 'least aligned with an orthonormal basis',
    options: [],
    ranks: true,
    retains: false,
    make: () => new IRMD(),
  },
  psa: {
    about: 'groups with the regression and scatter of the whole',
    options: ['seed'],
    ranks: true,
    retains: false,
    make: (options) => new PSA(options as PSAOptions),
  },
  sos: {
    about: 'spread over the distances from the mean',
    options: [],
    ranks: true,
    retains: false,
    make: () => new SOS(),
  },
  se: { about: 'the outer shell', options: [], ranks: true, retains: false, make: () => new ShellExtraction() },
  sdm: { about: 'nearest to the mean', options: [], ranks: true, retains: false, make: () => new SDM() },
  enn: {
    about: 'removes rows outvoted by their neighbours (needs --class)',
    options: ['neighbors'],
    ranks: false,
    retains: true,
    make: (options) => new ENN(options as ENNOptions),
  },
  drop3: {
    about: 'removes rows whose removal changes no vote for the worse (needs --class)',
    options: ['neighbors'],
    ranks: false,
    retains: true,
    make: (options) => new DROP3(options as DROP3Options),
  },
} as const satisfies Record<string, SelectorEntry>;

export type SelectorName = keyof typeof SELECTORS;
export const SELECTOR_NAMES = Object.keys(SELECTORS) as SelectorName[];
