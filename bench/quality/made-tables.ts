// Tables as people have them, made with planted anomalies: each kind has one thing that is hard on detectors. Rows come
// from clouds of related columns; anomalies lie beside them, or mix the columns of several rows.
import type { Random } from '../../test/support/data.js';

export interface MadeTable {
  readonly columns: Record<string, ArrayLike<unknown>>;
  readonly labels: Uint8Array;
}

type Numbers = readonly Float64Array[];

interface Cloud {
  /** Column by column. */
  readonly values: Numbers;
  readonly labels: Uint8Array;
}

const ANOMALIES = 0.04;

/** Three clouds, each with its own relation of the columns; anomalies are at random places among the rows. */
function cloud(random: Random, rows: number, columns: number): Cloud {
  const kinds = Array.from({ length: 3 }, () => ({
    centre: random.rows(1, columns, () => 3 * random.gaussian())[0] as Float64Array,
    mix: random.rows(columns, columns, () => random.gaussian() / Math.sqrt(columns)),
  }));
  const normal = Array.from({ length: rows }, () => {
    const { centre, mix } = kinds[random.integer(3)] as (typeof kinds)[number];
    const hidden = mix.map(() => random.gaussian());
    return centre.map((value, j) => value + hidden.reduce((sum, h, i) => sum + h * (mix[i]?.[j] as number), 0));
  });
  const labels = new Uint8Array(rows);
  for (const i of random.permutation(rows).slice(0, Math.max(2, Math.round(ANOMALIES * rows)))) labels[i] = 1;
  const limits = Array.from({ length: columns }, (_, j) => {
    const all = normal.map((row) => row[j] as number);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return [low - 0.1 * (high - low), high + 0.1 * (high - low)] as const;
  });
  const values = Array.from({ length: columns }, () => new Float64Array(rows));
  for (let i = 0; i < rows; i++) {
    const isBeside = random.uniform() < 0.5;
    for (let j = 0; j < columns; j++) {
      const [low, high] = limits[j] as readonly [number, number];
      const other = normal[random.integer(rows)] as Float64Array;
      const odd = isBeside ? low + random.uniform() * (high - low) : (other[j] as number);
      (values[j] as Float64Array)[i] = labels[i] === 1 ? odd : (normal[i]?.[j] as number);
    }
  }
  return { values, labels };
}

const named = (values: readonly ArrayLike<unknown>[], name = 'x'): Record<string, ArrayLike<unknown>> =>
  Object.fromEntries(values.map((column, j) => [`${name}${j}`, column]));

/** A text for each row: few common ones, and some so rare that one row has them. */
function texts(random: Random, rows: number, levels: number, decay: number): string[] {
  return Array.from({ length: rows }, () => {
    let level = 0;
    while (level < levels - 1 && random.uniform() > decay) level++;
    return `level ${level}`;
  });
}

export const KINDS: Readonly<Record<string, (random: Random) => MadeTable>> = {
  'plain numbers': (random) => {
    const { values, labels } = cloud(random, 800, 6);
    return { columns: named(values), labels };
  },
  'mostly duplicates': (random) => {
    const { values, labels } = cloud(random, 800, 5);
    const kinds = [...labels.keys()].filter((i) => labels[i] === 0).slice(0, 60);
    for (let i = 0; i < 800; i++) {
      if (labels[i] === 1 || random.uniform() < 0.3) continue;
      const like = kinds[Math.floor(kinds.length * random.uniform() ** 2)] as number;
      for (const column of values) column[i] = column[like] as number;
    }
    return { columns: named(values), labels };
  },
  'fewer than 30 rows': (random) => {
    const { values, labels } = cloud(random, 26, 4);
    return { columns: named(values), labels };
  },
  'columns that hardly vary': (random) => {
    const { values, labels } = cloud(random, 800, 4);
    const idle = Array.from({ length: 16 }, (_, j) =>
      Float64Array.from({ length: 800 }, () => (j < 4 ? 7 : random.uniform() < 0.003 * j ? 1 : 0)),
    );
    return { columns: { ...named(values), ...named(idle, 'idle') }, labels };
  },
  'one column': (random) => {
    const { values, labels } = cloud(random, 600, 1);
    return { columns: named(values), labels };
  },
  '1,000 columns': (random) => {
    const { values, labels } = cloud(random, 400, 60);
    const noise = Array.from({ length: 940 }, () => Float64Array.from({ length: 400 }, () => random.gaussian()));
    return { columns: { ...named(values), ...named(noise, 'noise') }, labels };
  },
  'categories beside numbers': (random) => {
    const { values, labels } = cloud(random, 800, 5);
    const levels = [0.8, 0.6, 0.5, 0.4].map((decay) => texts(random, 800, 10, decay));
    return { columns: { ...named(values), ...named(levels, 'text') }, labels };
  },
  'categories that tell': (random) => {
    const { values, labels } = cloud(random, 800, 4);
    const level = texts(random, 800, 4, 0.5);
    const odd = Array.from(labels, (label, i) => (label === 1 ? `odd ${random.integer(3)}` : (level[i] as string)));
    return { columns: { ...named(values), level: odd, other: texts(random, 800, 6, 0.4) }, labels };
  },
  'a time that goes on': (random) => {
    const { values, labels } = cloud(random, 800, 5);
    const at = Array.from(labels, (_, i) => new Date(1.7e12 + i * 60_000));
    return { columns: { at, counter: Float64Array.from(labels.keys()), ...named(values) }, labels };
  },
  'heavy tails': (random) => {
    const { values, labels } = cloud(random, 800, 6);
    return { columns: named(values.map((column) => column.map((value) => Math.exp(0.8 * value)))), labels };
  },
  'amounts and counts': (random) => {
    const { values, labels } = cloud(random, 800, 6);
    const counts = values.map((column, j) =>
      column.map((value) => (j % 2 === 0 ? Math.max(0, Math.round(value)) : Math.round(100 * Math.exp(value)) / 100)),
    );
    return { columns: named(counts), labels };
  },
  'units far apart': (random) => {
    const { values, labels } = cloud(random, 800, 6);
    return { columns: named(values.map((column, j) => column.map((value) => 1e4 ** (j - 2) * value + j))), labels };
  },
  'missing values': (random) => {
    const { values, labels } = cloud(random, 800, 6);
    const holed = values.map((column) => Array.from(column, (value) => (random.uniform() < 0.08 ? null : value)));
    return { columns: named(holed), labels };
  },
  'sentinels for missing': (random) => {
    const { values, labels } = cloud(random, 800, 6);
    const holed = values.map((column) => column.map((value) => (random.uniform() < 0.01 ? -9999 : value)));
    return { columns: named(holed), labels };
  },
};
