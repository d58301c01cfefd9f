// What parts the fields of a text: a character, runs of blanks, or the places in the line. It is the one that parts the
// first lines into equally many fields.
import { CurvadError } from '../core/errors.js';
import { meaningOf } from '../tables/words.js';
import {
  FixedPlaces,
  linesOf,
  type Rewriter,
  RunsOfBlanks,
  rewritten,
  type Span,
  spansIn,
  spansOf,
} from './blank-fields.js';
import { numberIn } from './number.js';
import type { Dialect } from './options.js';
import { RecordReader } from './records.js';

export const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Records that are looked at. */
const SAMPLE = 50;
/** Lines of which fewer are alike are no table. */
const SHARE_ALIKE = 0.8;
const [POINT, COMMA] = [0x2e, 0x2c];

/** The names beside the fields of the rows. */
export type NamesFit = 'equal' | 'row names' | 'blank ends' | 'blank names';

/** How the fields of a text are parted. */
export interface Parting {
  /** The character between fields, after they were rewritten. */
  readonly separator: string;
  /** How a text must be rewritten before. */
  readonly layout: 'plain' | 'blanks' | 'fixed';
  readonly spans: readonly Span[];
  readonly records: ReadonlyArray<readonly string[]>;
  /** Fields of the rows; 1 where lines differ. */
  readonly width: number;
  /** Whether the first record has as many fields as the others, or one less, as R writes names of rows, or more or less blank ones. */
  readonly fit: NamesFit;
}

/** The beginning of a text. */
export interface Head {
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
  /** Lines before the first record, and marks of comments. */
  readonly skip: number;
  readonly comment: string | undefined;
}

/** What rewrites a text that is parted so, if anything. */
export function rewriterOf(
  { layout, spans }: Pick<Parting, 'layout' | 'spans'>,
  head: Pick<Head, 'skip' | 'comment'>,
): Rewriter | undefined {
  if (layout === 'plain') return undefined;
  return layout === 'blanks' ? new RunsOfBlanks() : new FixedPlaces(spans, head);
}

/** What parts the fields, as it was said or found out. */
export function findParting(head: Head, { separator, widths, decimal }: Dialect): Parting {
  if (widths !== undefined) return fixed(head, spansOf(widths));
  if (separator === 'fixed') {
    const spans = spansOfHead(head);
    if (spans.length > 1) return fixed(head, spans);
    throw new CurvadError(
      'SEPARATOR_INVALID',
      'no character position is blank in all lines: give the column widths (--widths)',
    );
  }
  if (separator === 'blanks') return blanks(head);
  if (separator === ' ') return spaced(head);
  if (separator !== undefined) return plain(head, separator);
  const candidates = SEPARATORS.filter((mark) => mark !== decimal).map((mark) => plain(head, mark));
  const even = candidates.filter(({ width }) => width > 1);
  const best = even.reduce<Parting | undefined>((a, b) => (a === undefined || isBetter(b, a) ? b : a), undefined);
  const aligned =
    best === undefined || best.separator === ',' || best.separator === '\t' ? partedByBlanks(head, best) : undefined;
  return aligned ?? best ?? mostlyEven(candidates) ?? (candidates[0] as Parting);
}

/** One space, or runs of them where that makes no equal lines. */
function spaced(head: Head): Parting {
  const single = plain(head, ' ');
  return single.width > 1 && single.fit === 'equal' ? single : blanks(head);
}

function plain(head: Head, separator: string): Parting {
  return parted(head, { separator, layout: 'plain', spans: [] });
}

function blanks(head: Head): Parting {
  return parted(head, { separator: '\t', layout: 'blanks', spans: [] });
}

function fixed(head: Head, spans: readonly Span[]): Parting {
  return parted(head, { separator: '\t', layout: 'fixed', spans });
}

function spansOfHead(head: Head): Span[] {
  return spansIn(linesOf(head.bytes, head.isCut, head));
}

function parted(head: Head, by: Pick<Parting, 'separator' | 'layout' | 'spans'>): Parting {
  const rewriter = rewriterOf(by, head);
  const bytes = rewriter === undefined ? head.bytes : rewritten(head.bytes, rewriter);
  const { records, isBad } = sampleOf({ ...head, bytes }, by.separator);
  return { ...by, records, ...(isBad ? { width: 1, fit: 'equal' as const } : shapeOf(records)) };
}

interface Sample {
  readonly records: ReadonlyArray<readonly string[]>;
  /** Whether a record could not be read. */
  readonly isBad: boolean;
}

function sampleOf({ bytes, isCut, skip, comment }: Head, separator: string): Sample {
  const reader = new RecordReader(separator, { comment, skip });
  reader.push(bytes);
  if (!isCut) reader.finish();
  const records: string[][] = [];
  try {
    while (records.length < SAMPLE && reader.next()) records.push(reader.texts());
    if (records.length === 0) {
      reader.finish(); // a first line longer than the sample
      if (reader.next()) records.push(reader.texts());
    }
  } catch {
    return { records, isBad: true };
  }
  return { records, isBad: false };
}

