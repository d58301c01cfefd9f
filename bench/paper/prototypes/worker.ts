// A process that evaluates what it is sent, one after the other.
import { type Answer, evaluateHere, type Message } from './evaluations.js';
import type { Problem } from './problems.js';

let problems: readonly Problem[] = [];

process.on('message', (message: Message) => {
  if ('problems' in message) problems = message.problems;
  else process.send?.(answerTo(message.evaluation));
});

function answerTo(evaluation: Parameters<typeof evaluateHere>[1]): Answer {
  try {
    return { score: evaluateHere(problems, evaluation) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
