// Why the selected row has its score: its values beside usual ones, what would make it normal, and which columns must stay.
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

function reasons(app: App, { columns, basis }: ExplainReply, frozen: readonly string[]): HTMLElement {
  const of = basis === 'distance' ? 'distance' : basis === 'curvature' ? 'curvature' : 'difference';
  const head = make(
    'tr',
    {},
    ...['Column', 'This row', 'Rows like it', `Part of its ${of}`, 'Must stay'].map((title) =>
      make('th', { scope: 'col' }, title),
    ),
  );
  const lines = columns.slice(0, SHOWN).map(({ name, value, typical, share }) => {
    const box = make('input', {
      type: 'checkbox',
      'data-frozen': name,
      'aria-label': `${name} must stay`,
      checked: frozen.includes(name),
    });
    box.addEventListener('change', () => {
      const others = app.state.frozen.filter((other) => other !== name);
      void app.freeze(box.checked ? [...others, name] : others);
    });
    const part = make('meter', {
      min: 0,
      max: 1,
      value: Math.min(1, Math.max(0, share)),
      'aria-label': `part of ${name}`,
    });
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, name),
      make('td', { class: 'number' }, short(value)),
      make('td', { class: 'number' }, short(typical)),
      make('td', {}, part, ` ${Math.round(100 * share)} %`),
      make('td', {}, box),
    );
  });
  const caption = make('caption', {}, 'What sets it apart');
  return make('table', {}, caption, make('thead', {}, head), make('tbody', {}, ...lines));
}

function wayOut({ changes, isNormalAfter, isAnomaly, why }: ExplainReply): HTMLElement {
  const part = make('div', { id: 'way-out' });
  if (!isAnomaly && changes.length === 0) return part;
  part.append(make('h3', {}, 'What would make it normal'));
  if (!isNormalAfter) part.append(make('p', {}, `Nothing that was tried${why === undefined ? '' : `: ${why}`}.`));
  if (changes.length > 0) {
    const told = changes
      .slice(0, SHOWN)
      .map(({ name, from, to }) => make('li', {}, make('b', {}, name), ` ${short(from)} → ${short(to)}`));
    part.append(make('ul', {}, ...told));
  } else if (isNormalAfter) part.append(make('p', {}, 'Nothing has to change.'));
  if (isNormalAfter && why !== undefined) part.append(make('p', { class: 'hint' }, `But ${why}.`));
  return part;
}

function allCells({ cells }: ExplainReply): HTMLElement {
  const lines = cells.map(([name, text]) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, text)));
  return make('details', {}, make('summary', {}, 'The whole row'), make('table', {}, make('tbody', {}, ...lines)));
}
