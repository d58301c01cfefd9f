// Where data come from: made sets, files, and points drawn by hand.
import { makeSet, SETS } from '../data/sets.js';
import { tableOfMade, usesOf } from './columns.js';
import { DataSet } from './data-set.js';
import { Failure } from './failure.js';
import type { DataSummary, RequestOf } from './protocol.js';
import type { Context, Session } from './session.js';

/** Larger files do not fit a page beside what is computed from them. */
const MOST_BYTES = 800 * 2 ** 20;

export function generate(session: Session, { set, points, seed, uses }: RequestOf<'generate'>): DataSummary {
  const data = new DataSet(SETS[set].title, tableOfMade(makeSet(set, points, seed)));
  const { columns, rows } = data.table;
  for (const [name, wanted] of uses) {
    const column = columns.find((candidate) => candidate.name === name);
    // An address may say anything.
    if (column !== undefined && usesOf(column, rows).includes(wanted)) data.use(name, wanted);
  }
  session.data = data;
  return session.data.summary;
}

export async function open(session: Session, { file }: RequestOf<'open'>, context: Context): Promise<DataSummary> {
  if (file.size > MOST_BYTES) {
    const size =
      file.size >= 2 ** 30 ? `${(file.size / 2 ** 30).toFixed(1)} GB` : `${Math.round(file.size / 2 ** 20)} MB`;
    throw new Failure('FILE_TOO_LARGE', `“${file.name}” has ${size}: this page reads up to ${MOST_BYTES / 2 ** 20} MB`);
  }
  const { readTable } = await import('curvad/files');
  const notes: string[] = [];
  const table = await readTable(file, {
    signal: context.signal,
    // What was packed may be larger, within what a page can hold.
    maxBytes: 2 * MOST_BYTES,
    onProgress: (share) => context.progress(share ?? 0),
    onNote: (note) => notes.push(note),
  });
  if (table.rows < 3)
    throw new Failure(
      'TOO_FEW_ROWS',
      `“${file.name}” has ${table.rows === 1 ? 'one row' : `${table.rows} rows`}: at least 3 are needed to tell what is usual.`,
    );
  session.data = checked(new DataSet(file.name, table, notes));
  return session.data.summary;
}

/** What can never be looked at is refused before it replaces what is there. */
function checked(data: DataSet): DataSet {
  const { columns, rows } = data.table;
  if (columns.every(({ missing }) => missing === rows))
    throw new Failure(
      'NO_NUMBERS',
      `“${data.name}” has no values: all of its cells are empty or NaN. Choose a file with numbers.`,
    );
  if (data.features.length === 0 && columns.every(({ kind }) => kind === 'text' || kind === 'other'))
    throw new Failure(
      'NO_NUMBERS',
      `“${data.name}” has text alone, such as “${sample(data)}”. Choose a file with at least one column of numbers; if they are written with a comma or units, save them plainly.`,
    );
  return data;
}

function sample({ table: { columns } }: DataSet): string {
  const [first] = columns;
  return first?.kind === 'text' ? (first.texts[0] ?? '').slice(0, 30) : '';
}

/** Points as x, y, x, y, … */
export function draw(session: Session, { points }: RequestOf<'draw'>): DataSummary {
  session.data = drawn(points);
  return session.data.summary;
}

export function drawn(points: Float64Array): DataSet {
  const along = (first: number): Float64Array => points.filter((_, i) => i % 2 === first);
  return new DataSet(
    'Drawn points',
    tableOfMade([
      { name: 'x', kind: 'number', values: along(0) },
      { name: 'y', kind: 'number', values: along(1) },
    ]),
  );
}

export function use(session: Session, { column, use: wanted }: RequestOf<'use'>): DataSummary {
  session.data.use(column, wanted);
  session.forget();
  return session.data.summary;
}
