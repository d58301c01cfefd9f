// One detector on the data, for the pictures side by side: on a sample where there are many rows.
import { table } from 'curvad';
import { initialOptions } from '../methods.js';
import { levelsOf } from '../ranks.js';
import { describeFailure } from './failure.js';
import { landscapeNow } from './landscape.js';
import { makeDetector } from './make-detector.js';
import type { ReplyOf, RequestOf } from './protocol.js';
import { takeRows } from './sample.js';
import type { Context, Session } from './session.js';

const MOST_ROWS = 2000;

export async function compare(
  session: Session,
  { method, landscape, x: axisX, y: axisY }: RequestOf<'compare'>,
  context: Context,
): Promise<ReplyOf<'compare'>> {
  const { data } = session;
  const step = Math.ceil(data.table.rows / MOST_ROWS);
  const rows = Uint32Array.from({ length: Math.floor(data.table.rows / step) }, (_, i) => i * step);
  const pick = (values: Float64Array): Float64Array => Float64Array.from(rows, (row) => values[row] as number);
  const place = { method, rows: rows.length, x: pick(data.along(axisX)), y: pick(data.along(axisY)) };
  const columns = data.features.map((column) => takeRows(column, rows));
  const input = table({ columns, rows: rows.length, isNamed: true }, data.hasGaps ? { missing: 'median' } : {});
  const detector = makeDetector(
    { method, options: initialOptions(method), share: undefined, threshold: undefined },
    rows.length,
  );
  try {
    const begin = performance.now();
    await detector.fitAsync(input, { signal: context.signal });
    const seconds = (performance.now() - begin) / 1000;
    const scores = detector.scores.slice();
    return {
      ...place,
      scores,
      levels: levelsOf(scores),
      threshold: detector.threshold,
      seconds,
      landscape: landscape && landscapeNow(detector, landscape),
      error: undefined,
    };
  } catch (error) {
    const { code, message } = describeFailure(error);
    if (code === 'ABORTED') throw error;
    const none = { scores: new Float64Array(0), levels: new Uint8Array(0), threshold: Number.NaN, seconds: 0 };
    return { ...place, ...none, landscape: undefined, error: message };
  } finally {
    detector.dispose();
  }
}
