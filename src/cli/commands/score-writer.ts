// Writes scores batch by batch, each after the fields of its row. CSV, NDJSON and JSON are written as they arrive, in
// constant memory; Parquet stores whole columns, so its scores are collected until the end.

import type { OutputCell, OutputColumn } from '../../files/output-column.js';
import { type RowEndings, rowEndings } from '../../files/row-endings.js';
import { formatRows } from '../../files/write.js';
import type { Output } from '../output.js';
import type { Batch } from '../scorer.js';
import type { Carrier } from './carrier.js';

export interface ScoreWriterOptions {
  readonly threshold: number;
  /** How unusual a score is. */
  probabilityOf(score: number): number;
  readonly onlyAnomalies: boolean;
}

interface Collected {
  readonly row: number;
  readonly name: string;
  readonly verdict: readonly OutputCell[];
}

export class ScoreWriter {
  readonly #output: Output;
  readonly #carrier: Carrier;
  readonly #options: ScoreWriterOptions;
  readonly #collected: Collected[] = [];
  #endings: RowEndings | undefined;
  /** The file the rows come from. */
  file = '';

  constructor(output: Output, carrier: Carrier, options: ScoreWriterOptions) {
    this.#output = output;
    this.#carrier = carrier;
    this.#options = options;
  }

  /** Writes what comes before all rows, once the columns are known. */
  async begin(): Promise<void> {
    const { layout, verdicts, options } = this.#carrier;
    if (this.#endings !== undefined || options.format === 'parquet') return;
    this.#endings = rowEndings(options.format, verdicts, layout?.marks);
    const text = this.#endings.begin(layout?.header ?? '');
    if (text !== '') await this.#output.write(text);
  }

  async write({ count, scores, rows, texts }: Batch): Promise<void> {
    await this.begin();
    const { threshold, onlyAnomalies, probabilityOf } = this.#options;
    const { hasFiles } = this.#carrier.options;
    const [endings, file] = [this.#endings, this.file];
    let text = '';
    for (let i = 0; i < count; i++) {
      const score = scores[i] as number;
      const anomaly = Number(score > threshold);
      if (onlyAnomalies && anomaly === 0) continue;
      const verdict = [score, anomaly, probabilityOf(score), ...(hasFiles ? [file] : [])];
      const carried = texts[i] as string;
      if (endings === undefined) this.#collected.push({ row: rows[i] as number, name: carried, verdict });
      else text += endings.row(carried, verdict);
    }
    if (text !== '') await this.#output.write(text);
  }

  async end(): Promise<void> {
    await this.begin();
    const text = this.#endings?.end() ?? '';
    if (text !== '') await this.#output.write(text);
    if (this.#endings !== undefined) return;
    for await (const piece of formatRows(this.#columns(), this.#collected.length, 'parquet'))
      await this.#output.write(piece);
  }

  #columns(): OutputColumn[] {
    const { verdicts, options } = this.#carrier;
    const at = (i: number): Collected => this.#collected[i] as Collected;
    const types = ['number', 'integer', 'number', 'text'] as const;
    const { id } = options;
    return [
      { name: 'row', type: 'integer', at: (i) => at(i).row },
      ...(id === undefined ? [] : [{ name: id, type: 'text' as const, at: (i: number) => at(i).name }]),
      ...verdicts.map((name, j) => ({
        name,
        type: types[j] as (typeof types)[number],
        at: (i: number) => at(i).verdict[j] as OutputCell,
      })),
    ];
  }
}
