// The main loop of score: rows of a CSV or NDJSON stream, or of a table, pass through the encoder to the scorer. Lines
// that cannot be scored are skipped or stop the run.
import { setTimeout as wait } from 'node:timers/promises';
import { finish } from '../../core/steps.js';
import { BadLine } from '../../files/bad-line.js';
import { atLine, type CsvRows, openCsv, wrongCount } from '../../files/csv.js';
import type { LineReader } from '../../files/lines.js';
import { jsonRows, parseRow } from '../../files/ndjson.js';
import type { OpenInput } from '../../files/read.js';
import type { RecordReader } from '../../files/records.js';
import { applyRecipe } from '../../tables/apply.js';
import { findColumn } from '../../tables/find.js';
import { locate, noteOnUnknown } from '../../tables/locate.js';
import { textAt } from '../../tables/table.js';
import { AT_A_TERMINAL } from '../../tables/wording.js';
import { count, quote, UsageError } from '../errors.js';
import type { SavedModel } from '../model.js';
import { readTableOf } from '../read-table.js';
import { RowEncoder } from '../row-encoder.js';
import { Scorer } from '../scorer.js';
import type { Progress, Terminal } from '../terminal.js';
import type { Carrier } from './carrier.js';
import type { ScoreWriter } from './score-writer.js';

export const ERROR_POLICIES = ['stop', 'skip'] as const;

export interface ScoringOptions {
  readonly carrier: Carrier;
  readonly writer: ScoreWriter;
  readonly policy: (typeof ERROR_POLICIES)[number];
  readonly threads: number | undefined;
}

/** Milliseconds that rows wait for more rows before they are scored. */
const PATIENCE = 10;
/** Bad lines that are reported in full. */
const MOST_TOLD = 20;
/** Bad lines beyond those reported. */
const MOST_NAMED = 1000;

export class Scoring {
  readonly #model: SavedModel;
  readonly #input: OpenInput;
  readonly #options: ScoringOptions;
  readonly #terminal: Terminal;
  readonly #encoder: RowEncoder;
  readonly #scorer: Scorer;
  readonly #progress: Progress;
  #skipped = 0;
  readonly #skippedLines: number[] = [];
  #left = 0;
  /** The number of the next row. */
  #row = 0;

