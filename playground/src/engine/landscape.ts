// The score everywhere on the map, as levels to colour.
import { type AnyDetector, type Landscape, type LandscapeOptions, landscape, landscapeAsync } from 'curvad';
import { levelsOf } from '../ranks.js';
import { contourOf } from './contour.js';
import type { LandscapeReply, LandscapeRequest, RequestOf } from './protocol.js';
import type { Context, Session } from './session.js';

export async function landscapeOf(
  session: Session,
  { settings, landscape: request }: RequestOf<'landscape'>,
  context: Context,
): Promise<LandscapeReply | undefined> {
  const { detector } = await session.detector(settings, context);
  const options = optionsOf(detector, request);
  if (options === undefined) return undefined;
  return landscapeReplyOf(
    await landscapeAsync(detector, options, {
      signal: context.signal,
      onProgress: ({ done }) => context.progress(done),
    }),
  );
}

export function landscapeNow(detector: AnyDetector, request: LandscapeRequest): LandscapeReply | undefined {
  const options = optionsOf(detector, request);
  return options && landscapeReplyOf(landscape(detector, options));
}

/** Undefined where an axis is no feature of the detector. */
export function optionsOf(detector: AnyDetector, request: LandscapeRequest): LandscapeOptions | undefined {
  const features = detector.recipe?.features ?? [];
  const [x, y] = [features.indexOf(request.x), features.indexOf(request.y)];
  if (x < 0 || y < 0 || x === y) return undefined;
  return {
    features: [x, y],
    bounds: request.bounds,
    resolution: [request.width, request.height],
    neighbors: request.neighbors,
  };
}

export function landscapeReplyOf({ values, width, height, bounds, threshold }: Landscape): LandscapeReply {
  const contour = contourOf(values, width, height, threshold);
  return { levels: levelsOf(values), contour, width, height, bounds };
}
