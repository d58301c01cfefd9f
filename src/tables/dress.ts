// Numbers as people write them: with separators of thousands, a percent sign, the sign of a currency, a unit, or in brackets
// where they are negative. They are read as numbers where a whole column is written so.
import { MISSING } from './table.js';
import { isMissingAmongNumbers, numberOf } from './words.js';

/** A number and what it is dressed in. */
export interface Dress {
  readonly value: number;
  /** A percent sign: the value is a hundredth. */
  readonly isPercent: boolean;
  /** The sign or code of the currency, or the unit, or ''. */
  readonly currency: string;
  /** Negative in the way of accountants: (5) or 5-. */
  readonly isAccounting: boolean;
  /** How many separators of thousands there are, and which. */
  readonly groups: number;
  readonly separator: string;
  /** Whether there is a decimal mark too, so that the separators cannot be one. */
  readonly hasPoint: boolean;
}

/** Units that are read where all cells of a column have the same. */
const UNITS =
  'kg|g|mg|µg|t|lbs?|oz|km|m|cm|mm|µm|nm|mi|ft|in|s|sec|ms|µs|ns|min|h|hrs?|days?|°C|°F|°|K|V|mV|kV|A|mA|W|kW|MW|kWh|MWh|J|kJ|Hz|kHz|MHz|GHz|Pa|hPa|kPa|MPa|bar|mbar|psi|N|Nm|rpm|bpm|mph|km/h|m/s|l|L|ml|mL|B|KB|kB|MB|GB|TB|KiB|MiB|GiB|dB|dBm|ppm|ppb|m2|m²|m3|m³|ha|px|pcs|x';
const CODES = 'USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CAD|AUD|US\\$|Rs\\.?|R\\$|kr\\.?|zł';
const DRESSED = new RegExp(
  `^([-+(]?)\\s?([$€£¥₹]|${CODES})?\\s?([-+]?)(\\d[\\d.,' \\u00a0\\u202f’]*)([%$€£¥₹]|${CODES}|${UNITS})?(\\)|-)?$`,
  'u',
);
const LONGEST = 40;

/** A number with separators of thousands, a percent sign or the sign of a currency; undefined for other text. */
export function dressedNumber(text: string, point: string): Dress | undefined {
  const match = text.length > LONGEST ? null : DRESSED.exec(text);
  if (match === null) return undefined;
  const [, before = '', leading = '', sign = '', body = '', trailing = '', closing = ''] = match;
  if ((before === '(') !== (closing === ')') || (before !== '' && sign !== '')) return undefined;
  const isAccounting = closing !== '';
  if (closing === '-' && (before !== '' || sign !== '')) return undefined;
  if (leading !== '' && trailing !== '') return undefined;
  const ungrouped = ungroup(body.trim(), point);
  if (ungrouped === undefined) return undefined;
  const { plain, groups, separator, hasPoint } = ungrouped;
  const isPercent = trailing === '%';
  const size = numberOf(isPercent ? `${plain}e-2` : plain);
  const isNegative = before === '-' || sign === '-' || isAccounting;
  const currency = isPercent ? '' : leading || trailing;
  return { value: isNegative ? -size : size, isPercent, currency, isAccounting, groups, separator, hasPoint };
}

interface Ungrouped extends Pick<Dress, 'groups' | 'separator' | 'hasPoint'> {
  /** Digits, with a point as the decimal mark. */
  readonly plain: string;
}

/** Digits in groups of three, or plain; undefined where it is neither. */
function ungroup(body: string, point: string): Ungrouped | undefined {
  const at = body.lastIndexOf(point);
  const hasPoint = at >= 0;
  const whole = hasPoint ? body.slice(0, at) : body;
  const fraction = hasPoint ? body.slice(at + 1) : '';
  if (!/^\d*$/.test(fraction)) return undefined;
  const separator = /^\d+$/.test(whole)
    ? ''
    : (/^\d{1,3}(?:([,.' \u00a0\u202f’])\d{3})(?:\1\d{3})*$/.exec(whole)?.[1] ?? point);
  if (separator === point) return undefined;
  const parts = separator === '' ? [whole] : whole.split(separator);
  const digits = parts.join('');
  return { plain: hasPoint ? `${digits}.${fraction}` : digits, groups: parts.length - 1, separator, hasPoint };
}

/** What is known of the plain numbers of a column and of how the file is written. */
export interface DressContext {
  /** How many cells are plain numbers, and whether one of them is 1000 or more. */
  readonly plain: number;
  readonly isPlainLarge: boolean;
  /** Whether one group alone may be of thousands: not where a comma may as well be the decimal mark. */
  readonly isSureOfGroups: boolean;
}

/**
 * Whether the dressed numbers of a column, each with the number of its cells, show that the column is written so:
 * all cells have the percent sign or the same currency, or every number of 1000 and more has its separators.
 */
export function isDressed(dressed: ReadonlyArray<readonly [Dress, number]>, context: DressContext): boolean {
  const [first] = dressed[0] ?? [];
  if (first === undefined) return false;
  const all = (holds: (dress: Dress) => boolean): boolean => dressed.every(([dress]) => holds(dress));
  const separators = new Set(dressed.flatMap(([{ separator }]) => (separator === '' ? [] : [separator])));
  if (separators.size > 1) return false;
  // A comma or a point may be the decimal mark, spaces and apostrophes cannot.
  const isGroupSure =
    context.isSureOfGroups ||
    !(separators.has(',') || separators.has('.')) ||
    dressed.some(([{ groups, hasPoint }]) => groups > 1 || (groups === 1 && hasPoint));
  if (separators.size === 1 && !isGroupSure) return false;
  if (all(({ isPercent }) => isPercent)) return context.plain === 0;
  if (!all(({ isPercent, currency }) => !isPercent && currency === first.currency)) return false;
  if (first.currency !== '') return context.plain === 0;
  if (all(({ groups, isAccounting }) => isAccounting && groups === 0)) return true;
  const cells = dressed.reduce((sum, [, count]) => sum + count, 0);
  const isUsual = cells >= context.plain || dressed.some(([{ groups, hasPoint }]) => groups > 1 || hasPoint);
  return all(({ groups }) => groups > 0) && !context.isPlainLarge && isUsual;
}

export interface TextNumbers {
  /** The number that each text is: NaN where it stands for a missing one, undefined where it is text. */
  readonly values: ReadonlyArray<number | undefined>;
  /** How many cells of the column are numbers, plain or dressed, and how many cells of text have a value. */
  readonly numbers: number;
  readonly cells: number;
}

/** What the texts of a column are where its other cells are numbers; `codes` tell the text of each row. */
export function numbersInTexts(
  texts: readonly string[],
  codes: Int32Array,
  point: string,
  context: DressContext,
): TextNumbers {
  const counts = new Int32Array(texts.length);
  for (const code of codes) if (code !== MISSING) counts[code] = (counts[code] as number) + 1;
  const dresses = texts.map((text) => dressedNumber(text, point));
  const dressed = dresses.flatMap((dress, i) => (dress === undefined ? [] : [[dress, counts[i] as number] as const]));
  const isWrittenSo = isDressed(dressed, context);
  const values = texts.map((text, i) => {
    if (isMissingAmongNumbers(text)) return Number.NaN;
    return isWrittenSo ? dresses[i]?.value : undefined;
  });
  let numbers = context.plain;
  let cells = 0;
  values.forEach((value, i) => {
    if (value === undefined) return;
    cells += counts[i] as number;
    if (!Number.isNaN(value)) numbers += counts[i] as number;
  });
  return { values, numbers, cells };
}
