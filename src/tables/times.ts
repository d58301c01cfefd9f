// Dates and times as people and programs write them. Whether 5/6/2026 is in May or in June is told by the column, not by
// the cell: some day of it is above 12, or nobody can tell.
import type { DateOrder, TimeUnit } from './table.js';

/** A text that is a time, as far as it tells by itself. */
interface Written {
  readonly year: number;
  /** The month and the day, or, where their order is open, the first and the second number. */
  readonly first: number;
  readonly second: number;
  /** What is between two numbers whose order is open; '' where it is not. */
  readonly open: string;
  /** Milliseconds since the beginning of the day in UTC. */
  readonly time: number;
  /** Digits of the seconds' fraction; −1 where there is no time of day. */
  readonly digits: number;
}

const CLOCK =
  '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?\\s?([ap]\\.?m\\.?)?\\s?(Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?)?(?:\\[[\\w/+-]+\\])?';
const AFTER = `(?:(?:[T ]|, ?| at )\\s?${CLOCK})?$`;
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${AFTER}`, 'i');
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${AFTER}`, 'i');
const WEEKDAY = /^[a-zäéáà]{2,9}\.?,? (?=\S+ )/i;
const DAY_NAME = new RegExp(
  `^(\\d{1,2})[-/. ]{0,2}([a-zäéûç]{3,10})[-/., ]{0,2}(\\d{4}|\\d{2})(?:(?:[T :]|, ?)${CLOCK})?$`,
  'i',
);
const NAME_DAY = new RegExp(`^([a-zäéûç]{3,10})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})${AFTER}`, 'i');
const NAME_YEAR_LAST = /^([a-z]{3}) +(\d{1,2}) (\d{2}:\d{2}:\d{2})(?: (UTC|GMT|[+-]\d{4}))? (\d{4})$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(?:[.,](\d{1,9}))?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const MONTH = /^(\d{4})-(\d{2})$/;
const NAMED_MONTH = /^([a-zäéûç]{3,10})\.?[- ](\d{4})$/i;

/** Months by the beginnings of their names in English, German, French and Spanish. */
const MONTHS: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(jan|jän|janv|ene)/i, 1],
  [/^(feb|fév|fev)/i, 2],
  [/^(mar|mär|mrz)/i, 3],
  [/^(apr|avr|abr)/i, 4],
  [/^(may|mai)/i, 5],
  [/^(jun|juin)/i, 6],
  [/^(jul|juil)/i, 7],
  [/^(aug|aoû|aou|ago)/i, 8],
  [/^(sep)/i, 9],
  [/^(oct|okt)/i, 10],
  [/^(nov)/i, 11],
  [/^(dec|dez|déc|dic)/i, 12],
];
const MONTH_WORD =
  /^(january?|jänner|januar|janv(ier)?|enero|jan|jän|ene|february?|februar|février|febrero|feb|fév|fev|march|märz|mars|marzo|mar|mär|mrz|april|avril|abril|apr|avr|abr|may|mai|mayo|june|juni|juin|junio|jun|july|juli|juillet|julio|jul|juil|august|août|aout|agosto|aug|aoû|ago|september|septembre|septiembre|sept?|october|oktober|octobre|octubre|oct|okt|november|novembre|noviembre|nov|december|dezember|décembre|diciembre|dec|dez|déc|dic)$/i;
const WEEKDAYS =
  /^(mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lun|mar|mer|jeu|ven|sam|dim|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)$/i;
const DAY_MS = 86_400_000;
const LONGEST = 48;

/** Reads a text that is a time; undefined where it is none. */
function writtenIn(text: string): Written | undefined {
  if (text.length > LONGEST || text.length < 6 || !/\d/.test(text)) return undefined;
  const numeric = YEAR_FIRST.exec(text);
  if (numeric !== null) return fixedOrder(numeric[1], Number(numeric[3]), numeric[4], numeric.slice(5));
  const last = YEAR_LAST.exec(text);
  if (last !== null) return written(last[4], [Number(last[1]), Number(last[3])], last[2] as string, last.slice(5));
  const compact = COMPACT.exec(text);
  if (compact !== null) {
    const [, year, month, day, hour, minute, second, fraction, zone] = compact;
    return fixedOrder(year, Number(month), day, [hour, minute, second, fraction, undefined, zone]);
  }
  const month = MONTH.exec(text);
  if (month !== null) return /^(1[5-9]|2[01])/.test(text) ? fixedOrder(month[1], Number(month[2]), '1', []) : undefined;
  return /[a-z]{3}/i.test(text) ? namedIn(text) : undefined;
}

