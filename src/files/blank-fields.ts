// Fields that blanks part: runs of spaces and tabs, or places in the line that are the same in all lines. Both become
// fields that tabs part, line by line, so that the reader of records needs to know nothing of them.
import { BadLine } from './bad-line.js';
import { decodeUtf8, NotUtf8 } from './text.js';

const [NEWLINE, RETURN, QUOTE, SPACE, TAB] = [0x0a, 0x0d, 0x22, 0x20, 0x09];

/** Rewrites the bytes of a text, chunk by chunk. */
export interface Rewriter {
  push(chunk: Uint8Array): Uint8Array;
  /** What is left at the end. */
  finish(): Uint8Array;
}

/** Runs of spaces and tabs become one tab; those at the ends of lines and between quotes are none. */
export class RunsOfBlanks implements Rewriter {
  #isBlank = false;
  #isQuoted = false;
  #isStart = true;

  push(chunk: Uint8Array): Uint8Array {
    const made = new Uint8Array(chunk.length + 1);
    let [isBlank, isQuoted, isStart] = [this.#isBlank, this.#isQuoted, this.#isStart];
    let to = 0;
    for (const byte of chunk) {
      if (byte === NEWLINE || byte === RETURN) {
        [isBlank, isQuoted, isStart] = [false, false, true];
        made[to++] = byte;
      } else if ((byte === SPACE || byte === TAB) && !isQuoted) isBlank = true;
      else {
        const isFirst = isStart || isBlank;
        if (isBlank && !isStart) made[to++] = TAB;
        if (byte === QUOTE) isQuoted = isFirst || (!isQuoted && made[to - 1] === QUOTE);
        [isBlank, isStart] = [false, false];
        made[to++] = byte === TAB ? SPACE : byte;
      }
    }
    [this.#isBlank, this.#isQuoted, this.#isStart] = [isBlank, isQuoted, isStart];
    return made.subarray(0, to);
  }

  finish(): Uint8Array {
    return new Uint8Array();
  }
}

/** A column of a text of fixed width: from its first letter to before its last, counted from 0. */
export type Span = readonly [from: number, to: number];

/** Lines that are no rows: so many titles, and those that begin with a mark. */
export interface OtherLines {
  readonly skip: number;
  readonly comment: string | undefined;
}

/** Columns at fixed places. What stands between two of them is an error, as it would be lost. */
export class FixedPlaces implements Rewriter {
  readonly #spans: readonly Span[];
  readonly #others: OtherLines;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #encoder = new TextEncoder();
  #line = 0;
  #rest = '';

  constructor(spans: readonly Span[], others: OtherLines) {
    this.#spans = spans;
    this.#others = others;
  }

  push(chunk: Uint8Array): Uint8Array {
    const text = this.#rest + this.#decode(chunk);
    const end = text.lastIndexOf('\n');
    this.#rest = text.slice(end + 1);
    return end < 0 ? new Uint8Array() : this.#rewrite(text.slice(0, end));
  }

  finish(): Uint8Array {
    const rest = this.#rest;
    this.#rest = '';
    return rest === '' ? new Uint8Array() : this.#rewrite(rest);
  }

  #decode(chunk: Uint8Array): string {
    try {
      return this.#decoder.decode(chunk as Uint8Array<ArrayBuffer>, { stream: true });
    } catch {
      throw new NotUtf8('it is not UTF-8 text');
    }
  }

  #rewrite(text: string): Uint8Array {
    const { skip, comment } = this.#others;
    const lines = text.split(/\r\n|\r|\n/).map((line) => {
      const isOther = ++this.#line <= skip || (comment !== undefined && line.startsWith(comment));
      return isOther || line.trim() === '' ? line : this.#fields(line).join('\t');
    });
    return this.#encoder.encode(`${lines.join('\n')}\n`);
  }

