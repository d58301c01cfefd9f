// Runs the service on Node's HTTP server without wrapping requests.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import type { Ask, Service } from '../service/index.js';

export interface ServerOptions {
  readonly port: number;
  readonly host: string;
  /** Milliseconds to receive a request. */
  readonly timeout: number;
}

/** Longest wait for requests in progress when the server stops. */
const STOPPING = 10_000;
/** How long idle connections stay open on shutdown: a request may already be in transit. */
const LINGERING = 100;

export class HttpServer {
  readonly #server: Server;
  #isStopping = false;

  constructor(service: Service, { timeout }: Pick<ServerOptions, 'timeout'>) {
    this.#server = createServer({ maxHeaderSize: 16_384, connectionsCheckingInterval: 1000 }, (request, response) => {
      void this.#answer(service, request, response);
    });
    this.#server.headersTimeout = Math.min(10_000, timeout);
    this.#server.requestTimeout = timeout + 1000;
    this.#server.keepAliveTimeout = 60_000;
  }

  /** Resolves with the port it listens on. */
  listen({ port, host }: Pick<ServerOptions, 'port' | 'host'>): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        const address = this.#server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : port);
      });
    });
  }

  /** Accepts no new connections and resolves when every request in progress is answered. */
  stop(): Promise<void> {
    this.#isStopping = true;
    return new Promise((resolve) => {
      const patience = setTimeout(() => this.#server.closeAllConnections(), STOPPING);
      // Not http.Server's close, which ends idle connections at once.
      TcpServer.prototype.close.call(this.#server, () => {
        clearTimeout(patience);
        resolve();
      });
      setTimeout(() => this.#server.closeIdleConnections(), LINGERING);
    });
  }

  async #answer(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await service.answer(askOf(request));
    if (response.destroyed) return;
    // The rest of a refused body would be parsed as the next request.
    if (this.#isStopping || !request.complete) response.setHeader('connection', 'close');
    const bytes = Buffer.from(body);
    response.writeHead(status, { ...headers, 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    if (!request.complete) response.once('finish', () => setTimeout(() => request.socket.destroySoon(), 50).unref());
  }
}

function askOf(request: IncomingMessage): Ask {
  const hasBody = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    header: (name) => {
      const value = request.headers[name];
      return value === undefined ? null : String(value);
    },
    // Do not destroy the request: it must still be answered.
    chunks: hasBody ? { [Symbol.asyncIterator]: () => bytesOf(request) } : undefined,
  };
}

async function* bytesOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
  } catch {
    // The connection is closed: nobody is waiting for an answer.
  }
}
