// The output of detect: the input rows with their scores appended, or only the scores.
import { type OutputColumn, outputColumn } from '../files/output-column.js';
import { namesBeside, type RowEndings, rowEndings } from '../files/row-endings.js';
import type { RowLayout, TextFormat } from '../files/row-texts.js';
import { formatRows, type RowFormat } from '../files/write.js';
import { quote } from './errors.js';
import { originalRows, type Rows } from './original-rows.js';
import { atPositions, type Reasons, type Scored, scoreColumns, verdictColumns } from './ranking.js';
import type { Terminal } from './terminal.js';

export interface ScoredOutput {
  readonly format: RowFormat;
  readonly scoresOnly: boolean;
  /** Positions to write, in this order; undefined for all. */
  readonly positions: Uint32Array | undefined;
  readonly reasons: Reasons | undefined;
}

/** The output in pieces. */
export async function* scoredRows(
  input: Rows,
  scored: Scored,
  { format, scoresOnly, positions, reasons }: ScoredOutput,
  terminal: Terminal,
): AsyncGenerator<string | Uint8Array> {
  const count = positions?.length ?? scored.scores.length;
  if (scoresOnly) {
    yield* formatRows(atPositions(scoreColumns(scored, reasons), positions), count, format);
    return;
  }
  const verdicts = verdictColumns(scored, reasons);
  const named = renamed(verdicts, input, terminal);
  if (format === 'parquet') {
    const { rowNumbers } = scored;
    const originals = input.table.columns.map((column) => outputColumn(column, rowNumbers));
    yield* formatRows(atPositions([...originals, ...named], positions), count, format);
  } else if (positions === undefined) yield* inOrderOfFile(input, scored, named, format);
  else yield* inOrder(input, scored, named, { format, positions });
}

/** Unique names of added columns, beside those of the file. */
function renamed(columns: readonly OutputColumn[], { table }: Rows, terminal: Terminal): OutputColumn[] {
  const wanted = columns.map(({ name }) => name);
  const names = namesBeside(
    table.columns.map(({ name }) => name),
    wanted,
  );
  const changed = wanted.flatMap((name, i) =>
    names[i] === name ? [] : [`${quote(name)} is ${quote(names[i] ?? '')}`],
  );
  if (changed.length > 0)
    terminal.note(`the file already has columns with these names: in the output ${changed.join(', ')}`);
  return columns.map((column, i) => ({ ...column, name: names[i] as string }));
}

async function* inOrderOfFile(
  input: Rows,
  { rowNumbers }: Scored,
  columns: readonly OutputColumn[],
  format: TextFormat,
): AsyncGenerator<string> {
  let endings: RowEndings | undefined;
  let position = 0;
  for await (const { layout, first, texts } of originalRows(input, format)) {
    let piece = '';
    if (endings === undefined) {
      endings = endingsOf(columns, layout, format);
      piece = endings.begin(layout.header);
    }
    for (const [i, text] of texts.entries()) {
      if (rowNumbers[position] !== first + i) continue; // omitted for missing values
      piece += endings.row(text, cellsAt(columns, position++));
    }
    yield piece;
  }
  if (endings !== undefined) yield endings.end();
}

async function* inOrder(
  input: Rows,
  { rowNumbers }: Scored,
  columns: readonly OutputColumn[],
  { format, positions }: { readonly format: TextFormat; readonly positions: Uint32Array },
): AsyncGenerator<string> {
  const wanted = new Set(Array.from(positions, (position) => rowNumbers[position] as number));
  const found = new Map<number, string>();
  let layout: RowLayout | undefined;
  for await (const piece of originalRows(input, format)) {
    layout = piece.layout;
    for (const [i, text] of piece.texts.entries()) if (wanted.has(piece.first + i)) found.set(piece.first + i, text);
    if (found.size === wanted.size) break;
  }
  if (layout === undefined) return;
  const endings = endingsOf(columns, layout, format);
  yield endings.begin(layout.header);
  for (const position of positions)
    yield endings.row(found.get(rowNumbers[position] as number) as string, cellsAt(columns, position));
  yield endings.end();
}

function endingsOf(columns: readonly OutputColumn[], { marks }: RowLayout, format: TextFormat): RowEndings {
  return rowEndings(
    format,
    columns.map(({ name }) => name),
    marks,
  );
}

function cellsAt(columns: readonly OutputColumn[], position: number): ReturnType<OutputColumn['at']>[] {
  return columns.map((column) => column.at(position));
}