  #fields(line: string): string[] {
    let after = 0;
    const fields = this.#spans.map(([from, to]) => {
      this.#refuseBetween(line.slice(after, from));
      after = to;
      const text = line.slice(from, to).trim().replaceAll('\t', ' ');
      return text.startsWith('"') && !/^"(?:[^"]|"")*"$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    });
    this.#refuseBetween(line.slice(after));
    return fields;
  }

  #refuseBetween(text: string): void {
    if (text.trim() !== '')
      throw new BadLine(
        this.#line,
        `${JSON.stringify(text.trim().slice(0, 20))} stands in the gap between two columns: give the column widths (--widths)`,
      );
  }
}

/** Columns of these widths, one after another; the last one goes on to the end of the line. */
export function spansOf(widths: readonly number[]): Span[] {
  let at = 0;
  return widths.map((width, i) => {
    const from = at;
    at += width;
    return [from, i === widths.length - 1 ? Infinity : at];
  });
}

/** Lines that are needed to see columns in them. */
const FEWEST_LINES = 4;

/** The columns that lines have at the same places: what stands between letters that are blank in all of them. */
export function spansIn(lines: readonly string[]): Span[] {
  if (lines.length < FEWEST_LINES || lines.some((line) => line.includes('\t'))) return [];
  const width = Math.max(...lines.map(({ length }) => length));
  const isBlank = Array.from({ length: width }, (_, at) => lines.every((line) => (line[at] ?? ' ') === ' '));
  const spans: Array<[number, number]> = [];
  isBlank.forEach((is, at) => {
    const last = spans.at(-1);
    if (is) return;
    if (last !== undefined && last[1] === at) last[1]++;
    else spans.push([at, at + 1]);
  });
  const named = withNames(spans, lines[0] as string);
  const last = named.at(-1);
  return last === undefined ? [] : [...named.slice(0, -1), [last[0], Infinity]]; // longer lines may come
}

/** Where words above the others name the columns, what has no name belongs to the column nearest to it, as the "of" in two words. */
function withNames(spans: readonly Span[], first: string): readonly Span[] {
  const nameOf = ([from, to]: Span): string => first.slice(from, to).trim();
  if (spans.some((span) => !Number.isNaN(Number(nameOf(span) || 'none')))) return spans;
  const joined = [...spans];
  for (let i = joined.findIndex((span, at) => at > 0 && nameOf(span) === ''); i > 0; ) {
    const [before, own, after] = [joined[i - 1], joined[i], joined[i + 1]] as [Span, Span, Span | undefined];
    const isNext = after !== undefined && after[0] - own[1] < own[0] - before[1];
    joined.splice(isNext ? i : i - 1, 2, isNext ? [own[0], after[1]] : [before[0], own[1]]);
    i = joined.findIndex((span, at) => at > 0 && nameOf(span) === '');
  }
  return joined;
}

/** All bytes of a text, rewritten. */
export function rewritten(bytes: Uint8Array, rewriter: Rewriter): Uint8Array {
  const [first, last] = [rewriter.push(bytes), rewriter.finish()];
  const all = new Uint8Array(first.length + last.length);
  all.set(first);
  all.set(last, first.length);
  return all;
}

/** The chunks of a text, rewritten. */
export async function* rewrittenChunks(
  chunks: AsyncIterable<Uint8Array>,
  rewriter: Rewriter,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const made = rewriter.push(chunk);
    if (made.length > 0) yield made;
  }
  const last = rewriter.finish();
  if (last.length > 0) yield last;
}

/** Lines of a text that are no comments, and not blank; the last one only where it is whole. */
export function linesOf(head: Uint8Array, isCut: boolean, { skip, comment }: OtherLines): string[] {
  const lines = decodeUtf8(head, 0, isCut ? head.lastIndexOf(NEWLINE) + 1 : head.length)
    .split(/\r\n|\r|\n/)
    .slice(skip);
  return lines.filter((line) => line.trim() !== '' && !(comment !== undefined && line.startsWith(comment)));
}
