// How the texts of a column are read, and what is kept of them.
import type { DateOrder } from './table.js';

/** What is to be kept of columns of text. */
export interface Keeping {
  /** Columns kept exactly as they are written, whatever they hold. */
  readonly verbatim: ReadonlySet<string>;
  /** Distinct texts kept of others; all where it is infinite. */
  readonly mostTexts: number;
  /** The decimal mark; default: a point. */
  readonly point?: string;
  /** Whether 1,234 may be a decimal as well as a thousand: then it stays text. */
  readonly mayBeDecimal?: boolean;
  /** Whether days or months come first in dates; default: what the column shows. */
  readonly order?: DateOrder | undefined;
}
