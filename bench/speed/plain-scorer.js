// The CAD score of one row in plain loops, as a careful programmer would write it without WebAssembly: all
// squared distances, the k nearest kept by insertion, then the cosines between the edges to them.

/** Scores rows against training rows `data`, flat, of so many columns. */
export function plainScorer(data, columns, k) {
  const count = data.length / columns;
  const nearest = new Int32Array(k);
  const distances = new Float64Array(k);
  const edges = new Float64Array(k * columns);

  function findNearest(row) {
    distances.fill(Infinity);
    for (let p = 0; p < count; p++) {
      let distance = 0;
      for (let j = 0, at = p * columns; j < columns; j++, at++) {
        const difference = data[at] - row[j];
        distance += difference * difference;
      }
      if (distance >= distances[k - 1]) continue;
      let place = k - 1;
      for (; place > 0 && distances[place - 1] > distance; place--) {
        distances[place] = distances[place - 1];
        nearest[place] = nearest[place - 1];
      }
      distances[place] = distance;
      nearest[place] = p;
    }
  }

  /** Σ over pairs of neighbours of the cosine between the edges to them. */
  return (row) => {
    findNearest(row);
    for (let a = 0; a < k; a++) {
      const length = Math.sqrt(distances[a]);
      for (let j = 0; j < columns; j++) {
        const edge = data[nearest[a] * columns + j] - row[j];
        edges[a * columns + j] = length > 0 ? edge / length : 0;
      }
    }
    let score = 0;
    for (let a = 0; a < k; a++) {
      for (let b = a + 1; b < k; b++) {
        for (let j = 0; j < columns; j++) score += edges[a * columns + j] * edges[b * columns + j];
      }
    }
    return score;
  };
}
