// The code that does what is on the page: in JavaScript and at the command line.
import type { ColumnSummary, ColumnUse, Conversion } from './engine/protocol.js';
import { givenTo, initialOptions, METHOD_NAMES, type MethodName, methodOf, type OptionValues } from './methods.js';
import { SELECTORS } from './selectors.js';
import type { State } from './state.js';

export interface Code {
  readonly javascript: string;
  /** Undefined where the command line cannot do it. */
  readonly terminal: string | undefined;
}

/** The name of the file that people have, or get by saving the data. */
export function fileName({ data, made }: State): string {
  if (made !== undefined) return `${made.set}.csv`;
  return data?.name === 'Drawn points' ? 'points.csv' : (data?.name ?? 'data.csv');
}

export function codeOf(state: State): Code {
  const { view } = state;
  if (view === 'compare') return comparison(state);
  return view === 'prototypes' ? prototypes(state) : detection(state);
}

function detection(state: State): Code {
  const { settings, data, selected, explanation } = state;
  const { type } = methodOf(settings.method);
  const given = givenTo(settings, data?.rows ?? 0);
  const row = selected === undefined ? 'detector.top(1)[0]' : String(selected);
  const stay = explanation?.row === selected ? (explanation?.stay ?? []) : [];
  const kept = stay.length > 0 ? `, ${literal({ frozen: stay })}` : '';
  const javascript = [
    `import { explain, ${type}, table } from 'curvad';`,
    ...reading(state),
    `const detector = new ${type}(${literal(given)}).fit(rows);`,
    'detector.scores; // higher is more anomalous',
    'console.log(String(detector));',
    `console.log(String(explain(detector, ${row}${kept})));`,
  ].join('\n');
  const words = ['detect', shell(fileName(state)), ...methodFlags(settings.method, given), ...columnFlags(state)];
  return { javascript, terminal: terminalOf(state, [...words, '--explain']) };
}

function comparison(state: State): Code {
  const rows = state.data?.rows ?? 0;
  const all = METHOD_NAMES.map((method) => ({
    type: methodOf(method).type,
    given: givenTo({ method, options: initialOptions(method), share: undefined, threshold: undefined }, rows),
  }));
  const javascript = [
    `import { ${[...new Set(all.map(({ type }) => type)), 'table'].join(', ')} } from 'curvad';`,
    ...reading(state),
    'const detectors = [',
    ...all.map(({ type, given }) => `  new ${type}(${literal(given)}),`),
    '];',
    'for (const detector of detectors) console.log(String(detector.fit(rows)));',
  ].join('\n');
  return { javascript, terminal: undefined };
}

function prototypes(state: State): Code {
  const { selector, keep, data } = state;
  const { type, options = {}, needsClasses } = SELECTORS[selector] as (typeof SELECTORS)['icad'];
  const classes = needsClasses ? data?.columns.find(({ use }) => use === 'class')?.name : undefined;
  const call = needsClasses ? 'retain(rows, classes)' : `select(rows, undefined, ${literal({ keep })})`;
  const javascript = [
    `import { ${type}, table } from 'curvad';`,
    ...reading(state, classes !== undefined),
    ...(classes === undefined ? [] : [`const classes = cells(${quoted(classes)});`]),
    `const kept = new ${type}(${literal(options)}).${call};`,
    'console.log([...kept]); // the numbers of the rows that stay',
  ].join('\n');
  const words = [
    'select',
    shell(fileName(state)),
    `--method ${selector}`,
    ...('standardize' in options ? ['--standardize'] : []),
    ...(needsClasses ? [] : [`--keep ${keep}`]),
    ...(classes === undefined ? [] : [`--class ${shell(classes)}`]),
    ...columnFlags(state, classes),
  ];
  return { javascript, terminal: terminalOf(state, words) };
}

/** Lines that read the file, and make of its columns what the page made of them. */
function reading(state: State, needsCells = false): string[] {
  const columns = state.data?.columns ?? [];
  const ignore = left(columns);
  const options = { ...(ignore.length > 0 && { ignore }), ...(hasGaps(columns) && { missing: 'median' }) };
  const inWords = Object.keys(options).length === 0 ? '' : `, ${literal(options)}`;
  const converted = columns.filter(({ conversion }) => conversion !== undefined);
  const needs = needsCells || converted.length > 0;
  const lines = [
    `import { ${needs ? 'cellAt, ' : ''}readTable } from 'curvad/files';`,
    '',
    `const data = await readTable(${quoted(fileName(state))});`,
  ];
  if (needs)
    lines.push(
      'const all = Object.fromEntries(data.columns.map((column) => [column.name, column]));',
      'const cells = (name) => Array.from({ length: data.rows }, (_, row) => cellAt(all[name], row));',
    );
  if (converted.length === 0) return [...lines, `const rows = table(data${inWords});`];
  return [
    ...lines,
    'const columns = Object.fromEntries(data.columns.map(({ name }) => [name, cells(name)]));',
    ...converted.map(({ name, conversion }) => {
      const column = `columns[${quoted(name)}]`;
      return `${column} = ${column}.map((cell) => ${CONVERSIONS[conversion as Conversion]});`;
    }),
    `const rows = table(columns${inWords});`,
  ];
}

const CONVERSIONS: Readonly<Record<Conversion, string>> = {
  // Texts that look like numbers would be numbers again.
  texts: "cell === null ? null : 'value ' + cell",
  numbers: "cell === null || Number.isNaN(Number(cell.replace(',', '.'))) ? null : Number(cell.replace(',', '.'))",
  days: 'cell === null ? null : cell.getTime() / 86_400_000',
  gaps: 'Number.isFinite(cell) ? cell : null',
};

const named = (columns: readonly ColumnSummary[], ...uses: ColumnUse[]): string[] =>
  columns.filter(({ use }) => uses.includes(use)).map(({ name }) => name);

const left = (columns: readonly ColumnSummary[]): string[] => named(columns, 'time', 'class', 'identity', 'ignore');

const hasGaps = (columns: readonly ColumnSummary[]): boolean =>
  columns.some(({ use, missing, conversion }) =>
    use === 'number' || use === 'category' ? missing > 0 || conversion === 'numbers' || conversion === 'gaps' : false,
  );

function methodFlags(method: MethodName, given: OptionValues): string[] {
  const { flag, options } = methodOf(method);
  const own = options.flatMap(({ name, flag: other = name, kind }) => {
    const dashes = other.length === 1 ? '-' : '--';
    if (kind === 'flag') return given[name] === true ? [`${dashes}${other}`] : [];
    return [`${dashes}${other} ${given[name]}`];
  });
  const shared = ['contamination', 'threshold'].filter((name) => given[name] !== undefined);
  return [`--method ${flag}`, ...own, ...shared.map((name) => `--${name} ${given[name]}`)];
}

function columnFlags({ data }: State, except?: string): string[] {
  const columns = data?.columns ?? [];
  const ignore = left(columns).filter((name) => name !== except);
  return [
    ...(ignore.length === 0 ? [] : [`--ignore ${shell(ignore.map((name) => name.replaceAll(',', ',,')).join(','))}`]),
    ...(hasGaps(columns) ? ['--missing median'] : []),
  ];
}

/** The command line reads columns as they come. */
function terminalOf({ data }: State, words: readonly string[]): string | undefined {
  const isPlain = (data?.columns ?? []).every(({ conversion }) => conversion === undefined);
  return isPlain ? `npx curvad ${words.join(' ')}` : undefined;
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value).map(([name, part]) => `${nameOf(name)}: ${literal(part)}`);
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`;
}

const shell = (text: string): string => (/^[\w.,/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
