// Quality of the ranking by the labels: the ROC curve and the precision-recall curve.
import { rocCurve } from '../../index.js';
import { type Html, html } from './html.js';
import { Plot } from './plot.js';

export function rocPlot(labels: Uint8Array, scores: Float64Array, area: number): Html {
  const { falsePositiveRate, truePositiveRate } = rocCurve(labels, scores);
  const points = Array.from(falsePositiveRate, (rate, i) => [rate, truePositiveRate[i] as number] as const);
  const plot = new Plot({
    x: [0, 1],
    y: [0, 1],
    xLabel: 'normal rows flagged (share)',
    yLabel: 'anomalies found (share)',
  });
  return plot.draw(`ROC curve, area ${area.toFixed(4)}.`, [
    plot.line(
      [
        [0, 0],
        [1, 1],
      ],
      'chance',
    ),
    plot.line(points, 'curve hot'),
    note(`AUC ${area.toFixed(4)}`, 'bottom right'),
  ]);
}

export function precisionPlot(labels: Uint8Array, scores: Float64Array, average: number): Html {
  const { falsePositiveRate, truePositiveRate } = rocCurve(labels, scores);
  const anomalies = labels.reduce((sum, label) => sum + label, 0);
  const normals = labels.length - anomalies;
  // Steps without interpolation: the precision where recall rises holds for the whole rise.
  const points: Array<readonly [number, number]> = [];
  for (let i = 1; i < truePositiveRate.length; i++) {
    if (truePositiveRate[i] === truePositiveRate[i - 1]) continue;
    const found = (truePositiveRate[i] as number) * anomalies;
    const wrong = (falsePositiveRate[i] as number) * normals;
    const precision = found / (found + wrong);
    points.push([truePositiveRate[i - 1] as number, precision], [truePositiveRate[i] as number, precision]);
  }
  const plot = new Plot({
    x: [0, 1],
    y: [0, 1],
    xLabel: 'anomalies found (recall)',
    yLabel: 'anomalies among flagged (precision)',
  });
  const base = anomalies / labels.length;
  return plot.draw(`Precision over recall, average precision ${average.toFixed(4)}.`, [
    plot.line(
      [
        [0, base],
        [1, base],
      ],
      'chance',
    ),
    plot.line(points, 'curve hot'),
    note(`average precision ${average.toFixed(4)}`, average > 0.5 ? 'bottom left' : 'top right'),
  ]);
}

/** A number in a corner away from the curve. */
function note(text: string, corner: 'bottom right' | 'bottom left' | 'top right'): Html {
  const isLeft = corner === 'bottom left';
  return html`<text class="note strong" x="${isLeft ? 64 : 420}" y="${corner === 'top right' ? 36 : 222}" text-anchor="${isLeft ? 'start' : 'end'}">${text}</text>`;
}
