// A long fit on all cores while this thread stays free: progress on the way, and Ctrl-C ends it cleanly.
import { KNN } from 'curvad';

const [rows, columns] = [100_000, 12];
const data = Float64Array.from({ length: rows * columns }, (_, i) => Math.sin(i * 12.9898) * Math.cos(i * 4.1414));

const controller = new AbortController();
process.once('SIGINT', () => controller.abort());

try {
  const knn = await new KNN({ standardize: true }).fitAsync(
    { data, rows, columns },
    {
      signal: controller.signal,
      onProgress: ({ done, threads }) => process.stderr.write(`\r${Math.round(100 * done)} % on ${threads} threads `),
    },
  );
  const { mode, threads } = knn.execution;
  console.log(
    `fitted ${rows} rows (${mode}, ${threads} threads); the highest score is ${Math.max(...knn.scores).toFixed(3)}`,
  );
} catch (error) {
  if (error.name !== 'AbortError') throw error;
  console.log('ended; nothing was changed');
}
