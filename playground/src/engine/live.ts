// Points that are dragged: scores and landscape of each position. A second engine, where there is another core, scores the
// upper half of the landscape meanwhile.
import { type Landscape, landscape } from 'curvad';
import { Engine } from './client.js';
import { drawn } from './data-calls.js';
import { fitReplyOf, requireRows } from './fit.js';
import { landscapeReplyOf, optionsOf } from './landscape.js';
import type { LandscapeRequest, LiveRequest, ReplyOf } from './protocol.js';
import type { Session } from './session.js';

/** Fewer cells are scored before the other engine has begun. */
const FEWEST_SHARED = 8000;

let second: Engine | undefined;

/** An engine like this one, started when it is first wanted; undefined where there is no core for it. */
function secondEngine(): Engine | undefined {
  if ((navigator.hardwareConcurrency || 1) < 2) return undefined;
  second ??= new Engine(new Worker(self.location.href, { type: 'module' }));
  return second;
}

export async function live(session: Session, request: LiveRequest): Promise<ReplyOf<'live'>> {
  const { points, settings, landscape: wanted } = request;
  session.data = drawn(points);
  requireRows(session);
  const isShared = wanted !== undefined && wanted.width * wanted.height >= FEWEST_SHARED;
  const helper = isShared ? secondEngine() : undefined;
  if (wanted === undefined || helper === undefined) {
    const fitted = session.detectorNow(settings);
    const options = wanted && optionsOf(fitted.detector, wanted);
    return { fit: fitReplyOf(fitted), landscape: options && landscapeReplyOf(landscape(fitted.detector, options)) };
  }
  const [lower, upper] = halvesOf(wanted);
  const elsewhere = helper.call('half', { ...request, landscape: upper });
  const fitted = session.detectorNow(settings);
  const options = optionsOf(fitted.detector, lower);
  if (options === undefined) {
    await elsewhere;
    return { fit: fitReplyOf(fitted), landscape: undefined };
  }
  const below = landscape(fitted.detector, options);
  const fit = fitReplyOf(fitted);
  const above = await elsewhere;
  return { fit, landscape: landscapeReplyOf(joined(below, above.values, wanted)) };
}

/** What the second engine does: cells of one half, with a detector of its own that is equal to the first. */
export function half(session: Session, { points, settings, landscape: wanted }: LiveRequest): ReplyOf<'half'> {
  session.data = drawn(points);
  const { detector } = session.detectorNow(settings);
  const options = wanted && optionsOf(detector, wanted);
  return { values: options === undefined ? new Float64Array(0) : landscape(detector, options).values };
}

/** The lower lines of a landscape, and those above. */
function halvesOf(wanted: LandscapeRequest): [lower: LandscapeRequest, upper: LandscapeRequest] {
  const { bounds, height } = wanted;
  const [low, high] = bounds.y;
  const lines = height >> 1;
  const at = (line: number): number => low + ((high - low) * line) / (height - 1);
  return [
    { ...wanted, bounds: { ...bounds, y: [low, at(lines - 1)] }, height: lines },
    { ...wanted, bounds: { ...bounds, y: [at(lines), high] }, height: height - lines },
  ];
}

function joined(below: Landscape, above: Float64Array, { bounds, width, height }: LandscapeRequest): Landscape {
  const values = new Float64Array(width * height);
  values.set(below.values);
  values.set(above, below.values.length);
  return { ...below, values, bounds, height };
}
