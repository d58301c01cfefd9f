// The rows that stand for the others.
import { DROP3, ENN, InverseCAD, IRMD, type PrototypeSelector, PSA, SDM, ShellExtraction, SOS } from 'curvad';
import type { SelectorName } from '../selectors.js';
import { SELECTORS } from '../selectors.js';
import type { DataSet } from './data-set.js';
import { Failure } from './failure.js';
import type { ReplyOf, RequestOf } from './protocol.js';
import type { Context, Session } from './session.js';
import { textOf } from './views.js';

const MAKERS: Readonly<Record<SelectorName, () => PrototypeSelector>> = {
  icad: () => new InverseCAD({ standardize: true }),
  irmd: () => new IRMD(),
  psa: () => new PSA(),
  sos: () => new SOS(),
  se: () => new ShellExtraction(),
  sdm: () => new SDM(),
  enn: () => new ENN(),
  drop3: () => new DROP3(),
};

export async function selectPrototypes(
  session: Session,
  { selector, keep }: RequestOf<'prototypes'>,
  context: Context,
): Promise<ReplyOf<'prototypes'>> {
  const { data } = session;
  const classColumn = data.named('class');
  const { needsClasses, title } = SELECTORS[selector];
  if (needsClasses && classColumn === undefined)
    throw new Failure(
      'NO_CLASSES',
      `${title} compares classes: set a column with few values to “class” in the table of columns.`,
    );
  const prototypes = MAKERS[selector]();
  const threads = { signal: context.signal, onProgress: ({ done }: { done: number }) => context.progress(done) };
  const begin = performance.now();
  const kept = needsClasses
    ? await prototypes.retainAsync(data.input, textsOf(data, classColumn as string), threads)
    : await prototypes.selectAsync(data.input, undefined, { keep }, threads);
  return { kept: kept.slice(), seconds: (performance.now() - begin) / 1000 };
}

function textsOf(data: DataSet, name: string): string[] {
  const column = data.column(name);
  return Array.from({ length: data.table.rows }, (_, row) => textOf(column, row));
}
