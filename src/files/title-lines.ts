// Lines above a table that are no rows of it: a title, who exported it and when, blank lines. They have one field at
// most, and the lines below them have more, all equally many.

/** Lines that are looked at. */
const SAMPLE_LINES = 60;
/** Lines above a table, at most. */
const MOST_ABOVE = 20;

/** How many lines of a text stand above its table. */
export function linesAboveTable(head: string, separators: readonly string[], comment: string | undefined): number {
  const lines = head.split(/\r\n|\r|\n/, SAMPLE_LINES).map((line) => (isComment(line, comment) ? '' : line));
  const end = /^\s*\/\*/.test(lines[0] ?? '') ? lines.findIndex((line) => line.includes('*/')) : -1;
  if (end >= 0) return end + 1;
  const tables = separators.map((separator) => above(lines, separator)).filter(({ width }) => width > 1);
  if (tables.length === 0 || tables.some((table) => table.lines === 0)) return 0;
  const { lines: titles } = tables.reduce((a, b) => (b.width > a.width ? b : a));
  return isPartedByBlanks(lines.slice(titles - 1, -1)) ? 0 : titles;
}

/** Names and numbers with spaces between: commas in them are decimal marks. */
function isPartedByBlanks(lines: readonly string[]): boolean {
  const widths = new Set(lines.filter((line) => !isBlank(line)).map((line) => line.trim().split(/[ \t]+/).length));
  return widths.size === 1 && !widths.has(1);
}

const isComment = (line: string, comment: string | undefined): boolean =>
  comment !== undefined && line.startsWith(comment);

const isBlank = (text: string): boolean => text.trim() === '';

/** By one separator: the width of the table, 1 where there is none, and the lines above it. */
function above(lines: readonly string[], separator: string): { width: number; lines: number } {
  // A separator between quotes does not count.
  const fields = lines.map((line) => line.replace(/"[^"]*"/g, 'q').split(separator));
  const first = fields.findIndex((line) => line.filter((field) => !isBlank(field)).length > 1);
  const none = { width: 1, lines: 0 };
  if (first < 0) return none;
  const width = (fields[first] as string[]).length;
  const table = fields.slice(first, -1).filter((line) => line.some((field) => !isBlank(field)));
  const isTable = table.length > 1 && table.every((line) => line.length === width);
  if (!isTable) return none;
  const titles = lines.slice(0, first);
  const isTitle =
    first <= MOST_ABOVE &&
    titles.some((line) => !isBlank(line)) &&
    titles.every((line) => !line.includes('"')) && // which may go on in the next line
    (width > 2 || isBlank(titles.at(-1) as string)); // two fields may be prose with a comma
  return first === 0 || isTitle ? { width, lines: first } : none;
}
