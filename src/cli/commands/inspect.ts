// curvad inspect: what a model file holds.

import { stdout } from 'node:process';
import type { Arguments } from '../arguments.js';
import { COMMON_OPTIONS, type Command } from '../command.js';
import { clean, count, quote, UsageError } from '../errors.js';
import { openModel, type SavedModel } from '../model.js';
import { jsonText } from '../output.js';
import { alignedTable, few, paint } from '../terminal.js';
import { ruleInWords, searchInWords } from '../verdict.js';

/** Columns listed, at most. */
const MOST_COLUMNS = 40;

export const inspect: Command = {
  name: 'inspect',
  usage: 'MODEL [options]',
  about: 'Shows what a model file holds: the detector, its options, its threshold, and the columns it needs.',
  options: { General: [{ name: 'json', help: 'as JSON, for programs' }, ...COMMON_OPTIONS] },
  examples: [['curvad inspect model.curvad', 'which columns does it need?']],
  async run(given: Arguments) {
    const [path, ...more] = given.positionals;
    if (path === undefined) throw new UsageError('inspect needs a model file: curvad inspect MODEL');
    if (more.length > 0) throw new UsageError(`inspect takes one model file, got ${quote(more[0] as string)} too`);
    const model = await openModel(path);
    if (given.flag('json')) stdout.write(jsonText(jsonOf(model)));
    else stdout.write(`${linesOf(path, model).join('\n')}\n`);
  },
};

const KNOWN = new Set(['rows', 'columns', 'threshold', 'thresholdRule', 'cap', 'contamination']);

function optionsOf({ fields }: SavedModel): Array<[string, unknown]> {
  return Object.entries(fields).filter(([name, value]) => {
    const isPlain = typeof value !== 'object' || value === null;
    return !KNOWN.has(name) && isPlain && value !== null && value !== undefined;
  });
}

function linesOf(path: string, model: SavedModel): string[] {
  const { detector, preparation, kind, size, hasTable } = model;
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
    ['trained on', `${count(scores.length, 'row')}, ${count(preparation.features.length, 'column')}`],
    ['threshold', `${few(threshold)}${ruleInWords(detector)}; ${count(anomalies, 'training row')} above it`],
    ...(search === undefined ? [] : [['search', search] as [string, string]]),
    ['missing', { error: 'refused', drop: 'rows left out', median: 'filled with medians' }[preparation.missing]],
    ['size', `${size.toLocaleString('en')} bytes`],
  ];
  const lines = [paint('bold', clean(path, 200)), ...facts.map(([name, value]) => `${name.padEnd(12)}${value}`), ''];
  if (!hasTable) return [...lines, 'It was saved by a program: columns have no names and are taken by their place.'];
  const rows = preparation.columns
    .slice(0, MOST_COLUMNS)
    .map((column) => [
      clean(column.name, 40),
      column.kind === 'number' ? 'number' : `one of ${column.values.map((value) => clean(value, 20)).join(', ')}`,
      column.kind === 'number' && Number.isFinite(column.fill) ? few(column.fill) : '',
    ]);
  lines.push(...alignedTable(['column', 'holds', preparation.missing === 'median' ? 'median' : ''], rows));
  if (preparation.columns.length > MOST_COLUMNS) lines.push(`and ${preparation.columns.length - MOST_COLUMNS} more`);
  return lines;
}

function jsonOf(model: SavedModel): unknown {
  const { detector, preparation, kind, size } = model;
  return {
    detector: kind,
    options: Object.fromEntries(optionsOf(model)),
    rows: detector.scores.length,
    features: preparation.features,
    search: detector.search,
    threshold: Number.isFinite(detector.threshold) ? detector.threshold : null,
    thresholdRule: detector.thresholdRule,
    missing: preparation.missing,
    columns: preparation.columns,
    bytes: size,
  };
}
