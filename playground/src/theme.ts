// Colours of pictures, light and dark. Lightness alone tells high from low, and shape tells flagged rows: nothing is
// told by hue alone.

type Colour = readonly [red: number, green: number, blue: number];

export interface Theme {
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly ground: string;
  readonly flagged: string;
  readonly outline: string;
  readonly accent: string;
  /** The line where normal ends. */
  readonly border: string;
  /** Of the ground, from normal to anomalous: 256 colours as red, green, blue. */
  readonly landscape: Uint8Array;
  /** Of rows, from low to high scores. */
  readonly rows: Uint8Array;
}

const LIGHT: Theme = {
  ink: '#17202c',
  quiet: '#526072',
  line: '#cfd8e3',
  ground: '#ffffff',
  flagged: '#f28e1c',
  outline: '#17202c',
  accent: '#1f5fa8',
  border: '#5b3b86',
  landscape: ramp([
    [0xfa, 0xfb, 0xfd],
    [0xe8, 0xec, 0xf4],
    [0xcf, 0xd0, 0xe2],
    [0xac, 0xa3, 0xc6],
    [0x8d, 0x7b, 0xab],
  ]),
  rows: ramp([
    [0x6a, 0xa5, 0xd8],
    [0x3f, 0x80, 0xc0],
    [0x1f, 0x58, 0x9c],
    [0x0b, 0x26, 0x4f],
  ]),
};

const DARK: Theme = {
  ink: '#e8edf3',
  quiet: '#a5b2c2',
  line: '#37424f',
  ground: '#151c25',
  flagged: '#ffa733',
  outline: '#0b0f14',
  accent: '#7db8f5',
  border: '#c9a8ee',
  landscape: ramp([
    [0x15, 0x1c, 0x25],
    [0x1e, 0x27, 0x36],
    [0x33, 0x30, 0x50],
    [0x52, 0x40, 0x70],
    [0x73, 0x53, 0x8c],
  ]),
  rows: ramp([
    [0x3c, 0x6f, 0xa5],
    [0x5b, 0x98, 0xd6],
    [0x93, 0xc4, 0xf3],
    [0xe6, 0xf3, 0xff],
  ]),
};

function ramp(stops: readonly Colour[]): Uint8Array {
  const colours = new Uint8Array(3 * 256);
  for (let level = 0; level < 256; level++) {
    const place = (level / 255) * (stops.length - 1);
    const below = Math.min(stops.length - 2, Math.floor(place));
    const [from, to] = [stops[below] as Colour, stops[below + 1] as Colour];
    for (const part of [0, 1, 2] as const)
      colours[3 * level + part] = from[part] + (to[part] - from[part]) * (place - below);
  }
  return colours;
}

const darkness = matchMedia('(prefers-color-scheme: dark)');

export const theme = (): Theme => (darkness.matches ? DARK : LIGHT);

export function onThemeChange(redraw: () => void): void {
  darkness.addEventListener('change', redraw);
}

export const prefersStillness = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const colourAt = (colours: Uint8Array, level: number): string =>
  `rgb(${colours[3 * level]} ${colours[3 * level + 1]} ${colours[3 * level + 2]})`;
