// A first look at data: which rows are unusual, how well that agrees with what is known, why, and where the borders are.
import { CAD, explain, KNN, landscape, rocAuc } from 'curvad';

// Two clusters of 150 points and ten outliers, from a seeded generator.
let state = 1;
const uniform = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const gaussian = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
const cluster = (x, y) => Array.from({ length: 150 }, () => [x + gaussian(), y + gaussian()]);
const outliers = Array.from({ length: 10 }, (_, i) => [6 * Math.cos(i), 7 + 3 * Math.sin(i)]);
const rows = [...cluster(-4, 0), ...cluster(4, 0), ...outliers];
const isOutlier = rows.map((_, i) => Number(i >= 300));

// 1. Scores: higher is more unusual. The rows that stand out most:
const knn = new KNN({ neighbors: 10, contamination: 0.03 }).fit(rows);
const order = [...knn.scores.keys()].sort((a, b) => knn.scores[b] - knn.scores[a]);
for (const i of order.slice(0, 5))
  console.log(`row ${i}: score ${knn.scores[i].toFixed(2)}, at ${rows[i].map((v) => v.toFixed(1))}`);

// 2. How well does that agree with what is known?
console.log(`area under the ROC curve ${rocAuc(isOutlier, knn.scores).toFixed(3)}`);

// 3. Why is a row unusual, and what would make it normal?
const cad = new CAD().fit(rows);
const sharpest = cad.scores.indexOf(Math.max(...cad.scores));
console.log(String(explain(cad, rows[sharpest], { names: ['x', 'y'] })));

// 4. The score everywhere, as a map in characters.
const { values, width, height } = landscape(knn, { resolution: 24, at: [0, 0], bounds: { x: [-8, 8], y: [-4, 12] } });
const highest = Math.max(...values);
for (let y = height - 1; y >= 0; y--) {
  const line = values.slice(y * width, (y + 1) * width);
  console.log([...line].map((value) => ' .:-=+*#%@'[Math.min(9, Math.floor((10 * value) / highest))]).join(''));
}
