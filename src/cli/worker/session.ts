// Answers one stream after the other. An error in a call ends its answer with an error row, and the next call is still
// answered; only if the input is out of sync can nothing more be read.
import { writeFile } from 'node:fs/promises';
import { CurvadError, type NearestNeighbors } from '../../index.js';
import type { SavedModel } from '../model.js';
import {
  assemble,
  block,
  blockScores,
  landmarks,
  limits,
  lists,
  merge,
  scaling,
  statistics,
  threshold,
  visit,
  wanting,
} from './block-calls.js';
import type { BlockFit } from './block-fit.js';
import { drop, fit, load, model, score } from './calls.js';
import { detectors, explain, probability } from './explain-calls.js';
import { ArrowInput } from './input.js';
import { type MessageReader, OutOfStep } from './messages.js';
import { ArrowOutput, METADATA_KEY, type Write } from './output.js';
import type { Call, Keeping, KeptModel, Request } from './request.js';
import { hold, near, nearEach, select } from './search-calls.js';

const CALLS: Readonly<Record<string, Call>> = {
  ...{ score, fit, model, load, drop, probability, explain, detectors },
  ...{ hold, near, nearEach, select },
  ...{ statistics, merge, scaling, landmarks, block, wanting, limits, visit, lists, blockScores, threshold, assemble },
};

export class Session implements Keeping {
  readonly #models = new Map<string, KeptModel>();
  readonly #searches = new Map<string, NearestNeighbors>();
  readonly #blocks = new Map<string, BlockFit>();
  readonly #usual: Request | undefined;
  readonly #save: string | undefined;

  /**
   * @param usual The call for a stream that names none.
   * @param save Writes a model fitted by that call.
   */
  constructor(usual: Request | undefined, save: string | undefined) {
    this.#usual = usual;
    this.#save = save;
  }

  /** Answers until the end of the input. */
  async serve(messages: MessageReader, write: Write): Promise<void> {
    for (;;) {
      const input = await ArrowInput.open(messages);
      if (input === undefined) return;
      const output = new ArrowOutput(write);
      let isAnswered = false;
      try {
        const request = this.#requestOf(input);
        const call = Object.hasOwn(CALLS, request.call) ? CALLS[request.call] : undefined;
        if (call === undefined)
          throw new CurvadError(
            'CALL_UNKNOWN',
            `there is no call ${JSON.stringify(request.call)}: there are ${Object.keys(CALLS).join(', ')}`,
          );
        await call(input, output, request, this);
        isAnswered = true;
        await output.end();
      } catch (error) {
        if (isAnswered || (error as NodeJS.ErrnoException).code === 'EPIPE') throw error;
        await output.fail(describeError(error, input.batch));
        if (error instanceof OutOfStep) throw error;
      }
      await input.skip();
    }
  }

  keep(key: string, { bytes, saved }: KeptModel): void {
    this.drop(key);
    this.#models.set(key, { bytes, saved });
  }

  model(key = ''): SavedModel {
    return this.#kept(key).saved;
  }

  bytes(key = ''): Uint8Array {
    return this.#kept(key).bytes;
  }

  keepSearch(key: string, search: NearestNeighbors): void {
    this.drop(key);
    this.#searches.set(key, search);
  }

  search(key = ''): NearestNeighbors {
    const search = this.#searches.get(key);
    if (search === undefined) throw unknownKey(key);
    return search;
  }

  keepBlock(key: string, kept: BlockFit): void {
    this.drop(key);
    this.#blocks.set(key, kept);
  }

  block(key = ''): BlockFit {
    const kept = this.#blocks.get(key);
    if (kept === undefined) throw unknownKey(key);
    return kept;
  }

  drop(key: string): void {
    this.#models.get(key)?.saved.detector.dispose();
    this.#searches.get(key)?.dispose();
    this.#models.delete(key);
    this.#searches.delete(key);
    this.#blocks.delete(key);
  }

  /** Writes the model to the file named on the command line. */
  async saveFitted(key: string): Promise<void> {
    if (this.#save !== undefined) await writeFile(this.#save, this.bytes(key));
  }

  #kept(key: string): KeptModel {
    const kept = this.#models.get(key);
    if (kept === undefined) throw unknownKey(key);
    return kept;
  }

  #requestOf({ schema }: ArrowInput): Request {
    const text = schema.metadata?.get(METADATA_KEY);
    if (text === undefined) {
      if (this.#usual !== undefined) return this.#usual;
      throw new CurvadError(
        'CALL_UNKNOWN',
        `name a model or --fit, or a call in the metadata "${METADATA_KEY}" of the schema`,
      );
    }
    try {
      return { ...this.#usual, ...(JSON.parse(text) as Request) };
    } catch {
      throw new CurvadError('CALL_UNKNOWN', `the metadata "${METADATA_KEY}" of the schema is not JSON`);
    }
  }
}

function unknownKey(key: string): CurvadError {
  return new CurvadError('MODEL_UNKNOWN', `this worker keeps nothing under ${JSON.stringify(key)}`);
}

/** The description of an error in an answer, with its position if known. */
function describeError(error: unknown, batch: number): object {
  const { code, message, row, column } = error as CurvadError;
  const isOurs = error instanceof Error && (error.name === 'CurvadError' || code === undefined);
  return {
    code: isOurs ? (code ?? 'INPUT_INVALID') : 'FAILED',
    message: batch < 0 || row === undefined ? message : `batch ${batch}: ${message}`,
    ...(batch >= 0 && { batch }),
    ...(row !== undefined && { row }),
    ...(column !== undefined && { column }),
  };
}
