// The prototype selectors as the page offers them.

export interface Selector {
  readonly title: string;
  readonly about: string;
  /** Whether it needs a column of classes, and decides by itself how many rows stay. */
  readonly needsClasses: boolean;
}

export const SELECTORS = {
  icad: { title: 'Inverse CAD', about: 'The flattest corners: rows with others all around.', needsClasses: false },
  irmd: { title: 'IRMD', about: 'Rows least aligned with an orthonormal basis.', needsClasses: false },
  psa: { title: 'PSA', about: 'Groups that regress and scatter as the whole does.', needsClasses: false },
  sos: { title: 'SOS', about: 'Spread over the distances from the mean.', needsClasses: false },
  se: { title: 'Shell extraction', about: 'The outer shell.', needsClasses: false },
  sdm: { title: 'SDM', about: 'The rows nearest to the mean.', needsClasses: false },
  enn: { title: 'ENN', about: 'Without rows outvoted by their neighbours.', needsClasses: true },
  drop3: { title: 'DROP3', about: 'Without rows whose removal hurts no vote.', needsClasses: true },
} as const satisfies Record<string, Selector>;

export type SelectorName = keyof typeof SELECTORS;
export const SELECTOR_NAMES = Object.keys(SELECTORS) as SelectorName[];
