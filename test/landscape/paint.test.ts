// Pictures of landscapes: their cells lie where the scores are, and get darker with them.
import { describe, expect, it } from 'vitest';
import { KNN, type Landscape, landscape, landscapePixels, paintLandscape } from '../../src/index.js';
import { Random } from '../support/data.js';

const map: Landscape = landscape(new KNN().fit(new Random(1).rows(60, 2)), { resolution: [30, 20] });

/** Luminance of a pixel, with the weights of sRGB. */
function lightness(pixels: Uint8ClampedArray, at: number): number {
  const [red, green, blue] = pixels.subarray(4 * at, 4 * at + 3) as unknown as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the pixels of a landscape', () => {
  const pixels = landscapePixels(map);

  it('are opaque, and darker the higher the score, with the largest y on top', () => {
    expect(pixels.length).toBe(4 * 30 * 20);
    const cells = Array.from(map.values, (value, i) => {
      const [x, y] = [i % 30, Math.floor(i / 30)];
      const at = (19 - y) * 30 + x;
      expect(pixels[4 * at + 3]).toBe(255);
      return { value, light: lightness(pixels, at) };
    }).sort((a, b) => a.value - b.value);
    for (const [i, { light }] of cells.entries()) expect(light).toBeLessThanOrEqual((cells[i - 1]?.light ?? 255) + 1);
    expect((cells[0]?.light as number) - (cells.at(-1)?.light as number)).toBeGreaterThan(150);
  });

  it('are painted on a canvas of that size', () => {
    const painted: Array<[Uint8ClampedArray, number, number]> = [];
    const context = {
      createImageData: (width: number, height: number) => ({ data: new Uint8ClampedArray(4 * width * height) }),
      putImageData: (image: { data: Uint8ClampedArray }, x: number, y: number) => painted.push([image.data, x, y]),
    };
    const canvas = { width: 1, height: 1, getContext: (kind: '2d') => (kind === '2d' ? context : null) };
    paintLandscape(map, canvas);
    expect([canvas.width, canvas.height]).toEqual([30, 20]);
    expect(painted).toEqual([[pixels, 0, 0]]);
    const busy = { width: 1, height: 1, getContext: () => null };
    expect(() => paintLandscape(map, busy)).toThrow(expect.objectContaining({ code: 'CANVAS_INVALID' }));
  });
});
