// The built-in sets, made from a seed: the same in every browser, so that an address is enough to share them.
import type { SetName } from '../engine/protocol.js';
import { Random } from './random.js';

/** Columns of a set: numbers, times (milliseconds) or texts. */
export interface MadeColumn {
  readonly name: string;
  readonly kind: 'number' | 'time' | 'text';
  readonly values: Float64Array | readonly string[];
}

export const SETS: Readonly<Record<SetName, { readonly title: string; readonly points: number }>> = {
  moons: { title: 'Two moons', points: 500 },
  clusters: { title: 'Clusters', points: 500 },
  rings: { title: 'Rings', points: 500 },
  sensors: { title: 'Sensor readings', points: 1000 },
  series: { title: 'A time series', points: 2000 },
};
export const SET_NAMES = Object.keys(SETS) as SetName[];

/** Decimals that are kept: files and addresses stay short. */
const DIGITS = 1e4;
const round = (value: number): number => Math.round(value * DIGITS) / DIGITS;

type Placed = readonly [x: number, y: number, group: string];

export function makeSet(set: SetName, points: number, seed: number): MadeColumn[] {
  const random = new Random(seed);
  switch (set) {
    case 'moons':
      return plane(points, random, moon);
    case 'clusters':
      return plane(points, random, cluster);
    case 'rings':
      return plane(points, random, ring);
    case 'sensors':
      return sensors(points, random);
    case 'series':
      return series(points, random);
  }
}

/** Points of a shape, and one in thirty anywhere. */
function plane(points: number, random: Random, shape: (random: Random) => Placed): MadeColumn[] {
  const [x, y] = [new Float64Array(points), new Float64Array(points)];
  const group: string[] = [];
  const stray: Placed = [0, 0, 'stray'];
  for (let i = 0; i < points; i++) {
    const isStray = i % 30 === 29;
    const [atX, atY, name] = isStray ? stray : shape(random);
    x[i] = round(isStray ? random.between(-2, 3) : atX);
    y[i] = round(isStray ? random.between(-1.6, 2.1) : atY);
    group.push(name);
  }
  return [
    { name: 'x', kind: 'number', values: x },
    { name: 'y', kind: 'number', values: y },
    { name: 'group', kind: 'text', values: group },
  ];
}

function moon(random: Random): Placed {
  const isUpper = random.next() < 0.5;
  const angle = Math.PI * random.next();
  const [sideways, upwards] = [0.09 * random.normal(), 0.09 * random.normal()];
  return isUpper
    ? [Math.cos(angle) + sideways, Math.sin(angle) + upwards, 'upper']
    : [1 - Math.cos(angle) + sideways, 0.5 - Math.sin(angle) + upwards, 'lower'];
}

const CENTRES: ReadonlyArray<readonly [x: number, y: number, width: number]> = [
  [-0.9, -0.6, 0.12],
  [0.6, 1.1, 0.3],
  [1.9, -0.5, 0.2],
];

function cluster(random: Random): Placed {
  const which = random.below(CENTRES.length);
  const [x, y, width] = CENTRES[which] as (typeof CENTRES)[number];
  return [x + width * random.normal(), y + width * random.normal(), ['small', 'wide', 'middle'][which] as string];
}

function ring(random: Random): Placed {
  const isInner = random.next() < 0.35;
  const angle = 2 * Math.PI * random.next();
  const radius = (isInner ? 0.5 : 1.5) + 0.08 * random.normal();
  return [0.5 + radius * Math.cos(angle), 0.25 + radius * Math.sin(angle), isInner ? 'inner' : 'outer'];
}

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5);
const MACHINES = ['lathe', 'mill', 'press'];

/** Machines whose readings belong together; one in fifty is off in one of them, within the range of that column. */
function sensors(points: number, random: Random): MadeColumn[] {
  const names = ['load %', 'speed rpm', 'power kW', 'temperature °C', 'vibration mm/s', 'pressure bar'];
  const columns = names.map(() => new Float64Array(points));
  const time = new Float64Array(points);
  const machine: string[] = [];
  for (let i = 0; i < points; i++) {
    const which = random.below(MACHINES.length);
    const load = 35 + 22 * Math.sin((2 * Math.PI * i) / 96) + 9 * random.normal();
    const speed = 1500 + 350 * which + 6 * load + 45 * random.normal();
    const reading = [
      Math.max(0, load),
      speed,
      Math.max(0.1, (load * speed) / 9000 + 0.5 * random.normal()),
      38 + 0.42 * load + 1.4 * random.normal(),
      1.1 + speed / 1900 + 0.12 * random.normal(),
      5.6 + 0.02 * load + 0.12 * random.normal(),
    ];
    if (i % 50 === 49) {
      const wrong = 2 + random.below(4);
      reading[wrong] = (reading[wrong] as number) * (random.next() < 0.5 ? 0.55 : 1.6);
    }
    reading.forEach((value, j) => {
      (columns[j] as Float64Array)[i] = round(value);
    });
    machine.push(MACHINES[which] as string);
    time[i] = START + (i * HOUR) / 4;
  }
  return [
    { name: 'time', kind: 'time', values: time },
    { name: 'machine', kind: 'text', values: machine },
    ...names.map((name, j) => ({ name, kind: 'number' as const, values: columns[j] as Float64Array })),
  ];
}

/** A day and a week with noise, and a few things that do not belong: spikes, a shift, a silence. */
function series(points: number, random: Random): MadeColumn[] {
  const [time, value] = [new Float64Array(points), new Float64Array(points)];
  for (let i = 0; i < points; i++) {
    const day = Math.sin((2 * Math.PI * i) / 96);
    const week = 0.4 * Math.sin((2 * Math.PI * i) / 672);
    time[i] = START + (i * HOUR) / 4;
    value[i] = round(50 + 12 * (day + week) + 1.2 * random.normal());
  }
  const change = (share: number, length: number, how: (value: number) => number): void => {
    const first = Math.floor(share * points);
    for (let i = first; i < Math.min(points, first + length); i++) value[i] = round(how(value[i] as number));
  };
  change(0.31, 2, (old) => old + 34);
  change(0.52, 14, () => 50);
  change(0.7, 1, (old) => old - 40);
  change(0.86, 24, (old) => old + 22);
  return [
    { name: 'time', kind: 'time', values: time },
    { name: 'value', kind: 'number', values: value },
    { name: 'change', kind: 'number', values: value.map((now, i) => round(now - (value[i - 1] ?? now))) },
  ];
}
