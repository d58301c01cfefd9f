// Scores on their way out, batch by batch. CSV, NDJSON and JSON leave as they come, in constant memory; Parquet is
// written from whole columns, so its scores are collected until the end.

import type { OutputColumn } from '../../files/output-column.js';
import { csvCell, formatRows, jsonValue, type RowFormat } from '../../files/write.js';
import type { Output } from '../output.js';
import type { Batch } from '../scorer.js';

export interface ScoreWriterOptions {
  readonly format: RowFormat;
  /** The column that names the rows. */
  readonly id: string | undefined;
  readonly threshold: number;
  readonly onlyAnomalies: boolean;
}

interface ScoredRow {
  readonly row: number;
  readonly name: string | null;
  readonly score: number;
  readonly anomaly: 0 | 1;
}

export class ScoreWriter {
  readonly #output: Output;
  readonly #options: ScoreWriterOptions;
  readonly #key: string;
  readonly #collected: ScoredRow[] = [];
  #isFirst = true;

  constructor(output: Output, options: ScoreWriterOptions) {
    this.#output = output;
    this.#options = options;
    this.#key = jsonValue(options.id ?? '');
  }

  async begin(): Promise<void> {
    const { format, id } = this.#options;
    if (format === 'csv') await this.#output.write(`row,${id === undefined ? '' : `${csvCell(id)},`}score,anomaly\n`);
    if (format === 'json') await this.#output.write('[');
  }

  write({ count, scores, rows, ids }: Batch): Promise<void> | void {
    const { format, threshold, onlyAnomalies } = this.#options;
    let text = '';
    for (let i = 0; i < count; i++) {
      const score = scores[i] as number;
      const anomaly = score > threshold ? 1 : 0;
      if (onlyAnomalies && anomaly === 0) continue;
      const scored: ScoredRow = { row: rows[i] as number, name: ids[i] ?? null, score, anomaly };
      if (format === 'parquet') this.#collected.push(scored);
      else text += this.#text(scored);
    }
    if (text !== '') return this.#output.write(text);
  }

  async end(): Promise<void> {
    const { format } = this.#options;
    if (format === 'json') await this.#output.write(this.#isFirst ? ']\n' : '\n]\n');
    if (format !== 'parquet') return;
    for await (const piece of formatRows(this.#columns(), this.#collected.length, format))
      await this.#output.write(piece);
  }

  #text({ row, name, score, anomaly }: ScoredRow): string {
    const { format, id } = this.#options;
    if (format === 'csv') return `${row},${id === undefined ? '' : `${csvCell(name)},`}${score},${anomaly}\n`;
    const named = id === undefined ? '' : `${this.#key}:${jsonValue(name)},`;
    const object = `{"row":${row},${named}"score":${jsonValue(score)},"anomaly":${anomaly}}`;
    if (format === 'ndjson') return `${object}\n`;
    const before = this.#isFirst ? '\n' : ',\n';
    this.#isFirst = false;
    return before + object;
  }

  #columns(): OutputColumn[] {
    const at = (i: number): ScoredRow => this.#collected[i] as ScoredRow;
    const { id } = this.#options;
    return [
      { name: 'row', type: 'integer', at: (i) => at(i).row },
      ...(id === undefined ? [] : [{ name: id, type: 'text' as const, at: (i: number) => at(i).name }]),
      { name: 'score', type: 'number', at: (i) => at(i).score },
      { name: 'anomaly', type: 'integer', at: (i) => at(i).anomaly },
    ];
  }
}
