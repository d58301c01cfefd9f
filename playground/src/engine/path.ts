// The anomaly path of a row: downhill on the landscape of CAD, to where it would be normal.
import { anomalyPath, type CAD } from 'curvad';
import { Failure } from './failure.js';
import type { ReplyOf, RequestOf } from './protocol.js';
import type { Context, Session } from './session.js';

/** Points of a path that are drawn. */
const MOST_POINTS = 400;

export async function followPath(
  session: Session,
  { settings, row, x, y }: RequestOf<'path'>,
  context: Context,
): Promise<ReplyOf<'path'>> {
  if (settings.method !== 'cad')
    throw new Failure('PATH_OF_CAD', 'Anomaly paths follow the slope of CAD: choose CAD as the detector.');
  const { detector } = await session.detector(settings, context);
  const features = detector.recipe?.features ?? [];
  const [atX, atY] = [features.indexOf(x), features.indexOf(y)];
  if (atX < 0 || atY < 0) return { points: new Float64Array(0), end: 'none' };
  const values = features.map((feature) => session.data.along(feature)[row] as number);
  const { points, end } = anomalyPath(detector as CAD, values);
  const step = Math.max(1, Math.ceil(points.length / MOST_POINTS));
  const kept = points.filter((_, i) => i % step === 0 || i === points.length - 1);
  return { points: Float64Array.from(kept.flatMap((point) => [point[atX] as number, point[atY] as number])), end };
}
