// A route, and the part of a request that it receives.
import type { Limits } from './body.js';
import type { Metrics } from './metrics.js';
import type { Models } from './models.js';

/** Bytes to answer with. */
export class PackedAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(bytes: Uint8Array<ArrayBuffer>, type: string, headers: Readonly<Record<string, string>> = {}) {
    this.bytes = bytes;
    this.type = type;
    this.headers = headers;
  }
}

export interface Call {
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly models: Models;
  readonly metrics: Metrics;
  readonly limits: Limits;
  header(name: string): string | null;
  /** The body. */
  read(): Promise<Uint8Array>;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** The path, with {name} for parameters. */
  readonly pattern: string;
  readonly about: string;
  /** Whether it needs no key. */
  readonly isOpen?: boolean;
  /** Content type of a text answer. */
  readonly type?: string;
  /** Returns the answer; objects are sent as JSON. */
  run(call: Call): unknown;
}
