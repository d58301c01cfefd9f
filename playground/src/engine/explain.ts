// Why a row has its score, and what would make it normal.
import { type Explanation, explainRowsAsync } from 'curvad';
import type { Column } from 'curvad/files';
import type { ExplainReply, RequestOf } from './protocol.js';
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
  const isFrozen = (feature: string): boolean =>
    frozen.some((name) => feature === name || feature.startsWith(`${name}=`));
  const explained = (subject: number | Record<string, unknown>): Promise<Explanation[]> =>
    explainRowsAsync(detector, [subject], { frozen: features.filter(isFrozen) }, { signal: context.signal });
  const [explanation] = await explained(row).catch((error: { code?: string }) => {
    // Some detectors keep a sample of the training rows only: others are explained by their values.
    if (error.code === 'ROW_NOT_KEPT') return explained(valuesOf(session.data.features, row));
    throw error;
  });
  if (explanation === undefined) throw new Error(`row ${row} was not explained`);
  const { counterfactual } = explanation;
  const name = (part: { name: string | undefined; feature: number }): string =>
    part.name ?? `column ${part.feature + 1}`;
  return {
    row,
    score: explanation.score,
    threshold: explanation.threshold,
    isAnomaly: explanation.label === 1,
    basis: explanation.basis,
    columns: explanation.columns
      .slice(0, MOST_COLUMNS)
      .map((column) => ({ name: name(column), value: column.value, typical: column.typical, share: column.share })),
    changes: explanation.changes.map((change) => ({ name: name(change), from: change.from, to: change.to })),
    isNormalAfter: counterfactual.isNormal,
    why: counterfactual.why,
    words: String(explanation),
    neighbors: explanation.neighbors.map(({ index }) => index),
    cells: session.data.table.columns.map((column: Column) => [column.name, textOf(column, row)] as const),
    after: Object.fromEntries(features.map((feature, j) => [feature, counterfactual.row[j] as number])),
  };
}

function valuesOf(features: readonly Column[], row: number): Record<string, unknown> {
  const cell = (column: Column): unknown => {
    const text = textOf(column, row);
    return text === ''
      ? null
      : column.kind === 'number'
        ? column.values[row]
        : column.kind === 'boolean'
          ? text === 'true'
          : text;
  };
  return Object.fromEntries(features.map((column) => [column.name, cell(column)]));
}
