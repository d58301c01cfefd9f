// What is on the page as the part of the address after #, for data that can be made again from a seed.
import type { App } from './app.js';
import { SET_NAMES, SETS } from './data/sets.js';
import { COLUMN_USES, type SetName, type Uses } from './engine/protocol.js';
import { METHOD_NAMES, type MethodName, methodOf, optionValue } from './methods.js';
import { SELECTOR_NAMES, type SelectorName } from './selectors.js';
import { INITIAL, type State, VIEWS, type View } from './state.js';

export function addressOf(state: State): string {
  const { made, settings, axes, view, landscapeOf, uses, selected, frozen } = state;
  if (made === undefined) return '';
  const { method, options, share, threshold } = settings;
  const given = methodOf(method).options.filter(({ name, initial }) => options[name] !== initial);
  const words: Array<readonly [name: string, value: string]> = [
    ['set', made.set],
    ['points', String(made.points)],
    ['seed', String(made.seed)],
    ...uses.map(([column, use]) => ['use', `${use}:${column}`] as const),
    ['method', method],
    ...given.map(({ name }) => [keyOf(name), String(options[name])] as const),
  ];
  const add = (name: string, value: unknown, initial?: unknown): void => {
    if (value !== undefined && value !== initial) words.push([name, String(value)]);
  };
  add('share', share);
  add('threshold', threshold);
  words.push(['x', axes.x], ['y', axes.y]);
  add('landscape', landscapeOf, INITIAL.landscapeOf);
  add('view', view, INITIAL.view);
  if (view === 'prototypes') {
    add('selector', state.selector, INITIAL.selector);
    add('keep', state.keep, INITIAL.keep);
  }
  add('row', selected);
  words.push(...frozen.map((column) => ['stay', column] as const));
  return `#${new URLSearchParams(words.map(([name, value]) => [name, value]))}`;
}

/** The state that an address asks for. What it does not say, or says wrongly, is as at first. */
export function stateFrom(address: string): Partial<State> {
  const given = new URLSearchParams(address.replace(/^#/, ''));
  const oneOf = <Word extends string>(name: string, words: readonly Word[], initial: Word): Word =>
    words.find((word) => word === given.get(name)) ?? initial;
  const number = (name: string): number | undefined => {
    const text = given.get(name) ?? '';
    return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  };
  const whole = (name: string, least: number, most: number): number | undefined => {
    const value = number(name);
    return value !== undefined && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
  };
  const between = (name: string, least: number, most: number): number | undefined => {
    const value = number(name);
    return value !== undefined && value >= least && value <= most ? value : undefined;
  };
  const set = oneOf<SetName>('set', SET_NAMES, 'moons');
  const method = oneOf<MethodName>('method', METHOD_NAMES, 'landmark');
  const options = methodOf(method).options.map((option) => [
    option.name,
    optionValue(option, given.get(keyOf(option.name)) ?? undefined),
  ]);
  return {
    made: { set, points: whole('points', 20, 200_000) ?? SETS[set].points, seed: whole('seed', 0, 9999) ?? 1 },
    uses: usesIn(given.getAll('use')),
    settings: {
      method,
      options: Object.fromEntries(options),
      share: between('share', 0.0001, 0.5),
      threshold: number('threshold'),
    },
    axes: { x: given.get('x') ?? '', y: given.get('y') ?? '' },
    landscapeOf: oneOf('landscape', ['all', 'normal', 'none'] as const, INITIAL.landscapeOf),
    view: oneOf<View>('view', VIEWS, INITIAL.view),
    selector: oneOf<SelectorName>('selector', SELECTOR_NAMES, INITIAL.selector),
    keep: between('keep', 0.05, 0.5) ?? INITIAL.keep,
    selected: whole('row', 0, 200_000),
    frozen: given.getAll('stay'),
  };
}

/** The data have a seed, too. */
const keyOf = (option: string): string => (option === 'seed' ? 'detector-seed' : option);

function usesIn(words: readonly string[]): Uses {
  return words.flatMap((word) => {
    const use = COLUMN_USES.find((name) => word.startsWith(`${name}:`));
    return use === undefined ? [] : [[word.slice(use.length + 1), use] as const];
  });
}

/** Browsers refuse to change an address hundreds of times in a few seconds. */
const REST = 150;

/** The address follows the page, and the page the address. */
export function keepAddress(app: App): void {
  let resting: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    const { state } = app;
    const address = addressOf(state);
    if (state.data === undefined || address === location.hash) return;
    history.replaceState(undefined, '', address === '' ? location.pathname : address);
  };
  app.store.subscribe(() => {
    clearTimeout(resting);
    resting = setTimeout(write, REST);
  });
  globalThis.addEventListener('hashchange', () => {
    if (location.hash !== addressOf(app.state)) void app.start(stateFrom(location.hash));
  });
}