/** With the month as a word. */
function namedIn(whole: string): Written | undefined {
  const weekday = WEEKDAY.exec(whole)?.[0] ?? '';
  const word = /^[^.,]*/.exec(weekday.trimEnd())?.[0] as string;
  const isWeekday = WEEKDAYS.test(word);
  const isMonth = MONTH_WORD.test(word) && /^\D+\d{1,2}\D/.test(whole);
  const text = isWeekday && !isMonth ? whole.slice(weekday.length) : whole;
  const dayFirst = DAY_NAME.exec(text);
  if (dayFirst !== null) return fixedOrder(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1], dayFirst.slice(4));
  const monthFirst = NAME_DAY.exec(text);
  if (monthFirst !== null) return fixedOrder(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2], monthFirst.slice(4));
  const inLogs = NAME_YEAR_LAST.exec(text);
  if (inLogs !== null) {
    const [, month, day, clock = '', zone, year] = inLogs;
    return fixedOrder(year, monthOf(month), day, [...clock.split(':'), undefined, undefined, zone]);
  }
  const ofMonth = NAMED_MONTH.exec(text);
  return ofMonth === null ? undefined : fixedOrder(ofMonth[2], monthOf(ofMonth[1]), '1', []);
}

function monthOf(name = ''): number {
  return MONTH_WORD.test(name) ? (MONTHS.find(([start]) => start.test(name))?.[1] ?? 0) : 0;
}

type Parts = ReadonlyArray<string | undefined>;

function fixedOrder(
  year: string | undefined,
  month: number,
  day: string | undefined,
  clock: Parts,
): Written | undefined {
  return written(year, [month, Number(day)], '', clock);
}

function written(
  year = '',
  [first, second]: readonly [number, number],
  open: string,
  [hour, minute = '0', second_ = '0', fraction = '', half = '', zone = 'Z']: Parts,
): Written | undefined {
  const full = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 69 ? 2000 : 1900);
  const base = { year: full, first, second, open };
  if (hour === undefined) return { ...base, time: 0, digits: -1 };
  const hours = hoursOf(Number(hour), half);
  if (hours > 23 || Number(minute) > 59 || Number(second_) > 59) return undefined;
  const milliseconds = fraction === '' ? 0 : Number(`${fraction.padEnd(9, '0').slice(0, 9)}e-6`);
  const time = ((hours * 60 + Number(minute)) * 60 + Number(second_)) * 1000 + milliseconds - offsetOf(zone);
  return { ...base, time, digits: fraction.length };
}

/** The hour of the day; 24 where there is none such. */
function hoursOf(hour: number, half: string): number {
  if (half === '') return hour;
  if (hour < 1 || hour > 12) return 24;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

function offsetOf(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0);
  return (zone[0] === '-' ? -1 : 1) * minutes * 60_000;
}

/** Milliseconds since 1970; NaN where there is no such day. */
function millisecondsOf({ year, first, second, open, time }: Written, order: DateOrder | undefined): number {
  if (open !== '' && order === undefined) return Number.NaN;
  const [month, day] = open !== '' && order === 'day' ? [second, first] : [first, second];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? Math.round(date.getTime() / DAY_MS) * DAY_MS + time
    : Number.NaN;
}

/**
 * The time that a text is written as, in milliseconds since 1970; without an offset it is taken as UTC. NaN where it is
 * none, or where the order of day and month is not known.
 */
export function timeOf(text: string, order?: DateOrder): number {
  const found = writtenIn(text);
  return found === undefined ? Number.NaN : millisecondsOf(found, order);
}

/** Whether a text is a time in one order or another. */
export function isTime(text: string): boolean {
  return !Number.isNaN(timeOf(text, 'day')) || !Number.isNaN(timeOf(text, 'month'));
}

export interface Times {
  /** NaN for what is no time. */
  readonly times: readonly number[];
  /** The coarsest unit that tells all of them. */
  readonly unit: TimeUnit;
  /** The order of day and month, where it was open. */
  readonly order: DateOrder | undefined;
}

/**
 * Times in texts of one column. The order of day and month is the one in which all are days; where both are, days come
 * first if points part them, and otherwise it is 'open'. Undefined where there are no times at all.
 */
export function timesIn(texts: readonly string[], said?: DateOrder): Times | 'open' | undefined {
  const all = texts.map(writtenIn);
  const found = all.filter((one) => one !== undefined);
  const open = found.filter((one) => one.open !== '');
  const order = open.length === 0 ? undefined : (said ?? orderOf(open));
  if (order === 'open') return 'open';
  const times = all.map((one) => (one === undefined ? Number.NaN : millisecondsOf(one, order)));
  if (found.length === 0 || times.every(Number.isNaN)) return undefined;
  const digits = found.reduce((most, one) => Math.max(most, one.digits), -1);
  const unit = digits < 0 ? 'day' : digits === 0 ? 's' : digits <= 3 ? 'ms' : digits <= 6 ? 'us' : 'ns';
  return { times, unit, order };
}

function orderOf(dates: readonly Written[]): DateOrder | 'open' {
  const fits = (order: DateOrder): boolean => dates.every((date) => !Number.isNaN(millisecondsOf(date, order)));
  const [day, month] = [fits('day'), fits('month')];
  if (day && month) return dates.every(({ open }) => open === '.') ? 'day' : 'open';
  return month ? 'month' : 'day';
}