  constructor(model: SavedModel, input: OpenInput, options: ScoringOptions, terminal: Terminal) {
    this.#model = model;
    this.#input = input;
    this.#options = options;
    this.#terminal = terminal;
    this.#encoder = new RowEncoder(model.recipe);
    this.#scorer = new Scorer(model.detector, this.#encoder.width, options.threads, (batch) =>
      options.writer.write(batch),
    );
    this.#progress = terminal.progress('Scoring', undefined, 'rows');
  }

  get total(): number {
    return this.#scorer.total;
  }

  async run(): Promise<void> {
    const { format, source } = this.#input;
    try {
      if (format === 'csv' || format === 'tsv') await this.#csv();
      else if (format === 'ndjson') await this.#ndjson();
      else await this.#table();
      await this.#scorer.finish();
    } catch (error) {
      // Rows before the bad line are scored and written.
      if (error instanceof BadLine) await this.#scorer.finish();
      throw atLine(error, source.name);
    } finally {
      this.#progress.end();
    }
  }

  /** Reports omitted rows and unknown categories. */
  tell(): void {
    const terminal = this.#terminal;
    if (this.#skipped > 0) {
      const more = this.#skipped - MOST_TOLD;
      const rest = more > 0 ? ` (${this.#skippedLines.join(', ')}${more > MOST_NAMED ? ', …' : ''} too)` : '';
      terminal.warn(`skipped ${count(this.#skipped, 'line')} that could not be scored${rest}`);
    }
    if (this.#left > 0) terminal.warn(`left out ${count(this.#left, 'row')} that lack values`);
    if (this.#encoder.filledIn > 0) terminal.warn(`filled in ${count(this.#encoder.filledIn, 'missing value')}`);
    if (this.#encoder.unknownCategories > 0)
      terminal.warn(`${count(this.#encoder.unknownCategories, 'cell')} held categories the model does not know`);
  }

  async #csv(): Promise<void> {
    const { source, options } = this.#input;
    const rows = await openCsv(source, options);
    const { recipe } = this.#model;
    if (recipe.isNamed && !rows.hasHeader && options.header === undefined) {
      throw new UsageError(
        `the model knows its columns by name, but ${source.name} has no header: add one, or match columns by position with --no-header`,
      );
    }
    const places = locate(recipe, rows.names, rows.hasHeader, source.name);
    const { id } = this.#options.carrier.options;
    const names = rows.hasHeader ? rows.names : [];
    const idPlace = id === undefined ? [] : [names.indexOf(id)];
    const unused = noteOnUnknown(recipe, names, [...places, ...idPlace]);
    if (unused !== undefined) this.#terminal.note(unused);
    const fields = Int32Array.from(places);
    const textOf = this.#textOfFields(rows);
    await this.#options.writer.begin();
    for (let isMore = true; isMore; ) {
      while (this.#takeRecords(rows, fields, textOf)) await this.#scorer.flush();
      isMore = await this.#whileWaiting(rows.more());
    }
    while (this.#takeRecords(rows, fields, textOf)) await this.#scorer.flush();
    for (const note of rows.reader.passedOver()) this.#terminal.note(note);
  }

  /** Takes the records that have arrived; true if the batch filled up first. */
  #takeRecords(rows: CsvRows, fields: Int32Array, textOf: (reader: RecordReader) => string): boolean {
    const { reader, names } = rows;
    for (;;) {
      try {
        for (;;) {
          if (this.#scorer.isFull) return true;
          if (!reader.next()) return false;
          if (reader.count !== names.length) throw new BadLine(reader.line, wrongCount(reader.count, names.length));
          const { data, offset } = this.#scorer;
          const isComplete = this.#encoder.encodeFields(rows, fields, data, offset);
          this.#take(isComplete, () => textOf(reader));
        }
      } catch (error) {
        this.#skip(error);
      }
    }
  }

  async #ndjson(): Promise<void> {
    const chunks = jsonRows(this.#input.source, this.#input.options.encoding);
    const textOf = this.#options.carrier.ofObjects();
    for (;;) {
      const next = await this.#whileWaiting(chunks.next());
      if (next.done) return;
      while (this.#takeLines(next.value, textOf)) await this.#scorer.flush();
    }
  }

  /** Takes the lines that have arrived; true if the batch filled up first. */
  #takeLines(reader: LineReader, textOf: ReturnType<Carrier['ofObjects']>): boolean {
    const { carrier } = this.#options;
    const { id, scoresOnly } = carrier.options;
    for (;;) {
      try {
        for (;;) {
          if (this.#scorer.isFull) return true;
          const text = reader.next();
          if (text === undefined) return false;
          const row = parseRow(text, reader.line);
          const name = id === undefined || !(row instanceof Map) ? undefined : (row.get(id) as unknown);
          const { data, offset } = this.#scorer;
          const isComplete = this.#encoder.encodeJson(row, reader.line, data, offset);
          const number = reader.line;
          this.#take(isComplete, () =>
            scoresOnly ? carrier.ofScore(this.#row, nameOf(name)) : textOf({ row, line: text, number }),
          );
        }
      } catch (error) {
        this.#skip(error);
      }
    }
  }

  /** For formats that are not read as a stream. */
  async #table(): Promise<void> {
    const { carrier, writer } = this.#options;
    const { id, scoresOnly } = carrier.options;
    const { recipe } = this.#model;
    const valuesOf = recipe.columns.map((column) => ('values' in column ? column.values.length : 0));
    const mostTexts = scoresOnly ? { mostTexts: Math.max(10, ...valuesOf) + 1000 } : {};
    const text = id === undefined ? [] : [id];
    const table = await readTableOf(this.#input, { text, ...mostTexts }, this.#terminal);
    const { name: where } = this.#input.source;
    const names = id === undefined ? undefined : findColumn(table, id, '--id');
    const nameAt = (row: number): string | null => (names === undefined ? null : textAt(names, row));
    const textOf = scoresOnly ? (row: number) => carrier.ofScore(row, nameAt(row)) : carrier.ofTable(table, where);
    await writer.begin();
    const { data, rows, columns, kept, notes } = finish(applyRecipe(table, { recipe, where, wording: AT_A_TERMINAL }));
    for (const note of notes) this.#terminal.warn(note);
    for (let i = 0; i < rows; i++) {
      if (this.#scorer.isFull) await this.#scorer.flush();
      this.#scorer.data.set(data.subarray(i * columns, (i + 1) * columns), this.#scorer.offset);
      const row = kept?.[i] ?? i;
      this.#scorer.add(row, textOf(row));
    }
  }

  /** What is written of the current CSV row. */
  #textOfFields(rows: CsvRows): (reader: RecordReader) => string {
    const { carrier } = this.#options;
    const { id, scoresOnly } = carrier.options;
    const field = id === undefined ? -1 : rows.names.indexOf(id);
    if (id !== undefined && field < 0) throw new UsageError(`--id: there is no column ${quote(id)}`);
    if (!scoresOnly) return carrier.ofFields(rows, this.#input.options.na);
    return (reader) => carrier.ofScore(this.#row, field < 0 ? null : reader.text(field));
  }

  #take(isComplete: boolean, textOf: () => string): void {
    if (isComplete) this.#scorer.add(this.#row, textOf());
    else this.#left++;
    this.#row++;
  }

  /** Reports, counts and skips a bad line, or stops the run. */
  #skip(error: unknown): void {
    if (!(error instanceof BadLine) || this.#options.policy === 'stop') throw error;
    this.#skipped++;
    this.#row++;
    if (this.#skipped <= MOST_TOLD) this.#terminal.warn(`line ${error.line} is skipped: ${error.message}`);
    else if (this.#skippedLines.length < MOST_NAMED) this.#skippedLines.push(error.line);
  }

  /** Waits for more bytes. Rows from a pipe are scored after a short wait even if no more arrive. */
  async #whileWaiting<T>(next: Promise<T>): Promise<T> {
    const { read, size, isLive } = this.#input.source;
    this.#progress.update(size === undefined ? undefined : read / size, this.#row);
    if (isLive && !this.#scorer.isEmpty) {
      const isThere = await Promise.race([next.then(() => true), wait(PATIENCE, false)]);
      if (!isThere) await this.#scorer.flush();
    }
    return next;
  }
}

function nameOf(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}
