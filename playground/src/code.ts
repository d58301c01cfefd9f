// The code that does what is on the page: in JavaScript and at the command line.
import type { ColumnUse } from './engine/protocol.js';
import { methodOf } from './methods.js';
import type { State } from './state.js';

export interface Code {
  readonly javascript: string;
  readonly terminal: string;
}

/** The name of the file that people have, or get by saving the data. */
export function fileName({ data, made }: State): string {
  if (made !== undefined) return `${made.set}.csv`;
  return data?.name === 'Drawn points' ? 'points.csv' : (data?.name ?? 'data.csv');
}

export function codeOf(state: State): Code {
  const { data, settings } = state;
  const { type, flag, options } = methodOf(settings.method);
  const file = fileName(state);
  const named = (...uses: ColumnUse[]): string[] =>
    (data?.columns ?? []).filter(({ use }) => uses.includes(use)).map(({ name }) => name);
  const left = named('time', 'class', 'identity', 'ignore');
  const hasGaps = (data?.columns ?? []).some(
    ({ use, missing }) => (use === 'number' || use === 'category') && missing > 0,
  );
  const given: Readonly<Record<string, unknown>> = {
    ...settings.options,
    ...(settings.threshold !== undefined && { threshold: settings.threshold }),
  };
  const tableOptions = { ...(left.length > 0 && { ignore: left }), ...(hasGaps && { missing: 'median' }) };
  const inWords = (value: object): string => (Object.keys(value).length === 0 ? '' : `, ${literal(value)}`);
  const javascript = [
    `import { explain, ${type}, table } from 'curvad';`,
    `import { readTable } from 'curvad/files';`,
    '',
    `const data = await readTable(${quoted(file)});`,
    `const detector = new ${type}(${literal(given)}).fit(table(data${inWords(tableOptions)}));`,
    'console.log(String(detector));',
    'console.log(String(explain(detector, detector.top(1)[0])));',
  ].join('\n');
  const flags = options.flatMap(({ name, flag: other, kind }) => {
    const value = given[name];
    if (kind === 'flag') return value === true ? [`--${other ?? name}`] : [];
    return [`--${other ?? name} ${value}`];
  });
  const terminal = [
    `npx curvad detect ${shell(file)} --method ${flag}`,
    ...flags,
    ...(settings.threshold === undefined ? [] : [`--threshold ${settings.threshold}`]),
    ...(left.length === 0 ? [] : [`--ignore ${shell(left.map((name) => name.replaceAll(',', ',,')).join(','))}`]),
    ...(hasGaps ? ['--missing median'] : []),
    '--explain',
  ].join(' ');
  return { javascript, terminal };
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value).map(([name, part]) => `${name}: ${literal(part)}`);
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`;
}

const shell = (text: string): string => (/^[\w.,/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
