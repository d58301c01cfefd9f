// curvad inspect: shows what a model file contains.

import { stdout } from 'node:process';
import type { MissingPolicy, TimePart, UsedColumn } from '../../tables/recipe.js';
import { timeText } from '../../tables/table.js';
import type { Arguments } from '../arguments.js';
import { COMMON_OPTIONS, type Command } from '../command.js';
import { clean, count, quote, UsageError } from '../errors.js';
import { openModel, type SavedModel } from '../model.js';
import { jsonText } from '../output.js';
import { alignedTable, few, paint } from '../terminal.js';
import { ruleInWords, searchInWords } from '../verdict.js';

/** Most columns listed. */
const MOST_COLUMNS = 40;

export const inspect: Command = {
  name: 'inspect',
  usage: 'MODEL [options]',
  about: 'Shows what a model file contains: the detector, its options, its threshold, and the columns it needs.',
  options: { General: [{ name: 'json', help: 'as JSON, for programs' }, ...COMMON_OPTIONS] },
  examples: [['curvad inspect model.curvad', 'show the columns it needs']],
  async run(given: Arguments) {
    const [path, ...more] = given.positionals;
    if (path === undefined) throw new UsageError('inspect needs a model file: curvad inspect MODEL');
    if (more.length > 0) throw new UsageError(`inspect takes one model file, got ${quote(more[0] as string)} too`);
    const model = await openModel(path);
    if (given.flag('json')) stdout.write(jsonText(jsonOf(model)));
    else stdout.write(`${linesOf(path, model).join('\n')}\n`);
  },
};

const MISSING: Readonly<Record<MissingPolicy, string>> = {
  error: 'refused',
  drop: 'rows left out',
  median: 'filled with medians',
  indicator: 'filled with medians, and marked',
};
const PARTS: Readonly<Record<TimePart, string>> = {
  epoch: 'days',
  hour: 'hour of the day',
  weekday: 'day of the week',
};

const KNOWN = new Set(['rows', 'columns', 'threshold', 'thresholdRule', 'cap', 'contamination']);

function optionsOf({ fields }: SavedModel): Array<[string, unknown]> {
  return Object.entries(fields).filter(([name, value]) => {
    const isPlain = typeof value !== 'object' || value === null;
    return !KNOWN.has(name) && isPlain && value !== null && value !== undefined;
  });
}

function linesOf(path: string, model: SavedModel): string[] {
  const { detector, recipe, kind, size, hasRecipe } = model;
  const { scores, threshold } = detector;
  const search = searchInWords(detector);
  const anomalies = scores.reduce((sum, score) => sum + Number(score > threshold), 0);
  const facts: Array<[string, string]> = [
    ['detector', clean(kind)],
    [
      'options',
      optionsOf(model)
        .map(([name, value]) => `${clean(name, 30)} ${clean(String(value), 30)}`)
        .join(', '),
    ],
    ['trained on', `${count(scores.length, 'row')}, ${count(recipe.features.length, 'column')}`],
    ['threshold', `${few(threshold)}${ruleInWords(detector)}; ${count(anomalies, 'training row')} above it`],
    ...(search === undefined ? [] : [['search', search] as [string, string]]),
    ['missing', MISSING[recipe.missing]],
    ['size', `${size.toLocaleString('en')} bytes`],
  ];
  const lines = [paint('bold', clean(path, 200)), ...facts.map(([name, value]) => `${name.padEnd(12)}${value}`), ''];
  if (!hasRecipe) return [...lines, 'It was fitted on rows without names: columns are matched by position.'];
  const hasFills = recipe.missing === 'median' || recipe.missing === 'indicator';
  const rows = recipe.columns
    .slice(0, MOST_COLUMNS)
    .map((column) => [clean(column.name, 40), holds(column), fillOf(column)]);
  lines.push(...alignedTable(['column', 'holds', hasFills ? 'filled with' : ''], rows));
  if (recipe.columns.length > MOST_COLUMNS) lines.push(`and ${recipe.columns.length - MOST_COLUMNS} more`);
  return lines;
}

/** Describes the contents of a column. */
function holds(column: UsedColumn): string {
  const marked = column.hasIndicator ? ', marked where missing' : '';
  switch (column.kind) {
    case 'category':
      return `one of ${column.values.map((value) => clean(value, 20)).join(', ')}${marked}`;
    case 'frequency':
      return `text, as its share of the rows (${count(column.values.length, 'value')})${marked}`;
    case 'time':
      return `times, as ${column.parts.map((part) => PARTS[part]).join(', ')}${marked}`;
    default:
      return `${column.kind}${marked}`;
  }
}

function fillOf(column: UsedColumn): string {
  if (!('fill' in column) || Number.isNaN(column.fill)) return '';
  if (column.kind === 'time') return timeText(column.fill, 's');
  return column.kind === 'boolean' ? String(column.fill === 1) : few(column.fill);
}

function jsonOf(model: SavedModel): unknown {
  const { detector, recipe, kind, size } = model;
  return {
    detector: kind,
    options: Object.fromEntries(optionsOf(model)),
    rows: detector.scores.length,
    features: recipe.features,
    search: detector.search,
    threshold: Number.isFinite(detector.threshold) ? detector.threshold : null,
    thresholdRule: detector.thresholdRule,
    missing: recipe.missing,
    columns: recipe.columns,
    left: recipe.left,
    bytes: size,
  };
}
