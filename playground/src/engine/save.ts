// What people take away: the model, the scores, the data.
import type { Column, Table } from 'curvad/files';
import type { ReplyOf, RequestOf } from './protocol.js';
import type { Context, Session } from './session.js';

export async function saveModel(
  session: Session,
  { settings }: RequestOf<'model'>,
  context: Context,
): Promise<ReplyOf<'model'>> {
  const { detector } = await session.detector(settings, context);
  return { bytes: detector.toBytes() };
}

/** The rows as they came, with score and verdict in two more columns. */
export async function saveScores(
  session: Session,
  { settings }: RequestOf<'scores'>,
  context: Context,
): Promise<ReplyOf<'scores'>> {
  const { detector } = await session.detector(settings, context);
  const { columns, rows } = session.data.table;
  const score: Column = {
    kind: 'number',
    name: free('score', columns),
    values: detector.scores,
    isWhole: false,
    missing: 0,
  };
  const anomaly: Column = {
    kind: 'number',
    name: free('anomaly', columns),
    values: detector.labels,
    isWhole: true,
    missing: 0,
  };
  return { file: await csvOf({ columns: [...columns, score, anomaly], rows, isNamed: true }) };
}

export async function saveTable(session: Session): Promise<ReplyOf<'table'>> {
  return { file: await csvOf(session.data.table) };
}

function free(name: string, columns: readonly Column[]): string {
  let candidate = name;
  while (columns.some((column) => column.name === candidate)) candidate = `curvad ${candidate}`;
  return candidate;
}

async function csvOf(table: Table): Promise<Blob> {
  const { writeTable } = await import('curvad/files');
  const pieces: Array<string | Uint8Array<ArrayBuffer>> = [];
  for await (const piece of writeTable(table, 'csv')) pieces.push(piece as Uint8Array<ArrayBuffer>);
  return new Blob(pieces, { type: 'text/csv' });
}
