// Checks the key of a request in constant time.
import type { Ask } from './body.js';
import { HttpError } from './http-error.js';

export class ApiKey {
  readonly #digest: Promise<Uint8Array>;

  constructor(key: string) {
    this.#digest = digestOf(key);
  }

  async check(ask: Ask): Promise<void> {
    const [, bearer] = /^Bearer +(.+)$/i.exec(ask.header('authorization') ?? '') ?? [];
    const [given, right] = [await digestOf(bearer ?? ask.header('x-api-key') ?? ''), await this.#digest];
    // Compares the whole digests, which always have the same length.
    let different = 0;
    for (let i = 0; i < right.length; i++) different |= (given[i] as number) ^ (right[i] as number);
    if (different !== 0)
      throw new HttpError(401, 'KEY_WRONG', 'send the key as "Authorization: Bearer KEY" or as "X-API-Key: KEY"');
  }
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
