// Lines of comments above a table, by the mark they begin with. The last of them may name the columns, as numpy.savetxt
// and gnuplot have it.
import { quote } from '../core/messages.js';
import { meaningOf } from '../tables/words.js';
import { numberIn } from './number.js';

const MARKS = ['#', '%', '//', ';', '!'];
const SAMPLE_LINES = 100;
const POINT = 0x2e;

export interface Comments {
  readonly mark: string;
  /** The names of the columns, where the last comment has them. */
  readonly names: readonly string[] | undefined;
  readonly note: string;
}

/** The comments that a text begins with. */
export function commentsAbove(text: string): Comments | undefined {
  const lines = text.split(/\r\n|\r|\n/, SAMPLE_LINES).filter((line) => line.trim() !== '');
  const mark = MARKS.find((candidate) => lines[0]?.startsWith(candidate));
  if (mark === undefined) return undefined;
  const end = lines.findIndex((line) => !line.startsWith(mark));
  if (end < 0) return undefined;
  const rows = lines.slice(end).filter((line) => !line.startsWith(mark));
  // A semicolon may part fields as well.
  if (mark === ';' && rows.some((line) => line.includes(';'))) return undefined;
  const last = lines[end - 1] as string;
  const names = namesIn(last.slice(last.lastIndexOf(mark, mark.length * 3) + mark.length).trim(), rows);
  if (end === 1 && !/^\W+\s/.test(last) && fieldsAlike(last, rows)) return undefined; // "#chrom" is a name
  const isNames = names === undefined ? '' : ', and the last one above the table is the header';
  return {
    mark,
    names,
    note: `lines that begin with ${quote(mark)} are skipped as comments${isNames} (--comment "" if not)`,
  };
}

/** Whether a line has as many fields as those below it. */
function fieldsAlike(line: string, rows: readonly string[]): boolean {
  return [',', ';', '\t', '|'].every((mark) => line.split(mark).length === (rows[0] ?? '').split(mark).length);
}

/** The names in a comment: as many words as the rows below have fields, above numbers. */
function namesIn(comment: string, rows: readonly string[]): readonly string[] | undefined {
  for (const separator of [',', ';', '\t', '|', /[ \t]+/]) {
    const fieldsOf = (line: string): string[] =>
      line
        .trim()
        .split(separator)
        .map((field) => field.trim());
    const names = fieldsOf(comment);
    const [first = [], ...others] = rows.map(fieldsOf);
    const isAlike = names.length > 1 && [first, ...others.slice(0, 5)].every(({ length }) => length === names.length);
    if (!isAlike) continue;
    const isNumber = (field: string): boolean => !Number.isNaN(numberIn(field, POINT));
    if (first.some(isNumber) && names.every((name) => !isNumber(name) && meaningOf(name) !== undefined)) return names;
  }
  return undefined;
}
