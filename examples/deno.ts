// A scoring service in Deno: deno run --allow-net deno.ts [port]
// POST rows as JSON, [[1, 2], …], to get their scores and labels.
import { CurvadError, LOF } from 'npm:curvad';

const training = Array.from({ length: 400 }, (_, i) => [Math.cos(i) + Math.sin(7 * i) / 9, Math.sin(i)]);
const lof = new LOF({ neighbors: 20 }).fit(training);

const onListen = ({ port }) => console.log(`POST rows to http://127.0.0.1:${port}`);
const options = { port: Number(Deno.args[0] ?? 8000), hostname: '127.0.0.1', onListen };

Deno.serve(options, async (request) => {
  try {
    const scores = lof.score(await request.json());
    return Response.json({ scores: [...scores], labels: Array.from(scores, (score) => Number(score > lof.threshold)) });
  } catch (error) {
    if (!(error instanceof CurvadError || error instanceof SyntaxError)) throw error;
    return Response.json({ error: error.message }, { status: 400 });
  }
});
