// curvad serve: serves models over HTTP and reloads them when their files change.

import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { env, stdout } from 'node:process';
import { Service } from '../../service/index.js';
import type { Arguments } from '../arguments.js';
import { COMMON_OPTIONS, type Command } from '../command.js';
import { clean, count, failureOf, quote, UsageError } from '../errors.js';
import { HttpServer } from '../http-server.js';
import { leave, onInterrupt } from '../interrupts.js';
import { openModel, type SavedModel } from '../model.js';
import type { Terminal } from '../terminal.js';

/** A model named on the command line. */
interface Named {
  readonly name: string;
  readonly version: string;
  readonly path: string;
}

const KEY_VARIABLE = 'CURVAD_API_KEY';
/** Milliseconds between two checks of a file. */
const LOOK = 500;

export const serve: Command = {
  name: 'serve',
  usage: 'MODEL… [options]',
  about: `Serves scores over HTTP: the Open Inference Protocol v2 (/v2/models/NAME/infer), MLflow's
(/invocations), lines of JSON (/v2/models/NAME/score), explanations, and metrics for Prometheus.`,
  options: {
    Server: [
      { name: 'port', value: 'N', help: 'port to listen on, 0 for any free one (default 8080)' },
      {
        name: 'host',
        value: 'ADDRESS',
        help: 'address to listen on (default 127.0.0.1, this machine only; 0.0.0.0 for all)',
      },
      { name: 'api-key-file', value: 'FILE', help: `file with the key that requests must send (or ${KEY_VARIABLE})` },
    ],
    Limits: [
      { name: 'max-body', value: 'BYTES', help: 'largest request, uncompressed (default 16777216)' },
      { name: 'max-rows', value: 'N', help: 'most rows in a request (default 100000)' },
      { name: 'timeout', value: 'MS', help: 'time limit to receive a request, and again to score it (default 30000)' },
    ],
    General: [...COMMON_OPTIONS],
  },
  notes: `A MODEL is FILE, NAME=FILE or NAME@VERSION=FILE; the default name is the file name without its extension. A file
  that changes is reloaded: requests in progress finish with the model they started with. On SIGTERM or Ctrl-C the
  server accepts no new requests and finishes those in progress.`,
  examples: [
    ['curvad serve model.curvad', 'on http://127.0.0.1:8080'],
    ['curvad serve fraud@3=fraud.curvad noise.curvad --port 9000 --host 0.0.0.0', 'two models'],
    [
      `curl -d '{"instances": [[1, 2]]}' http://127.0.0.1:8080/invocations -H 'content-type: application/json'`,
      'ask one',
    ],
  ],
  run,
};

async function run(given: Arguments, terminal: Terminal): Promise<void> {
  const named = given.positionals.map(namedOf);
  if (named.length === 0) throw new UsageError('serve needs a model file: curvad serve MODEL');
  const twice = named.find(
    ({ name, version }, i) => named.findIndex((other) => other.name === name && other.version === version) < i,
  );
  if (twice !== undefined)
    throw new UsageError(`two models are called ${twice.name}@${twice.version}: name them with NAME=FILE`);
  const timeout = given.wholeNumber('timeout', 1) ?? 30_000;
  const apiKey = await keyOf(given);
  const service = new Service({
    ...(apiKey !== undefined && { apiKey }),
    maxBodyBytes: given.wholeNumber('max-body', 1) ?? 16 * 2 ** 20,
    maxRows: given.wholeNumber('max-rows', 1) ?? 100_000,
    timeout,
    onError: (error) => terminal.warn(failureOf(error).message),
  });
  for (const one of named) put(service, one, await openModel(one.path));
  const server = new HttpServer(service, { timeout });
  const host = given.text('host') ?? '127.0.0.1';
  const port = await listen(server, given.wholeNumber('port', 0) ?? 8080, host);
  for (const one of named) reloadOnChange(service, one, terminal);
  onInterrupt(() => {
    for (const { path } of named) unwatchFile(path);
    void server.stop().then(() => leave(0));
  });
  const where = host.includes(':') ? `[${host}]` : host;
  stdout.write(`http://${where}:${port} serves ${named.map(({ name, version }) => `${name}@${version}`).join(', ')}\n`);
}

function namedOf(text: string): Named {
  const [, name, version = '1', path] = /^([\w.-]+)(?:@([\w.-]+))?=(.+)$/s.exec(text) ?? [];
  if (name !== undefined && path !== undefined) return { name, version, path };
  const own = basename(text, extname(text)).replace(/[^\w.-]/g, '-');
  return { name: own, version, path: text };
}

function put(service: Service, { name, version }: Named, { detector }: SavedModel): void {
  service.put(name, { model: detector, version });
}

async function keyOf(given: Arguments): Promise<string | undefined> {
  const path = given.text('api-key-file');
  const key = path === undefined ? env[KEY_VARIABLE] : (await readFile(path, 'utf8')).trim();
  if (path !== undefined && key === '') throw new UsageError(`${quote(path)} is empty: it must hold the key`);
  return key === '' ? undefined : key;
}

async function listen(server: HttpServer, port: number, host: string): Promise<number> {
  if (port > 65535) throw new UsageError(`--port must be at most 65535, got ${port}`);
  try {
    return await server.listen({ port, host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`port ${port} is in use: choose another with --port`);
    if (code === 'EACCES') throw new UsageError(`port ${port} needs privileges: choose one of 1024 or above`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new UsageError(`this machine has no address ${quote(host)}`);
    throw error;
  }
}

/** Reloads a file when it changes; if it cannot be read, the model stays. */
function reloadOnChange(service: Service, named: Named, terminal: Terminal): void {
  watchFile(named.path, { interval: LOOK, persistent: false }, (now, before) => {
    if (now.mtimeMs === 0 || (now.mtimeMs === before.mtimeMs && now.ino === before.ino && now.size === before.size))
      return;
    openModel(named.path).then(
      (model) => {
        put(service, named, model);
        terminal.note(`${clean(named.path, 200)} reloaded: ${count(model.detector.scores.length, 'training row')}`);
      },
      (error) => terminal.warn(`${failureOf(error).message}; keeping the previous model`),
    );
  });
}
