// The views, one at a time, and the choices above the map.
import type { App } from '../app.js';
import { fillChoice, find, make } from '../dom.js';
import { percent } from '../numbers.js';
import { SELECTOR_NAMES, SELECTORS, type SelectorName } from '../selectors.js';
import type { State, Tool, View } from '../state.js';

const TITLES: Readonly<Record<View, string>> = {
  map: 'Map',
  time: 'Over time',
  compare: 'All detectors',
  prototypes: 'Prototypes',
  stream: 'Stream',
};
/** Prototypes are shown on the map. */
const PANEL_OF = (view: View): string => (view === 'prototypes' ? 'panel-map' : `panel-${view}`);

const TOOLS: ReadonlyArray<readonly [Tool, string]> = [
  ['look', 'Look'],
  ['draw', 'Draw'],
  ['move', 'Move'],
  ['erase', 'Erase'],
];

export function mountTabs(app: App): void {
  const views = Object.keys(TITLES) as View[];
  const tabs = views.map((view) => {
    const tab = make(
      'button',
      { type: 'button', role: 'tab', id: `tab-${view}`, 'aria-controls': PANEL_OF(view) },
      TITLES[view],
    );
    tab.addEventListener('click', () => app.view(view));
    return tab;
  });
  find('tabs').replaceChildren(...tabs);
  find('tabs').addEventListener('keydown', (event) => {
    const at = views.indexOf(app.state.view);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: views.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + views.length) % views.length;
    app.view(views[next] as View);
    tabs[next]?.focus();
  });
  const update = ({ view }: State): void => {
    views.forEach((name, i) => {
      tabs[i]?.setAttribute('aria-selected', String(name === view));
      tabs[i]?.setAttribute('tabindex', name === view ? '0' : '-1');
      if (name === view) tabs[i]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    for (const name of views)
      if (name !== 'prototypes') find(`panel-${name}`).hidden = PANEL_OF(view) !== `panel-${name}`;
    find('panel-map').setAttribute('aria-labelledby', view === 'prototypes' ? 'tab-prototypes' : 'tab-map');
    document.body.dataset['view'] = view;
    find('prototype-controls').hidden = view !== 'prototypes';
  };
  app.store.subscribe((state, changed) => {
    if (changed.has('view')) update(state);
  });
  update(app.state);
  mountMapChoices(app);
  mountTools(app);
  mountPrototypes(app);
}

function mountMapChoices(app: App): void {
  const [x, y, ground] = [
    find<HTMLSelectElement>('axis-x'),
    find<HTMLSelectElement>('axis-y'),
    find<HTMLSelectElement>('landscape'),
  ];
  x.addEventListener('change', () => void app.ground.axes({ ...app.state.axes, x: x.value }));
  y.addEventListener('change', () => void app.ground.axes({ ...app.state.axes, y: y.value }));
  ground.addEventListener('change', () => void app.ground.landscapeOf(ground.value as State['landscapeOf']));
  app.store.subscribe((state, changed) => {
    if (changed.has('landscape') || changed.has('fit')) find('ground-legend').textContent = legendOf(state);
  });
  app.store.subscribe(({ data, axes, settings, landscapeOf, places }, changed) => {
    if (changed.has('settings')) {
      const isCad = settings.method === 'cad' || settings.method === 'kcad';
      for (const option of ground.options) if (option.value === 'normal') option.disabled = !isCad;
      if (!isCad && landscapeOf === 'normal') ground.value = 'all';
    }
    if (changed.has('landscapeOf')) ground.value = landscapeOf;
    if (!changed.has('data') && !changed.has('axes') && !changed.has('places')) return;
    const titled = (data?.axes ?? []).map((axis, i, all) => {
      const share = places?.shares[i - (all.length - 2)];
      return [
        axis,
        axis.startsWith('component ') && share !== undefined ? `${axis} (${percent(share)} of the variance)` : axis,
      ] as const;
    });
    fillChoice(x, titled, axes.x);
    fillChoice(y, titled, axes.y);
  });
}

/** What the ground of the map says. */
function legendOf({ landscape, landscapeOf, fit }: State): string {
  const others = (fit?.features.length ?? 0) - 2;
  if (landscape !== undefined) {
    const where = others > 0 ? ', with the medians of the other columns' : '';
    return `the more purple the ground, the less a row there would belong${where}; the line is where normal ends`;
  }
  if (landscapeOf === 'none' || others < 0) return '';
  return 'the score of every place is shown for two columns: choose them above the map';
}

function mountTools(app: App): void {
  const group = find('tools');
  const buttons = TOOLS.map(([tool, title]) => {
    const button = make('button', { type: 'button', 'data-tool': tool, 'aria-pressed': 'false' }, title);
    button.addEventListener('click', () => app.tool(tool));
    return button;
  });
  group.replaceChildren(...buttons);
  const update = ({ tool }: State): void => {
    group.hidden = !app.drawing.isPossible;
    find('map').dataset['tool'] = tool;
    TOOLS.forEach(([name], i) => {
      buttons[i]?.setAttribute('aria-pressed', String(name === tool));
    });
  };
  app.store.subscribe((state, changed) => {
    if (changed.has('tool') || changed.has('data') || changed.has('axes')) update(state);
  });
  update(app.state);
}

function mountPrototypes(app: App): void {
  const [selector, keep] = [find<HTMLSelectElement>('selector'), find<HTMLInputElement>('keep')];
  fillChoice(
    selector,
    SELECTOR_NAMES.map((name) => [name, SELECTORS[name].title] as const),
    app.state.selector,
  );
  selector.addEventListener('change', () => void app.prototypes({ selector: selector.value as SelectorName }));
  keep.addEventListener('input', () => void app.prototypes({ keep: Number(keep.value) / 100 }));
  const update = ({ keep: share, selector: name, kept, data }: State): void => {
    keep.value = String(Math.round(100 * share));
    keep.disabled = SELECTORS[name].needsClasses;
    find<HTMLOutputElement>('keep-share').value = SELECTORS[name].needsClasses
      ? 'as many as it takes'
      : `${Math.round(100 * share)} %`;
    const told = kept === undefined ? '' : `${kept.length} of ${data?.rows ?? 0} rows stay. `;
    find('kept').textContent = `${told}${SELECTORS[name].about}`;
  };
  app.store.subscribe((state, changed) => {
    if (changed.has('keep') || changed.has('selector') || changed.has('kept')) update(state);
  });
  update(app.state);
}