const isEmpty = (cell: string): boolean => cell.trim() === '';

/** How many fields the rows have, and how the names fit. */
function shapeOf(records: ReadonlyArray<readonly string[]>): Pick<Parting, 'width' | 'fit'> {
  const [names = [], ...rows] = records;
  const [row = names] = rows;
  const width = row.length;
  if (!rows.every(({ length }) => length === width)) return { width: 1, fit: 'equal' };
  if (names.length === width) return { width, fit: 'equal' };
  const surplus = width - names.length;
  if (surplus > 0 && rows.every((cells) => cells.slice(-surplus).every(isEmpty))) return { width, fit: 'blank ends' };
  const areWords = names.every((name) => !isNumber(name, POINT) && meaningOf(name) !== undefined);
  if (surplus === 1 && names.length > 1 && areWords) return { width, fit: 'row names' };
  if (surplus < 0 && width > 1 && names.slice(width).every(isEmpty)) return { width, fit: 'blank names' };
  return { width: 1, fit: 'equal' };
}

function isNumber(cell: string, point: number): boolean {
  return !Number.isNaN(numberIn(cell.trim(), point));
}

/** Of two that make equal lines, the one with more cells of numbers, then with more fields. */
function isBetter(b: Parting, a: Parting): boolean {
  const [ofA, ofB] = [shareOfNumbers(a), shareOfNumbers(b)];
  return Math.abs(ofA - ofB) > 0.2 ? ofB > ofA : b.width > a.width;
}

/** How many of the cells below the first line are numbers, or empty. */
function shareOfNumbers({ records, separator }: Parting): number {
  const cells = (records.length > 1 ? records.slice(1) : records).flat();
  const isPlain = (cell: string): boolean =>
    meaningOf(cell) === undefined || isNumber(cell, POINT) || (separator !== ',' && isNumber(cell, COMMA));
  return cells.filter(isPlain).length / Math.max(1, cells.length);
}

/**
 * Runs of blanks, or equal places in all lines. One column of numbers is asked for: two words in every line may be a
 * name. Where commas part the fields, too, they may be decimal marks, and no cell is to be anything else.
 */
function partedByBlanks(head: Head, other: Parting | undefined): Parting | undefined {
  const runs = blanks(head);
  if (other?.separator === ',') return runs.width > 1 && allDecimals(runs) ? runs : undefined;
  if (other !== undefined)
    return runs.fit === 'equal' && runs.width > other.width && isBetter(runs, other) && shareOfNumbers(runs) > 0.5
      ? runs
      : undefined;
  const isTable = (parting: Parting): boolean =>
    parting.width > 1 && parting.records.length > 1 && hasNumericColumn(parting);
  if (runs.fit === 'equal' && isTable(runs)) return runs;
  const spans = spansOfHead(head);
  const places = spans.length > 1 ? fixed(head, spans) : undefined;
  if (places !== undefined && isTable(places) && (places.records[0] ?? []).slice(1).every((name) => !isEmpty(name)))
    return places;
  return runs.fit === 'row names' && runs.width > 2 && isTable(runs) ? runs : undefined;
}

const DECIMAL_COMMA = /^[-+]?\d+(,\d+)?(e[-+]?\d+)?$/i;

function allDecimals({ records }: Parting): boolean {
  const rows = records.length > 1 ? records.slice(1) : records;
  return (
    rows.every((cells) => cells.every((cell) => DECIMAL_COMMA.test(cell))) &&
    rows.flat().some((cell) => cell.includes(','))
  );
}

function hasNumericColumn({ records, width }: Parting): boolean {
  const rows = records.slice(1);
  return Array.from({ length: width }, (_, j) => rows.map((cells) => cells[j] ?? '')).some((cells) => {
    const filled = cells.filter((cell) => meaningOf(cell) !== undefined);
    return filled.length > 0 && filled.every((cell) => isNumber(cell, POINT) || isNumber(cell, COMMA));
  });
}

/** Where no character makes equal lines: the one by which most are alike. The others are an error that names the line. */
function mostlyEven(candidates: readonly Parting[]): Parting | undefined {
  const shares = candidates.map((parting) => {
    const counts = new Map<number, number>();
    for (const { length } of parting.records) counts.set(length, (counts.get(length) ?? 0) + 1);
    const [width = 1, count = 0] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [1, 0]);
    return { parting, share: width > 1 ? count / parting.records.length : 0 };
  });
  const best = shares.reduce((a, b) => (b.share > a.share ? b : a), {
    parting: undefined as Parting | undefined,
    share: 0,
  });
  return best.share >= SHARE_ALIKE ? best.parting : undefined;
}
