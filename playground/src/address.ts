// What is on the page as the part of the address after #, for data that can be made again from a seed.
import { SET_NAMES, SETS } from './data/sets.js';
import type { SetName } from './engine/protocol.js';
import { METHOD_NAMES, type MethodName, methodOf, optionValue } from './methods.js';
import { INITIAL, type State, VIEWS, type View } from './state.js';

export function addressOf({ made, settings, axes, view, landscapeOf }: State): string {
  if (made === undefined) return '';
  const { method, options, threshold } = settings;
  const given = methodOf(method).options.filter(({ name, initial }) => options[name] !== initial);
  return `#${new URLSearchParams([
    ['set', made.set],
    ['points', String(made.points)],
    ['seed', String(made.seed)],
    ['method', method],
    ...given.map(({ name }) => [name, String(options[name])]),
    ...(threshold === undefined ? [] : [['threshold', String(threshold)]]),
    ['x', axes.x],
    ['y', axes.y],
    ...(landscapeOf === INITIAL.landscapeOf ? [] : [['landscape', landscapeOf]]),
    ...(view === INITIAL.view ? [] : [['view', view]]),
  ] as string[][])}`;
}

/** The state that an address asks for. What it does not say, or says wrongly, is as at first. */
export function stateFrom(address: string): Partial<State> {
  const given = new URLSearchParams(address.replace(/^#/, ''));
  const oneOf = <Word extends string>(name: string, words: readonly Word[], initial: Word): Word =>
    words.find((word) => word === given.get(name)) ?? initial;
  const set = oneOf<SetName>('set', SET_NAMES, 'moons');
  const whole = (name: string, least: number, most: number, initial: number): number => {
    const value = Number(given.get(name) ?? initial);
    return Number.isInteger(value) && value >= least && value <= most ? value : initial;
  };
  const method = oneOf<MethodName>('method', METHOD_NAMES, 'landmark');
  const options = methodOf(method).options.map((option) => [
    option.name,
    optionValue(option, given.get(option.name) ?? undefined),
  ]);
  const threshold = given.has('threshold') ? Number(given.get('threshold')) : Number.NaN;
  return {
    made: { set, points: whole('points', 20, 200_000, SETS[set].points), seed: whole('seed', 0, 9999, 1) },
    settings: {
      method,
      options: Object.fromEntries(options),
      threshold: Number.isFinite(threshold) ? threshold : undefined,
    },
    axes: { x: given.get('x') ?? '', y: given.get('y') ?? '' },
    landscapeOf: oneOf('landscape', ['all', 'normal', 'none'] as const, 'all'),
    view: oneOf<View>('view', VIEWS, 'map'),
  };
}
