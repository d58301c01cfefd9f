// What a stream needs from its first row on takes memory that there may not be.
import { CurvadError } from '../core/errors.js';

/** Makes what takes memory, or says for what there was none. */
export function inRoom<Made>(what: string, make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new CurvadError('OUT_OF_MEMORY', `there is no room for ${what}`, { cause });
  }
}
