// Why a row has its score, and what would make it normal: told by the columns of the file. A category that detectors see
// as several columns of 0 and 1 is one column again.
import { type Explanation, explainRowsAsync } from 'curvad';
import type { Column } from 'curvad/files';
import type { ColumnChange, ColumnReason, ExplainReply, RequestOf } from './protocol.js';
import type { Context, Session } from './session.js';
import { textOf } from './views.js';

const MOST_COLUMNS = 30;

export async function explainRow(
  session: Session,
  { settings, row, frozen }: RequestOf<'explain'>,
  context: Context,
): Promise<ExplainReply> {
  const { detector } = await session.detector(settings, context);
  const features = detector.recipe?.features ?? [];
  const categories = session.data.features.filter(({ kind }) => kind === 'text').map(({ name }) => name);
  const sources = features.map((feature) => sourceOf(feature, categories));
  const stay = features.filter((_, j) => frozen.includes(sources[j]?.name ?? ''));
  const explained = (subject: number | Record<string, unknown>): Promise<Explanation[]> =>
    explainRowsAsync(detector, [subject], { frozen: stay }, { signal: context.signal });
  const [explanation] = await explained(row).catch((error: { code?: string }) => {
    // Some detectors keep a sample of the training rows only: others are explained by their values.
    if (error.code === 'ROW_NOT_KEPT') return explained(valuesOf(session.data.features, row));
    throw error;
  });
  if (explanation === undefined) throw new Error(`row ${row} was not explained`);
  const { counterfactual } = explanation;
  return {
    row,
    score: explanation.score,
    threshold: explanation.threshold,
    isAnomaly: explanation.label === 1,
    basis: explanation.basis,
    columns: reasonsOf(explanation, sources).slice(0, MOST_COLUMNS),
    changes: changesOf(explanation, sources),
    isNormalAfter: counterfactual.isNormal,
    why: counterfactual.why,
    words: String(explanation),
    neighbors: explanation.neighbors.map(({ index }) => index),
    cells: session.data.table.columns.map((column: Column) => [column.name, textOf(column, row)] as const),
    after: Object.fromEntries(features.map((feature, j) => [feature, counterfactual.row[j] as number])),
    stay,
  };
}

/** The column that a feature is of, and the category it stands for. */
interface Source {
  readonly name: string;
  readonly category: string | undefined;
}

function sourceOf(feature: string, categories: readonly string[]): Source {
  const name = categories.find((category) => feature.startsWith(`${category}=`));
  return name === undefined
    ? { name: feature, category: undefined }
    : { name, category: feature.slice(name.length + 1) };
}

function reasonsOf({ columns }: Explanation, sources: readonly Source[]): ColumnReason[] {
  const reasons = new Map<string, ColumnReason & { most: number }>();
  for (const { feature, value, typical, share } of columns) {
    const { name, category } = sources[feature] as Source;
    const before = reasons.get(name);
    if (category === undefined) {
      reasons.set(name, { name, value, typical, share, most: 0 });
      continue;
    }
    // The category of the row is the one whose column holds 1; the usual one is the most frequent among rows like it.
    const isUsual = before === undefined || typical > before.most;
    reasons.set(name, {
      name,
      value: value > 0.5 ? category : (before?.value ?? 'another'),
      typical: isUsual ? (typical > 0 ? category : 'mixed') : before.typical,
      share: share + (before?.share ?? 0),
      most: Math.max(typical, before?.most ?? 0),
    });
  }
  return [...reasons.values()]
    .sort((a, b) => b.share - a.share)
    .map(({ name, value, typical, share }) => ({ name, value, typical, share }));
}

function changesOf({ changes, row, counterfactual }: Explanation, sources: readonly Source[]): ColumnChange[] {
  const told = new Set<string>();
  const categoryIn = (values: Float64Array, name: string): string =>
    sources.find((source, j) => source.name === name && (values[j] as number) > 0.5)?.category ?? 'another';
  return changes.flatMap(({ feature, from, to }): ColumnChange[] => {
    const { name, category } = sources[feature] as Source;
    if (category === undefined) return [{ name, from, to }];
    if (told.has(name)) return [];
    told.add(name);
    return [{ name, from: categoryIn(row, name), to: categoryIn(counterfactual.row, name) }];
  });
}

function valuesOf(features: readonly Column[], row: number): Record<string, unknown> {
  const cell = (column: Column): unknown => {
    const text = textOf(column, row);
    if (text === '') return null;
    if (column.kind === 'number') return column.values[row];
    return column.kind === 'boolean' ? text === 'true' : text;
  };
  return Object.fromEntries(features.map((column) => [column.name, cell(column)]));
}
