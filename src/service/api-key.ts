// Whether a request has the key, told in a time that says nothing about how much of it is right.
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
    // All of both digests, which are of one length whatever was given.
    let different = 0;
    for (let i = 0; i < right.length; i++) different |= (given[i] as number) ^ (right[i] as number);
    if (different !== 0)
      throw new HttpError(401, 'KEY_WRONG', 'send the key as "Authorization: Bearer KEY" or as "X-API-Key: KEY"');
  }
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
