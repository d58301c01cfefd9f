// A route, and what it is told of a request.
import type { Limits } from './body.js';
import type { Metrics } from './metrics.js';
import type { Models } from './models.js';

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
  /** With {name} for parts of the path. */
  readonly pattern: string;
  readonly about: string;
  /** Needs no key. */
  readonly isOpen?: boolean;
  /** Content type of an answer that is text. */
  readonly type?: string;
  /** What is answered: an object is sent as JSON. */
  run(call: Call): unknown;
}
