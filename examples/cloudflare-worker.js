// A model in the bundle of a Cloudflare Worker. Make model.bin beside this file first, with
//   npx curvad detect your.csv --save model.bin
// POST rows as JSON, [[1, 2, …], …], to get their scores and labels.
import { CurvadError, load } from 'curvad';
import bytes from './model.bin';

let model; // loaded with the first request: a worker has little time to start

export default {
  async fetch(request) {
    if (request.method !== 'POST') return new Response('POST rows as JSON\n', { status: 405 });
    model ??= load(bytes);
    try {
      const scores = model.score(await request.json());
      return Response.json({
        scores: [...scores],
        labels: Array.from(scores, (score) => Number(score > model.threshold)),
      });
    } catch (error) {
      if (!(error instanceof CurvadError || error instanceof SyntaxError)) throw error;
      return Response.json({ error: error.message, code: error.code }, { status: 400 });
    }
  },
};
