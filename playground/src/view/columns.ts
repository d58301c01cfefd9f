// The columns: what each holds, and what it is used for.
import type { App } from '../app.js';
import { fillChoice, find, make } from '../dom.js';
import type { ColumnSummary, ColumnUse } from '../engine/protocol.js';
import { count } from '../numbers.js';

const MOST = 200;

const USES: Readonly<Record<ColumnUse, string>> = {
  number: 'number',
  category: 'category',
  time: 'time: orders the rows',
  class: 'class: for prototypes',
  identity: 'names the rows',
  ignore: 'ignore',
};

export function mountColumns(app: App): void {
  app.store.subscribe(({ data }, changed) => {
    if (!changed.has('data') || data === undefined) return;
    const focused = document.activeElement?.id;
    const head = ['Column', 'Holds', 'Values', 'Missing', 'Used as'].map((title) =>
      make('th', { scope: 'col' }, title),
    );
    const lines = data.columns.slice(0, MOST).map((column, i) => lineOf(app, column, `use-${i}`));
    const told =
      data.columns.length > MOST
        ? `The first ${MOST} of ${data.columns.length} columns.`
        : 'What detectors look at are numbers and categories.';
    find('columns').replaceChildren(
      make('caption', {}, told),
      make('thead', {}, make('tr', {}, ...head)),
      make('tbody', {}, ...lines),
    );
    if (focused?.startsWith('use-')) document.getElementById(focused)?.focus();
  });
}

function lineOf(app: App, { name, kind, about, missing, use, uses }: ColumnSummary, id: string): HTMLElement {
  const select = make('select', { id, 'aria-label': `${name} is used as` });
  fillChoice(
    select,
    uses.map((value) => [value, USES[value]] as const),
    use,
  );
  select.disabled = uses.length < 2;
  select.addEventListener('change', () => void app.use(name, select.value as ColumnUse));
  return make(
    'tr',
    {},
    make('th', { scope: 'row' }, name),
    make('td', {}, kind),
    make('td', {}, about),
    make('td', { class: 'number' }, missing > 0 ? count(missing) : ''),
    make('td', {}, select),
  );
}
