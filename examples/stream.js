// Readings on standard input, one JSON array of numbers a line; a line of JSON for each one that is unusual. The model is
// learned from the first 500 readings. Scoring allocates nothing, so this can run for ever.
import { createInterface } from 'node:readline';
import { KNN } from 'curvad';

const LEARN = 500;
const training = [];
const score = new Float64Array(1);
let knn;
let line = 0;

for await (const text of createInterface({ input: process.stdin })) {
  line++;
  const row = JSON.parse(text);
  if (knn === undefined) {
    training.push(row);
    if (training.length === LEARN) knn = new KNN({ standardize: true, contamination: 0.001 }).fit(training);
    continue;
  }
  knn.scoreInto([row], score);
  if (score[0] > knn.threshold) console.log(JSON.stringify({ line, row, score: score[0] }));
}
