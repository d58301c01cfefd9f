// What every runtime must be able to do with the package, as a program would; written without anything
// that only some of them have. Returns what it found, to be compared with other runtimes.

/** Rows that are the same to the last bit everywhere. */
export function fixedRows(count, columns, seed) {
  let state = seed;
  return Array.from({ length: count }, () =>
    Array.from({ length: columns }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return (state >> 16) / 4096;
    }),
  );
}

const DETECTORS = {
  CAD: {},
  'CAD rbf': { kernel: 'rbf', neighbors: 5 },
  'CAD polynomial': { kernel: 'polynomial' },
  KNN: {},
  LOF: {},
  IsolationForest: { seed: 3 },
  OneClassSVM: { nu: 0.2, standardize: true },
  EllipticEnvelope: { seed: 3 },
};

export async function conform(curvad, models) {
  const rows = fixedRows(300, 4, 1);
  rows[17] = [50, -50, 50, -50];
  const fresh = fixedRows(40, 4, 2);
  const report = { backend: curvad.defaultBackend(), detectors: {}, models: {}, loaded: {} };
  for (const [name, options] of Object.entries(DETECTORS)) {
    const Kind = curvad[name.split(' ')[0]];
    const detector = new Kind({ contamination: 0.05, ...options }).fit(rows);
    report.detectors[name] = {
      scores: Array.from(detector.scores),
      labels: Array.from(detector.labels),
      fresh: Array.from(detector.score(fresh)),
    };
    report.models[name] = Array.from(detector.toBytes());
  }
  // Model files of another runtime.
  for (const [name, bytes] of Object.entries(models)) {
    report.loaded[name] = Array.from(curvad.load(Uint8Array.from(bytes)).score(fresh));
  }
  report.refused = refusalOf(curvad, () => new curvad.CAD().fit([[1, Number.NaN]]));
  report.corrupt = refusalOf(curvad, () => curvad.load(new Uint8Array(100)));
  // Enough for two threads.
  const many = fixedRows(report.backend === 'js' ? 1500 : 6000, 8, 3);
  const cad = new curvad.CAD();
  await cad.fitAsync(many, { threads: 2 });
  report.execution = cad.execution;
  const sync = new curvad.CAD().fit(many);
  report.isAsyncTheSame = cad.scores.every((score, i) => score === sync.scores[i]);
  const scores = await cad.scoreAsync(many, { threads: 2 });
  const expected = cad.score(many);
  report.isScoringTheSame = scores.every((score, i) => score === expected[i]);
  return report;
}

function refusalOf(curvad, call) {
  try {
    call();
  } catch (error) {
    return error instanceof curvad.CurvadError ? error.code : String(error);
  }
  return 'accepted';
}
