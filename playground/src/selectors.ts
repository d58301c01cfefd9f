// The prototype selectors as the page offers them.

export interface Selector {
  readonly title: string;
  /** The class, and what the page gives it. */
  readonly type: string;
  readonly options: Readonly<Record<string, boolean>>;
  readonly about: string;
  /** Whether it needs a column of classes, and decides by itself how many rows stay. */
  readonly needsClasses: boolean;
}

const selector = (title: string, type: string, about: string): Selector => {
  return { title, type, options: {}, about, needsClasses: false };
};
const editor = (title: string, about: string): Selector => {
  return { ...selector(title, title, about), needsClasses: true };
};

export const SELECTORS = {
  icad: {
    ...selector('Inverse CAD', 'InverseCAD', 'The flattest corners: rows with others all around.'),
    options: { standardize: true },
  },
  irmd: selector('IRMD', 'IRMD', 'Rows least aligned with an orthonormal basis.'),
  psa: selector('PSA', 'PSA', 'Groups that regress and scatter as the whole does.'),
  sos: selector('SOS', 'SOS', 'Spread over the distances from the mean.'),
  se: selector('Shell extraction', 'ShellExtraction', 'The outer shell.'),
  sdm: selector('SDM', 'SDM', 'The rows nearest to the mean.'),
  enn: editor('ENN', 'Without rows outvoted by their neighbours.'),
  drop3: editor('DROP3', 'Without rows whose removal hurts no vote.'),
} as const satisfies Record<string, Selector>;

export type SelectorName = keyof typeof SELECTORS;
export const SELECTOR_NAMES = Object.keys(SELECTORS) as SelectorName[];
