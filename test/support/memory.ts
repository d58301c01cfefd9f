// What repeated work leaves behind in memory.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

export interface Growth {
  /** Bytes of array buffers before anything is collected: what the work allocated. */
  readonly arrays: number;
  /** Bytes of the heap after collection: what it left. */
  readonly heap: number;
}

/** What work leaves; the least of three times, as the engine compiles and tidies up on its own in between. */
export function growthOf(work: () => void): Growth {
  const measured = [1, 2, 3].map(() => {
    for (let i = 0; i < 2; i++) collectGarbage();
    const before = process.memoryUsage();
    work();
    const arrays = process.memoryUsage().arrayBuffers - before.arrayBuffers;
    for (let i = 0; i < 2; i++) collectGarbage();
    return { arrays, heap: process.memoryUsage().heapUsed - before.heapUsed };
  });
  return {
    arrays: Math.min(...measured.map(({ arrays }) => arrays)),
    heap: Math.min(...measured.map(({ heap }) => heap)),
  };
}
