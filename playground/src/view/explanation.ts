// Why the selected row has its score: its values beside usual ones, what would make it normal, and which columns stay.
import type { App } from '../app.js';
import { button, find, make } from '../dom.js';
import type { ExplainReply } from '../engine/protocol.js';
import { short } from '../numbers.js';
import type { State } from '../state.js';

const SHOWN = 12;
const NEIGHBORS = 6;

export function mountExplanation(app: App): void {
  app.store.subscribe((state, changed) => {
    if (changed.has('explanation') || changed.has('selected') || changed.has('frozen')) update(app, state);
  });
}

function update(app: App, { explanation, selected, frozen }: State): void {
  const panel = find('explanation');
  if (selected === undefined) {
    panel.replaceChildren(make('p', { class: 'hint' }, 'Choose a row on the map or in the list of rows.'));
    return;
  }
  if (explanation === undefined || explanation.row !== selected) {
    panel.replaceChildren(make('p', { class: 'hint' }, `Row ${selected} …`));
    return;
  }
  // The box that was clicked keeps the focus when the panel is made again.
  const focused = (document.activeElement as HTMLElement | null)?.dataset['frozen'];
  panel.replaceChildren(...partsOf(app, explanation, frozen));
  if (focused !== undefined) panel.querySelector<HTMLElement>(`[data-frozen="${CSS.escape(focused)}"]`)?.focus();
}

function partsOf(app: App, explanation: ExplainReply, frozen: readonly string[]): HTMLElement[] {
  const { row, score, threshold, isAnomaly } = explanation;
  const verdict = make(
    'p',
    { role: 'status', id: 'verdict' },
    make('b', {}, `Row ${row} is `),
    make('b', isAnomaly ? { class: 'flagged-word' } : {}, isAnomaly ? 'an anomaly' : 'normal'),
    `: its score ${short(score)} is ${isAnomaly ? 'above' : 'not above'} ${short(threshold)}.`,
  );
  const next = make('p', {}, 'Most like it: ');
  for (const neighbor of explanation.neighbors.slice(0, NEIGHBORS))
    next.append(
      button(`row ${neighbor}`, () => void app.select(neighbor), { class: 'link' }),
      ' ',
    );
  return [verdict, reasons(app, explanation, frozen), wayOut(explanation), next, allCells(explanation)];
}

function reasons(app: App, { row, columns, basis }: ExplainReply, frozen: readonly string[]): HTMLElement {
  const of = basis === 'distance' ? 'distance' : basis === 'curvature' ? 'curvature' : 'difference';
  const head = make(
    'tr',
    {},
    ...['Column', 'Here', 'Usual', 'Share', 'Stays'].map((title) => make('th', { scope: 'col' }, title)),
  );
  const lines = columns.slice(0, SHOWN).map(({ name, value, typical, share }) => {
    const box = make('input', {
      type: 'checkbox',
      'data-frozen': name,
      'aria-label': `${name} stays as it is`,
      checked: frozen.includes(name),
    });
    box.addEventListener('change', () => {
      const others = app.state.frozen.filter((other) => other !== name);
      void app.select(row, box.checked ? [...others, name] : others);
    });
    const part = make('meter', {
      min: 0,
      max: 1,
      value: Math.min(1, Math.max(0, share)),
      'aria-label': `Share of ${name}`,
    });
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, name),
      make('td', { class: typeof value === 'number' ? 'number' : undefined }, told(value)),
      make('td', { class: typeof typical === 'number' ? 'number' : undefined }, told(typical)),
      make('td', { class: 'share' }, `${Math.round(100 * share)} %`, part),
      make('td', {}, box),
    );
  });
  const caption = make('caption', {}, `What sets it apart: shares of its ${of}, beside what is usual in rows like it.`);
  return make('table', {}, caption, make('thead', {}, head), make('tbody', {}, ...lines));
}

function wayOut({ changes, isNormalAfter, isAnomaly, why, stay }: ExplainReply): HTMLElement {
  const part = make('div', { id: 'way-out' });
  const columnsStay = stay.length > 0;
  if (!isAnomaly && changes.length === 0) return part;
  part.append(make('h3', {}, 'What would make it normal'));
  if (!isNormalAfter) part.append(make('p', {}, `Nothing that was tried${why === undefined ? '' : `: ${why}`}.`));
  if (changes.length > 0) {
    const lines = changes
      .slice(0, SHOWN)
      .map(({ name, from, to }) => make('li', {}, make('b', {}, name), ` ${told(from)} → ${told(to)}`));
    part.append(make('ul', {}, ...lines));
  } else if (isNormalAfter) part.append(make('p', {}, 'Nothing has to change.'));
  if (columnsStay) part.append(make('p', { class: 'hint' }, 'With the columns that stay as they are.'));
  if (isNormalAfter && why !== undefined) part.append(make('p', { class: 'hint' }, `But ${why}.`));
  return part;
}

const told = (value: number | string): string => (typeof value === 'number' ? short(value) : value);

function allCells({ cells }: ExplainReply): HTMLElement {
  const lines = cells.map(([name, text]) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, text)));
  return make('details', {}, make('summary', {}, 'The whole row'), make('table', {}, make('tbody', {}, ...lines)));
}
